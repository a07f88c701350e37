from __future__ import annotations

import datetime as dt

import pytest

from garabench.virtual.apps.weibo import content
from garabench.virtual.apps.weibo.chat import answer_to, script
from garabench.virtual.apps.weibo.hot_list import TABS
from garabench.virtual.apps.weibo.store import initial_data

POSTS = tuple(content.posts().values())
NOW = dt.datetime.fromisoformat("2024-05-20T09:41:00+08:00")


def test_ids_and_names_are_unique() -> None:
    rows = content.load("posts.json")["posts"]
    assert len({row["id"] for row in rows}) == len(rows) >= 200
    people = content.load("users.json")["users"]
    assert len({row["id"] for row in people}) == len({row["name"] for row in people}) == len(people)


def test_posts_are_consistent() -> None:
    for post in POSTS:
        assert post.author.id == post.user
        assert post.at <= NOW
        assert not post.of or post.of in content.posts()
        assert all(topic in content.topics() for topic in post.topics)


def test_comments_are_ranked_and_within_the_count() -> None:
    for post in POSTS:
        comments = content.comments_of(post)
        assert len(comments) <= post.comments
        assert [row.likes for row in comments] == sorted((row.likes for row in comments), reverse=True)
        assert len({row.id for row in comments}) == len(comments)


def test_lists_name_existing_posts() -> None:
    feed = content.feed()
    lists = [feed["recommend"], feed["hot"], feed["videos"], *feed["boards"].values(), *feed["city"].values()]
    for ids in lists:
        assert len(content.pick(ids)) == len(ids) == len(set(ids))
    assert all(post.video for post in content.pick(feed["videos"]))


def test_trending_topics_are_ranked_by_heat_and_have_posts() -> None:
    hot = content.hot_topics()
    assert [topic.heat for topic in hot] == sorted((topic.heat for topic in hot), reverse=True)
    assert [topic.rank for topic in hot] == list(range(1, len(hot) + 1))
    assert all(len(content.posts_on(topic.topic)) >= 4 for topic in hot)
    assert all(topic.category in sum(TABS.values(), ()) for topic in hot)
    assert all(content.user_named(topic.host) for topic in hot)


def test_an_unknown_topic_is_empty() -> None:
    topic = content.topic_named("没有人说过")
    assert (topic.rank, topic.reads, content.posts_on(topic.topic)) == (0, "0", ())


def test_account_references_exist() -> None:
    data = initial_data()
    people = {*data["follows"], *data["special"], *data["fans"], *data["blocked"], *data["chats"]}
    people |= {name for group in data["groups"] for name in group["members"]}
    assert people <= content.users().keys()
    assert {row["post"] for row in data["favorites"] + data["history"]} | {
        *data["likes"]
    } <= content.posts().keys()
    for row in data["received"]:
        author = content.users()[row["user"]].name
        texts = [(said.author, said.text) for said in content.comments_of(content.posts()[row["of"]])]
        assert (author, row["text"]) in texts


@pytest.mark.parametrize(
    ("user", "text", "part"),
    [
        ("cng", "纸刊怎么买", "三刊纸刊"),
        ("binart", "门票多少钱", "周三免票"),
        ("slw", "你好", "感谢您的关注"),
        ("lin_friend", "几点出发", "收到"),
        ("mom", "在吗", ""),
    ],
)
def test_answers_of_other_users(user: str, text: str, part: str) -> None:
    answer = answer_to(user, text)
    assert (part in answer) if part else answer == ""


def test_questions_are_unique() -> None:
    questions = [question for group in script()["faq"] for question, _ in group["items"]]
    assert len(set(questions)) == len(questions)

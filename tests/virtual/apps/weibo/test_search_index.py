from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.apps.weibo import content
from garabench.virtual.apps.weibo.formatting import fold
from garabench.virtual.apps.weibo.search_index import (
    find_posts,
    find_topics,
    find_users,
    leading_user,
    suggestions,
    words_of,
)


@given(st.sampled_from(sorted(content.users())))
def test_a_users_name_finds_them_first(user: str) -> None:
    if user != content.ME:
        assert find_users(content.users()[user].name)[0].id == user


@given(st.sampled_from(sorted(content.topics())))
def test_a_topics_name_finds_it_first(topic: str) -> None:
    assert find_topics(topic)[0].topic == topic


@given(st.sampled_from(sorted(content.posts())), st.integers(2, 6))
def test_part_of_a_post_finds_it(name: str, length: int) -> None:
    post = content.posts()[name]
    part = fold(post.text)[:length]
    assert not part or post in find_posts(part)


@given(st.text(max_size=12))
def test_results_contain_every_word(query: str) -> None:
    for post in find_posts(query):
        hay = fold(post.author.name + post.text + post.article)
        assert all(word in hay for word in words_of(query))


@pytest.mark.parametrize("query", ["", " ", "#", "！"])
def test_an_empty_query_has_no_results(query: str) -> None:
    assert not find_posts(query)
    assert not find_users(query)
    assert not find_topics(query)
    assert not suggestions(query)
    assert leading_user(query) is None


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("央视新闻", "央视新闻"),
        ("阿桃厨房", "阿桃厨房"),
        ("阿桃的厨房", "阿桃的厨房"),
        ("苏禾", "旅行的苏禾"),
        ("滨江", None),
        ("露营", "周末露营指南"),
    ],
)
def test_leading_user(query: str, name: str | None) -> None:
    user = leading_user(query)
    assert (user.name if user else None) == name


def test_suggestions_with_the_prefix_come_first() -> None:
    found = suggestions("滨江")
    assert found[0].startswith("滨江")
    assert len(suggestions("的")) <= 9


def test_words_narrow_a_search() -> None:
    assert find_posts("露营 下雨天") == (content.posts()["camp-rain"],)

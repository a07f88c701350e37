"""Keys, tokens and passwords are redacted, whole, masked or in fragments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.core.redaction import REDACTED, redact_key, redact_keys
from tests.cases import every_case

KEY = "sk-proj-abQ7x0123456789wxyz"


@every_case(
    ("text", "redacted"),
    [
        (f"Incorrect API key provided: {KEY}.", "Incorrect API key provided: [key]."),
        ("Incorrect API key provided: sk-proj-abQ***wxyz.", "Incorrect API key provided: [key]."),
        ("Incorrect API key provided: sk-pr*****************yz.", "Incorrect API key provided: [key]."),
        ("Incorrect API key provided: 'sk-p…wxyz'", "Incorrect API key provided: '[key]'"),
        ("the key sk-proj... is not known", "the key [key] is not known"),
        ("the key ...wxyz is not known", "the key [key] is not known"),
        ("the key ending in wxyz has expired", "the key ending in [key] has expired"),
        ('{"key": "sk-projxxxxxxxx9wxyz"}', '{"key": "[key]"}'),
        ("sk-proj-abQ7x0123 was cut off", "[key] was cut off"),
        ("Authorization: Bearer sk-proj-abQ7x0", "Authorization: Bearer [key]"),
        ("Authorization: Bearer 0a1b2c3d4e", "Authorization: Bearer [key]"),
        ("another one: sk-ant-api03-abcdef0123456789", "another one: [key]"),
        ("another one: sk-9f*****************3a", "another one: [key]"),
        ("another one: ••••••••3a9f", "another one: [key]"),
        ("GET /v1?key=AIzaSyA0123456789abcdefghijkl", "GET /v1?key=[key]"),
        ("hf_abcdefgh0123456789 may not", "[key] may not"),
    ],
)
def test_keys_are_redacted_whole_masked_or_in_fragments(text: str, redacted: str) -> None:
    assert redact_keys(text, KEY) == redacted


@every_case(
    ("text", "redacted"),
    [
        ("remote: ghp_abcdefghijABCDEFGHIJ0123456789 expired", "remote: [key] expired"),
        ("github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwx", "[key]"),
        ("hf_abcdefghijklmnopqrstuvwxyzABCDEFGH may not", "[key] may not"),
        ("glpat-abcdefABCDEF012345 expired", "[key] expired"),
        ("the token xoxb-0123456789-abcdef was revoked", "the token [key] was revoked"),
        ("AKIAIOSFODNN7EXAMPLE is not allowed to", "[key] is not allowed to"),
        ("GET /v1?api_key=abcdef&n=2", "GET /v1?api_key=[key]&n=2"),
        ("GET /v1?key=abcdefgh&alt=json", "GET /v1?key=[key]&alt=json"),
        ("GET /v1?token=abcdefgh", "GET /v1?token=[key]"),
        ("export OPENAI_API_KEY=abcdefgh", "export OPENAI_API_KEY=[key]"),
        ("Client(api_key='abcdefgh', retries=2)", "Client(api_key='[key]', retries=2)"),
        ('{"password": "hunter22", "user": "me"}', '{"password": "[key]", "user": "me"}'),
        ("{'access_token': 'abcdefgh'}", "{'access_token': '[key]'}"),
        ("x-api-key: abcdefgh", "x-api-key: [key]"),
        ("x-goog-api-key: abcdefgh", "x-goog-api-key: [key]"),
        ("password=hunter22", "password=[key]"),
        ("http://user:password@127.0.0.1:8000/v1 is down", "http://user:[key]@127.0.0.1:8000/v1 is down"),
        ("socks5://:hunter22@proxy:1080", "socks5://:[key]@proxy:1080"),
    ],
)
def test_secrets_are_redacted_without_knowing_them(text: str, redacted: str) -> None:
    assert redact_keys(text) == redacted
    assert redact_keys(redacted) == redacted


@pytest.mark.parametrize(
    "text",
    [
        "http://127.0.0.1:8000/v1 refuses the key (401). Put a valid key into OPENAI_API_KEY.",
        "http://127.0.0.1:8000/v1 does not know the model 'gpt-4o-2024-08-06' (404).",
        "Wait... then try again. It **has** to be 2*3 or x.",
        "token_limit_exceeded: sk_buffer is full; tasks-and-skills of the disk-cache",
        "max_tokens=512 is too large, see https://example.org/docs/errors#max_tokens-512",
        "Set it: export OPENAI_API_KEY=…",
        "Client(api_key=None) needs an api_key: see https://example.org/docs#api_key",
        'node index="0" password="false" text="key=value, token=1"',
        "the password: it is wrong; the api key: it is missing",
        "http://127.0.0.1:8000/v1 and git@github.com:me/it are not http://me@example.org:80/",
        "hf_hub_download and hf_transformers are functions, ghp_x is not a token",
        "",
    ],
)
def test_other_texts_are_unchanged(text: str) -> None:
    assert redact_keys(text, KEY) == redact_keys(text) == text


def test_a_short_key_is_redacted_only_as_a_whole() -> None:
    assert redact_keys("test a sk-test key of tests", "sk-test") == "test a [key] key of tests"
    assert redact_keys("a key", "a") == redact_key("a key", "") == "a key"


def test_a_url_encoded_key_is_redacted() -> None:
    assert redact_key("/v1?key=a%2Fb%3D%3D0123", "a/b==0123") == "/v1?key=[key]"


@given(
    st.text("abcXYZ0189-_", min_size=16, max_size=40).filter(lambda key: key.strip("-_") == key),
    st.integers(0, 12),
    st.integers(0, 12),
    st.sampled_from(["***", "…", "...", "••••", "*" * 20]),
)
def test_no_fragment_of_a_key_remains_next_to_a_mask(key: str, first: int, last: int, mask: str) -> None:
    masked = f"{key[:first]}{mask}{key[len(key) - last :]}"
    redacted = redact_keys(f"Incorrect API key provided: {masked} (401)", key)
    if first + last >= 4:
        assert redacted == f"Incorrect API key provided: {REDACTED} (401)"


@pytest.mark.parametrize("part", ["a", "*", "-", "a*", "a**", "a/"])
def test_a_word_of_a_megabyte_is_redacted(part: str) -> None:
    word = part * (1_000_000 // len(part))
    assert redact_keys(word) == word
    assert redact_keys(f"{word}b***c").endswith(REDACTED)

"""What others say of keys is told without them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.core.redaction import REDACTED, redact_key, redact_keys
from tests.cases import every_case

KEY = "sk-proj-abQ7x0123456789wxyz"


@every_case(
    ("said", "told"),
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
def test_keys_are_redacted_whole_masked_or_in_parts(said: str, told: str) -> None:
    assert redact_keys(said, KEY) == told


@pytest.mark.parametrize(
    "said",
    [
        "http://127.0.0.1:8000/v1 refuses the key (401). Put a valid key into OPENAI_API_KEY.",
        "http://127.0.0.1:8000/v1 does not know the model 'gpt-4o-2024-08-06' (404).",
        "Wait... then try again. It **has** to be 2*3 or x.",
        "token_limit_exceeded: sk_buffer is full; tasks-and-skills of the disk-cache",
        "max_tokens=512 is too large, see https://example.org/docs/errors#max_tokens-512",
        "",
    ],
)
def test_other_words_are_unchanged(said: str) -> None:
    assert redact_keys(said, KEY) == said


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
def test_no_fragment_remains_next_to_a_mask(key: str, first: int, last: int, mask: str) -> None:
    masked = f"{key[:first]}{mask}{key[len(key) - last :]}"
    told = redact_keys(f"Incorrect API key provided: {masked} (401)", key)
    if first + last >= 4:
        assert told == f"Incorrect API key provided: {REDACTED} (401)"

"""The error tree: one code each, and the same error on both sides of a wire."""

from __future__ import annotations

import pytest

from orca_tui.base import errors
from orca_tui.base.errors import (
    ERRORS_BY_CODE,
    ConfigError,
    OrcaError,
    PaneNotFound,
    Refused,
    TooLarge,
    error_from_code,
)


def all_errors() -> list[type[OrcaError]]:
    return [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, OrcaError)]


def test_exit_codes_are_those_of_the_contract() -> None:
    codes = {kind.code: kind.exit_code for kind in all_errors()}

    assert codes == {
        "failed": 1,
        "invalid": 2,
        "too_large": 2,
        "conflict": 3,
        "inbox_conflict": 3,
        "not_found": 4,
        "refused": 5,
        "unauthorized": 5,
        "timeout": 124,
        "unsupported": 1,
        "protocol_mismatch": 1,
        "unavailable": 1,
        "engine_unavailable": 1,
        "engine_mismatch": 1,
        "config": 1,
        "undelivered": 1,
        "plugin_failed": 1,
        "store_failed": 1,
        "spawn_failed": 1,
    }


def test_every_code_comes_back_as_the_class_that_it_left_as() -> None:
    for code, kind in ERRORS_BY_CODE.items():
        error = error_from_code(code, "what happened", {"pane": "p1"})

        assert type(error) is kind
        assert (error.code, error.message, error.facts) == (code, "what happened", {"pane": "p1"})


def test_every_code_is_known() -> None:
    assert set(ERRORS_BY_CODE) == {kind.code for kind in all_errors()}


def test_a_narrower_error_comes_back_as_its_kind() -> None:
    sent = PaneNotFound("p9")

    received = error_from_code(sent.code, sent.message, sent.facts)

    assert isinstance(received, errors.NotFound)
    assert (str(received), received.facts) == (str(sent), {"pane": "p9"})


def test_an_unknown_code_of_a_newer_server_is_an_error_that_keeps_its_code() -> None:
    error = error_from_code("melted", "too warm", {"degrees": 90})

    assert error.exit_code == 1
    assert error.described() == {"code": "melted", "message": "too warm", "degrees": 90}


def test_facts_may_have_any_name() -> None:
    error = error_from_code(
        "failed", "the message", {"message": "a fact", "self": 1, "code": "x", "kind": "y"}
    )

    assert error.facts == {"message": "a fact", "self": 1, "code": "x", "kind": "y"}


def test_an_error_is_described_with_code_and_message_first() -> None:
    described = PaneNotFound("p9").described()

    assert list(described) == ["code", "message", "pane"]
    assert described["code"] == "not_found"


def test_a_fact_never_hides_the_code_or_the_message() -> None:
    assert Refused("no", code="fine", message="ok").described() == {"code": "refused", "message": "no"}


def test_an_error_of_the_settings_names_the_line() -> None:
    assert str(ConfigError("/c.toml", 7, "no such key")) == "/c.toml:7: no such key"
    assert str(ConfigError("/c.toml", None, "unreadable")) == "/c.toml: unreadable"


def test_a_limit_is_a_fact() -> None:
    assert TooLarge("the body", 10).facts == {"limit_bytes": 10}


@pytest.mark.parametrize("kind", all_errors())
def test_a_class_says_when_it_is_raised(kind: type[OrcaError]) -> None:
    assert kind.__doc__

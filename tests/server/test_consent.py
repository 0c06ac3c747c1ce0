"""What the user has agreed to, as it is kept."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from orca_tui.base.errors import Refused
from orca_tui.server.consent import Consent


@pytest.fixture
def consent(tmp_path: Path) -> Consent:
    return Consent(tmp_path / "state")


def test_nothing_is_allowed_before_somebody_says_so(consent: Consent) -> None:
    assert consent.answer("codex") is None
    assert not consent.allows("codex")


def test_an_answer_is_kept_for_every_server_of_this_user(consent: Consent, tmp_path: Path) -> None:
    consent.store("codex", "allowed")
    consent.store("gemini", "denied")

    another = Consent(tmp_path / "state")
    assert another.allows("codex")
    assert another.answer("gemini") == "denied"

    another.store("codex", "denied")
    assert not consent.allows("codex")
    assert consent.answer("gemini") == "denied"


def test_the_file_is_this_users_alone(consent: Consent, tmp_path: Path) -> None:
    consent.store("codex", "allowed")

    (file,) = (tmp_path / "state").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"answers": {"codex": "sure"}}', b'{"answers": 1}', b"\xff"]
)
def test_a_file_that_cannot_be_used_allows_nothing_and_is_replaced(
    consent: Consent, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "consent.json").write_bytes(content)

    assert not consent.allows("codex")
    consent.store("codex", "allowed")
    assert consent.allows("codex")


def test_an_answer_that_cannot_be_kept_is_refused(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")

    with pytest.raises(Refused):
        Consent(tmp_path / "state").store("codex", "allowed")


def test_somebody_is_asked_once_and_not_after_an_answer(consent: Consent) -> None:
    assert consent.is_to_be_asked("codex")
    assert not consent.is_to_be_asked("codex")

    consent.store("gemini", "denied")
    assert not consent.is_to_be_asked("gemini")

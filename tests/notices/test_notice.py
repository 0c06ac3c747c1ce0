"""The values: what a request may ask for, and what makes two notices the same."""

from __future__ import annotations

import msgspec
import pytest

from orca_tui.notices.notice import Delivery, IfIdle, NoticeState, Resume, digest_of
from tests.notices.notices import notice


@pytest.mark.parametrize(
    ("text", "resume"),
    [
        ("true", True),
        ("false", False),
        ('{"if_idle": true}', IfIdle()),
        ('{"if_idle": true, "agent": "plan"}', IfIdle(agent="plan")),
    ],
)
def test_resume_is_a_truth_or_a_condition(text: str, resume: Resume) -> None:
    assert msgspec.json.decode(text, type=Resume) == resume


@pytest.mark.parametrize("text", ['{"if_idle": false}', '{"agents": "plan"}', '"yes"', "null"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=Resume)


def test_content_is_text_way_and_condition() -> None:
    digests = {
        digest_of("a", Delivery.QUEUE, True),
        digest_of("b", Delivery.QUEUE, True),
        digest_of("a", Delivery.STEER, True),
        digest_of("a", Delivery.QUEUE, False),
        digest_of("a", Delivery.QUEUE, IfIdle()),
        digest_of("a", Delivery.QUEUE, IfIdle(agent="plan")),
    }

    assert len(digests) == 6


def test_only_pending_and_delivering_are_open() -> None:
    assert [state for state in NoticeState if notice(state=state).open] == ["pending", "delivering"]

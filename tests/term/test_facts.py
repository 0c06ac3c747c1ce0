"""What children say of themselves is cleaned, cut to size, and understood in all its forms."""

from __future__ import annotations

from base64 import b64encode

import pytest

from orca_tui.term.engine import AgentReport, DirectoryChanged, Notification, ProgramStatus, PromptMark
from orca_tui.term.facts import (
    BODY_LENGTH,
    CLIPBOARD_BYTES,
    TITLE_LENGTH,
    KittyNotifications,
    clean,
    clipboard_fact,
    directory_fact,
    notification_fact,
    osc_fact,
    progress_fact,
    title_fact,
)


@pytest.mark.parametrize(
    ("told", "title"),
    [
        ("plain", "plain"),
        ("  padded  ", "padded"),
        ("two\nlines\tand a tab", "two lines and a tab"),
        ("bell\x07 escape\x1b[31m c1\x9b31m", "bell escape[31m c131m"),
        ("evil\u202eexe.txt\u2066x\u2069\u200f", "evilexe.txtx"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("✳\ufe0e 端末 👩\u200d👧", "✳\ufe0e 端末 👩\u200d👧"),
    ],
)
def test_titles_are_one_line_without_control_and_bidi_characters(told: str, title: str) -> None:
    assert title_fact(told).title == title


def test_titles_and_notifications_are_cut_to_size() -> None:
    long = "x" * 10_000

    assert len(title_fact(long).title) == TITLE_LENGTH
    assert notification_fact(long, long) == Notification(title="x" * TITLE_LENGTH, body="x" * BODY_LENGTH)
    assert len(clean(long, 7)) == 7


@pytest.mark.parametrize(
    ("told", "path"),
    [
        ("file:///home/ann/a%20b", "/home/ann/a b"),
        ("file://localhost/tmp", "/tmp"),
        ("file://workstation/tmp", "/tmp"),
        ("file://WorkStation/tmp", "/tmp"),
        ("file://workstation.example.org/tmp", "/tmp"),
        ("kitty-shell-cwd://workstation/a%20b", "/a%20b"),
        ("/plain/path", "/plain/path"),
    ],
)
def test_a_directory_of_this_machine_is_told_as_a_path(told: str, path: str) -> None:
    assert directory_fact(told, "workstation") == DirectoryChanged(path=path)


@pytest.mark.parametrize(
    "told",
    [
        "",
        "relative/path",
        "file://elsewhere/tmp",
        "file://[broken/tmp",
        "http://localhost/tmp",
        "file:///a%0Ab",
        "file:///a\u202eb",
        "/" + "x" * 5000,
    ],
)
def test_anything_else_is_no_directory(told: str) -> None:
    assert directory_fact(told, "workstation") is None


def test_a_clipboard_text_is_taken_whole_or_not_at_all() -> None:
    text = "x" * CLIPBOARD_BYTES
    fact = clipboard_fact(text.encode())

    assert fact is not None
    assert fact.text == text
    assert clipboard_fact(text.encode() + b"x") is None
    assert clipboard_fact(b"") is None
    assert clipboard_fact(b"\xff\xfe") is None


def test_progress_without_a_percentage_has_none() -> None:
    assert progress_fact(3, -1).percent is None
    assert progress_fact(1, 42).percent == 42


@pytest.mark.parametrize(
    ("payload", "fact"),
    [
        ("A", PromptMark(kind="A")),
        ("A;cl=m;aid=7", PromptMark(kind="A")),
        ("B", PromptMark(kind="B")),
        ("C;cmdline=ls", PromptMark(kind="C")),
        ("D", PromptMark(kind="D")),
        ("D;0", PromptMark(kind="D", exit_code=0)),
        ("D;130;aid=7", PromptMark(kind="D", exit_code=130)),
        ("D;err=1", PromptMark(kind="D")),
        ("D;٣", PromptMark(kind="D")),
        ("P;k=s", None),
        ("", None),
    ],
)
def test_prompt_marks_of_all_shells_are_understood(payload: str, fact: PromptMark | None) -> None:
    assert osc_fact(133, payload, KittyNotifications()) == fact


def test_program_status_and_agent_reports_are_handed_on_undecoded() -> None:
    assert osc_fact(7501, "state=working", KittyNotifications()) == ProgramStatus(payload="state=working")
    for number in (26, 9999):
        assert osc_fact(number, "text", KittyNotifications()) == AgentReport(number=number, payload="text")


def test_a_kitty_notification_in_one_piece() -> None:
    assert KittyNotifications().take(";Hello") == Notification(title="Hello", body="")
    assert KittyNotifications().take("i=1:p=body;Text") == Notification(title="", body="Text")


def test_a_kitty_notification_in_pieces_is_told_with_its_last_piece() -> None:
    notifications = KittyNotifications()

    assert notifications.take("i=1:d=0;Hel") is None
    assert notifications.take("i=2:d=0;Other") is None
    assert notifications.take("i=1:d=0;lo") is None
    assert notifications.take(f"i=1:p=body:e=1;{b64encode('Größe'.encode()).decode()}") == Notification(
        title="Hello", body="Größe"
    )
    assert notifications.take("i=2;!") == Notification(title="Other!", body="")


@pytest.mark.parametrize("payload", ["i=1:p=close;", "i=1:p=?;", "p=icon;AAAA", "", "i=1:e=1;@@@", ":::;"])
def test_a_piece_without_text_is_no_notification(payload: str) -> None:
    assert KittyNotifications().take(payload) is None


def test_unfinished_kitty_notifications_do_not_pile_up() -> None:
    notifications = KittyNotifications()
    for number in range(1000):
        notifications.take(f"i={number}:d=0;{'x' * 4000}")

    assert len(notifications._parts) == KittyNotifications.UNFINISHED_KEPT
    assert notifications.take("i=1;late") == Notification(title="late", body="")

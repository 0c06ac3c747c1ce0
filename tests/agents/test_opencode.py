"""The tables of OpenCode's plugin, and how OpenCode is launched."""

from __future__ import annotations

import json
from typing import Any

import pytest

from orca_tui.agents.launching import LaunchContext
from orca_tui.agents.opencode import MAX_BODY_BYTES, MAX_SESSIONS, OpenCode, read_table
from orca_tui.agents.registry import Agents
from orca_tui.base.errors import Invalid, TooLarge
from orca_tui.status.events import TablePosted
from orca_tui.status.record import Kind
from orca_tui.status.session_table import ProcessKey, Retry
from orca_tui.status.turns import Ask, End, Ending


def row(**facts: Any) -> dict[str, Any]:
    return {
        "id": "ses_1",
        "parent": None,
        "directory": "/x",
        "agent": "build",
        "busy": True,
        "turn": 3,
        "end": None,
        "asks": [],
        "resolved": [],
        "retry": None,
        "prompt": None,
        "last_message": None,
        "tool": None,
        **facts,
    }


def body(*rows: dict[str, Any], **facts: Any) -> bytes:
    table = {
        "pane": "p3",
        "process": {"pid": 123, "started": 1700000000.123},
        "factory": 1,
        "generation": 2,
        "host": {"major": 1, "version": "1.18.33"},
        "seq": 17,
        "outlives_dispose": False,
        "gone": False,
        "sessions": list(rows),
        **facts,
    }
    return json.dumps(table).encode()


def test_a_whole_table() -> None:
    table = read_table(
        body(
            row(
                asks=[{"id": "per_1", "kind": "permission", "text": "ls\n -l", "at": 1.5}],
                resolved=["per_0"],
                retry={"attempt": 2, "message": "slow", "next_at": 9.0},
                prompt="do\tit\nnow",
                last_message="one\r\ntwo\x1b[2J",
                tool="bash",
            ),
            outlives_dispose=True,
        )
    )

    assert (table.pane, table.process) == ("p3", ProcessKey(pid=123, started=1700000000.123))
    assert (table.factory, table.generation, table.seq, table.host_version) == (1, 2, 17, "1.18.33")
    assert (table.outlives_dispose, table.gone) == (True, False)
    (session,) = table.sessions
    assert session.asks == (Ask(id="per_1", kind=Kind.PERMISSION, text="ls -l"),)
    assert session.retry == Retry(attempt=2, message="slow", next_at=9.0)
    assert (session.prompt, session.last_message) == ("do it now", "one\ntwo[2J")
    assert (session.busy, session.turn, session.tool, session.resolved) == (True, 3, "bash", ("per_0",))


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        (None, None),
        ("ok", End(how=Ending.OK)),
        ("interrupted:user", End(how=Ending.INTERRUPTED, message="user")),
        ("interrupted:shutdown", End(how=Ending.INTERRUPTED, message="shutdown")),
        (
            {"error": {"kind": "rate_limit", "message": "m", "reset_at": 5.0}},
            End(how=Ending.ERROR, kind=Kind.RATE_LIMIT, message="m", resets_at=5.0),
        ),
        (
            {"error": {"kind": "other", "message": "m", "reset_at": None}},
            End(how=Ending.ERROR, kind=Kind.OTHER, message="m"),
        ),
    ],
)
def test_every_end_is_read(end: object, expected: End | None) -> None:
    assert read_table(body(row(end=end))).sessions[0].end == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("permission", Kind.PERMISSION), ("question", Kind.QUESTION), ("form", Kind.QUESTION)],
)
def test_a_form_is_a_question(kind: str, expected: Kind) -> None:
    asks = [{"id": "a", "kind": kind, "text": "?", "at": 1.0}]

    assert read_table(body(row(asks=asks))).sessions[0].asks[0].kind is expected


def test_fields_of_a_later_plugin_are_ignored() -> None:
    assert read_table(body(row(mood="good"), later=1)) == read_table(body(row()))


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"[]",
        b"{",
        b"\xff",
        b"null",
        body(pane=""),
        body(pane=3),
        body(process={"pid": 0, "started": 1.0}),
        body(process={"pid": "1", "started": 1.0}),
        body(process={"pid": 1, "started": -1.0}),
        body(seq=-1),
        body(seq=1.5),
        body(seq="17"),
        body(gone=1),
        body(sessions=None),
        body(row(id="")),
        body(row(id="x" * 201)),
        body(row(busy="yes")),
        body(row(busy=None)),
        body(row(turn=-1)),
        body(row(end="finished")),
        body(row(end={"error": {"kind": "mood", "message": "m"}})),
        body(row(end={"error": None})),
        body(row(asks=[{"id": "a", "kind": "mood", "text": "t", "at": 1.0}])),
        body(row(asks=[{"kind": "form"}])),
        body(row(asks=[{"id": "a", "kind": "form", "text": "t", "at": 1.0}] * 1000)),
        body(row(retry={"attempt": "2"})),
        body(*[row()] * (MAX_SESSIONS + 1)),
        b'{"later":' + b"[" * 100_000,
    ],
)
def test_what_is_no_table_is_refused(bad: bytes) -> None:
    with pytest.raises(Invalid):
        read_table(bad)


def test_a_body_that_is_too_large_is_refused_unread() -> None:
    with pytest.raises(TooLarge) as refusal:
        read_table(b"{" + b" " * MAX_BODY_BYTES)

    assert refusal.value.facts["limit_bytes"] == MAX_BODY_BYTES


def test_long_texts_are_cut() -> None:
    session = read_table(body(row(prompt="x" * 500, last_message="y" * 5000))).sessions[0]

    assert session.prompt is not None
    assert session.last_message is not None
    assert (len(session.prompt), len(session.last_message)) == (200, 2000)
    assert session.prompt.endswith("…")


def test_a_table_that_is_posted_for_another_pane_is_refused() -> None:
    reader = Agents().reader("opencode")
    assert reader is not None

    (event,) = reader.report_posted(body(row()), "p3", 5.0)
    assert isinstance(event, TablePosted)
    assert (event.at, event.agent) == (5.0, "opencode")
    with pytest.raises(Invalid):
        reader.report_posted(body(row()), "p4", 5.0)


# Launching.


def context(version: str | None) -> LaunchContext:
    return LaunchContext(version=version, session_id="NEW", folder="", hook="post")


@pytest.mark.parametrize(
    ("argv", "version", "launched"),
    [
        ("opencode", "2.0.16", "opencode --standalone"),
        ("opencode", "v2.1.0\n", "opencode --standalone"),
        ("opencode -m x/y", "2.0.16", "opencode --standalone -m x/y"),
        ("opencode ./project", "2.0.16", "opencode --standalone ./project"),
        ("env A=1 opencode", "2.0.16", "env A=1 opencode --standalone"),
        ("opencode", "1.18.33", "opencode"),
        ("opencode", None, "opencode"),
        ("opencode", "preview", "opencode"),
        ("opencode run hello", "2.0.16", "opencode run hello"),
        ("opencode serve", "2.0.16", "opencode serve"),
        ("opencode --standalone", "2.0.16", "opencode --standalone"),
        ("opencode --server http://x", "2.0.16", "opencode --server http://x"),
        ("opencode --server=http://x", "2.0.16", "opencode --server=http://x"),
        ("opencode --version", "2.0.16", "opencode --version"),
    ],
)
def test_a_tui_of_opencode_2_gets_a_server_of_its_own(argv: str, version: str | None, launched: str) -> None:
    assert OpenCode().launch(argv.split(), context(version)).argv == tuple(launched.split())


def test_a_program_inside_a_shells_string_is_left_alone() -> None:
    argv = ("bash", "-c", "opencode")

    assert OpenCode().launch(argv, context("2.0.16")).argv == argv

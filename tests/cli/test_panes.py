"""The commands on panes, end to end: a real server, real programs in real terminals."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Home, Orca, shows

pytestmark = pytest.mark.usefixtures("served")

RECORD_KEYS = [
    "pane", "agent", "session_id", "status", "kind", "message", "resets_at", "since", "turns",
    "turn_started_at", "unread", "interrupted", "prompt", "last_message", "tool", "progress", "subagents",
    "evidence", "confirmed", "exit_code", "title", "name", "cwd", "pid", "command", "size", "tab", "workspace",
    "cpu_percent", "rss_bytes", "pending_notices", "resume", "granted",
]  # fmt: skip


def record(orca: Orca, pane: str) -> Any:
    return orca("get", pane, "--json").json()


# open


def test_open_prints_the_panes_id_and_as_json_where_it_is(orca: Orca) -> None:
    result = orca("open", "--", "cat")
    opened = orca("open", "--json", "--", "cat").json()

    assert (result.code, result.err) == (0, "")
    assert record(orca, result.out.removesuffix("\n"))["pane"] == result.out.removesuffix("\n")
    assert list(opened) == ["pane", "tab", "workspace"]


def test_the_words_behind_the_dashes_are_the_command_whatever_they_look_like(orca: Orca) -> None:
    opened = orca("open", "--json", "--", "printf", "%s|", "--json", "-x", "--", "ä").json()

    shows(orca, opened["pane"], "--json|-x|--|ä|")


def test_a_pane_gets_the_callers_whole_environment_and_what_was_set_on_top(orca: Orca) -> None:
    opened = orca(
        "open", "--json", "--env", "ADDED=a=b", "--env", "MINE=over",
        "--", "sh", "-c", "echo $FROM_ME $ADDED $MINE; exec cat",
        FROM_ME="seen", MINE="under",
    ).json()  # fmt: skip

    shows(orca, opened["pane"], "seen a=b over")


def test_a_variable_that_is_no_utf8_is_left_out_and_named(orca: Orca) -> None:
    result = orca(
        "open", "--json", "--", "sh", "-c", "echo ${ODD-none} $PLAIN; exec cat", ODD="\udcff", PLAIN="here"
    )

    assert (result.code, result.err) == (0, "orca-tui: not UTF-8, so the pane does not get it: ODD\n")
    shows(orca, result.json()["pane"], "none here")


def test_a_pane_starts_in_the_callers_directory(
    orca: Orca, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    opened = orca("open", "--json", "--", "sh", "-c", "pwd; exec cat").json()

    assert record(orca, opened["pane"])["cwd"] == str(tmp_path)


def test_a_relative_directory_is_the_callers(
    orca: Orca, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path)

    opened = orca("open", "--json", "--cwd", "below", "--", "cat").json()

    assert record(orca, opened["pane"])["cwd"] == str(tmp_path / "below")


def test_a_directory_or_a_command_that_is_not_there_is_refused_without_a_pane(
    orca: Orca, tmp_path: Path
) -> None:
    before = orca("list", "--json").out

    gone = orca("open", "--cwd", str(tmp_path / "gone"), "--", "cat")
    command = orca("open", "--", "no-such-program-here")

    assert (gone.code, gone.out) == (4, "")
    assert gone.err == f"orca-tui: the directory {tmp_path / 'gone'} does not exist\n"
    assert (command.code, command.err) == (4, "orca-tui: command not found: no-such-program-here\n")
    assert orca("list", "--json").out == before


def test_a_pane_has_the_size_that_was_asked_for(orca: Orca) -> None:
    default = orca("open", "--json", "--", "cat").json()["pane"]
    sized = orca("open", "--json", "--size", "91x33", "--", "sh", "-c", "stty size; exec cat").json()["pane"]

    assert record(orca, default)["size"] == [120, 40]
    assert record(orca, sized)["size"] == [91, 33]
    shows(orca, sized, "33 91")


def test_a_split_shares_the_tab_and_a_plain_open_does_not(orca: Orca, pane: str) -> None:
    orca("focus", pane)
    first = record(orca, pane)

    split = orca("open", "--json", "--split", "down", "--", "cat").json()
    own = orca("open", "--json", "--", "cat").json()

    assert split["tab"] == first["tab"]
    assert own["tab"] != first["tab"]


def test_the_first_open_starts_the_server(home: Home, orca: Orca) -> None:
    before = orca("server", "status", "--server", "fresh")

    opened = orca("open", "--server", "fresh", "--", "cat")

    assert (before.code, opened.code) == (1, 0)
    assert orca("server", "status", "--server", "fresh").code == 0
    assert orca("server", "stop", "--yes", "--server", "fresh").code == 0


# list and get


def test_a_record_has_exactly_the_keys_of_the_contract(orca: Orca, pane: str) -> None:
    listed = {one["pane"]: one for one in orca("list", "--json").lines()}

    assert list(listed[pane]) == RECORD_KEYS
    assert list(record(orca, pane)) == RECORD_KEYS


def test_list_prints_a_table_with_glyph_and_word(orca: Orca, pane: str) -> None:
    orca("rename", pane, "my café")

    lines = orca("list").out.splitlines()

    heading, row = lines[0], next(line for line in lines if f" {pane} " in line)
    assert heading.split()[:3] == ["PANE", "STATUS", "SINCE"]
    assert row.startswith("›  ")
    assert row[heading.index("STATUS") :].startswith("shell")
    assert "my café" in row


def test_a_title_does_not_steer_the_terminal_that_lists_it(orca: Orca, pane: str) -> None:
    orca("rename", pane, "evil\x1b[2Jname")

    assert "\x1b" not in orca("list").out + orca("get", pane).out


def test_what_is_not_there_is_not_found(orca: Orca) -> None:
    for command in (["get", "p999"], ["read", "p999"], ["focus", "t999"], ["explain", "p999"]):
        result = orca(*command)

        assert (result.code, result.out) == (4, "")
        assert result.err.startswith("orca-tui: no ")
        assert result.err.count("\n") == 1


def test_with_json_an_error_is_one_json_object_on_stderr(orca: Orca) -> None:
    result = orca("get", "p999", "--json")

    assert (result.code, result.out) == (4, "")
    assert result.error()["code"] == "not_found"
    assert result.error()["pane"] == "p999"


# input and read


def test_typed_text_arrives_as_it_is(orca: Orca, pane: str) -> None:
    assert orca("type", pane, "häl\tlo\r").code == 0

    shows(orca, pane, "häl     lo")


def test_text_that_looks_like_an_option_goes_behind_dashes(orca: Orca, pane: str) -> None:
    assert orca("type", pane, "--", "--json\r").code == 0

    shows(orca, pane, "--json")


def test_a_paste_comes_from_an_argument_or_from_standard_input(orca: Orca, pane: str) -> None:
    assert orca("paste", pane, "from argument\n").code == 0
    assert orca("paste", pane, "-", stdin="from stdin ü\n").code == 0
    assert orca("paste", pane, stdin="without dash\n").code == 0

    for text in ("from argument", "from stdin ü", "without dash"):
        shows(orca, pane, text)


def test_a_paste_that_is_no_text_is_refused(orca: Orca, pane: str) -> None:
    result = orca("paste", pane, "-", stdin=b"\xff\xfe")

    assert (result.code, result.err) == (2, "orca-tui: standard input is not UTF-8\n")


def test_a_large_paste_arrives_whole(orca: Orca, tmp_path: Path) -> None:
    target = tmp_path / "pasted"
    opened = orca(
        "open",
        "--json",
        "--",
        "sh",
        "-c",
        f"stty raw -echo; echo ready; head -c 2000000 > {target}; echo got",
    ).json()
    shows(orca, opened["pane"], "ready")
    text = "".join(f"line {number}\r" for number in range(200_000))[:2_000_000]

    assert orca("paste", opened["pane"], "-", stdin=text).code == 0

    shows(orca, opened["pane"], "got")
    assert target.read_bytes().decode() == text


def test_keys_are_pressed_by_their_names(orca: Orca, pane: str) -> None:
    assert orca("keys", pane, "h", "i", "enter").code == 0
    shows(orca, pane, "hi\nhi")

    assert orca("keys", pane, "ctrl+d").code == 0
    assert orca("wait", pane, "--status", "exited", "--timeout", "20").code == 0


def test_an_unknown_key_is_a_usage_error_that_names_it(orca: Orca, pane: str) -> None:
    result = orca("keys", pane, "entre")

    assert result.code == 2
    assert "entre" in result.err


def test_read_prints_what_is_shown_with_wide_characters_unpadded(orca: Orca, pane: str) -> None:
    orca("type", pane, "漢字 ok\r")
    shows(orca, pane, "漢字 ok\n漢字 ok")  # The terminal's echo, and what cat says.

    text = orca("read", pane).out
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert orca("read", pane, "--json").json() == {"text": text.removesuffix("\n")}


def test_read_takes_the_scrollback_and_the_last_lines(orca: Orca) -> None:
    opened = orca("open", "--json", "--size", "40x10", "--", "sh", "-c", "seq 1 100; exec cat").json()["pane"]
    shows(orca, opened, "100")

    everything = orca("read", opened, "--source", "all").out.split()
    last = orca("read", opened, "--source", "all", "--lines", "3").out.split()

    assert everything == [str(number) for number in range(1, 101)]
    assert last == ["98", "99", "100"]
    assert "1" not in orca("read", opened).out.split()
    assert "100" not in orca("read", opened, "--source", "scrollback").out.split()


def test_read_joins_wrapped_lines_when_asked(orca: Orca) -> None:
    opened = orca(
        "open", "--json", "--size", "20x10", "--", "sh", "-c", f"echo {'x' * 50}end; exec cat"
    ).json()["pane"]
    shows(orca, opened, "end")

    assert "x" * 50 not in orca("read", opened).out
    assert "x" * 50 + "end" in orca("read", opened, "--unwrap").out


def test_read_keeps_colours_when_asked(orca: Orca) -> None:
    opened = orca("open", "--json", "--", "sh", "-c", "printf '\\033[31mred\\033[m\\n'; exec cat").json()[
        "pane"
    ]
    shows(orca, opened, "red")

    assert "\x1b[31mred" in orca("read", opened, "--ansi").out
    assert "\x1b" not in orca("read", opened).out


# wait and events


def test_a_status_that_holds_already_is_not_waited_for(orca: Orca, pane: str) -> None:
    result = orca("wait", pane, "--status", "working,unknown", "--json")

    assert (result.code, result.json()["pane"]) == (0, pane)


def test_waiting_for_what_does_not_come_exits_124(orca: Orca, pane: str) -> None:
    result = orca("wait", pane, "--status", "done", "--timeout", "0.05")

    assert (result.code, result.out) == (124, "")
    assert result.err.count("\n") == 1


def test_next_does_not_count_what_holds_already(orca: Orca, pane: str) -> None:
    assert orca("wait", pane, "--status", "unknown", "--next", "--timeout", "0.05").code == 124


def test_a_program_that_ends_while_it_is_waited_for_is_a_failure(served: Home, orca: Orca, pane: str) -> None:
    with served.spawn("wait", pane, "--status", "done") as waiting:
        orca("keys", pane, "ctrl+d")
        out, err = waiting.communicate(timeout=30)

    assert (waiting.returncode, out) == (1, "")
    assert err.startswith("orca-tui: ")


def test_events_are_json_lines_that_begin_with_hello(served: Home, orca: Orca) -> None:
    with served.spawn("events") as following:
        assert following.stdout is not None
        hello = json.loads(following.stdout.readline())
        pane = orca("open", "--json", "--", "cat").json()["pane"]
        opened = json.loads(following.stdout.readline())
        orca("close", pane, "--force")
        while (last := json.loads(following.stdout.readline()))["type"] != "closed":
            pass
        following.terminate()

    assert hello["type"] == "hello"
    assert (opened["type"], opened["pane"]) == ("opened", pane)
    assert last["pane"] == pane


def test_events_end_at_once_and_quietly_when_nobody_reads_them(served: Home) -> None:
    script = f"{sys.executable} -m orca_tui events | head -n 1; echo ${{PIPESTATUS[0]}}"
    with subprocess.Popen(
        ["bash", "-c", script],
        env=served.variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as shell:
        assert shell.stdout is not None
        hello = shell.stdout.readline()
        status = shell.stdout.read()
        assert shell.stderr is not None
        err = shell.stderr.read()

    assert json.loads(hello)["type"] == "hello"
    assert (status, err) == ("141\n", "")


def test_waiting_ends_when_nobody_reads_the_answer(served: Home, pane: str) -> None:
    ours, theirs = socket.socketpair()
    with ours, served.spawn("wait", pane, "--status", "done", stdout=theirs) as waiting:
        theirs.close()
        ours.shutdown(socket.SHUT_RDWR)

        assert waiting.wait(timeout=30) == 141


def test_an_interrupt_ends_a_command_quietly_with_130(served: Home, orca: Orca, pane: str) -> None:
    with served.spawn("events", "--pane", pane) as following:
        assert following.stdout is not None
        following.stdout.readline()
        os.kill(following.pid, 2)
        out, err = following.communicate(timeout=30)

    assert (following.returncode, out, err) == (130, "", "")


# layout


def test_layout_commands_move_what_they_name(orca: Orca, pane: str) -> None:
    orca("focus", pane)
    other = orca("open", "--json", "--split", "right", "--", "cat").json()["pane"]

    for command in (
        ["move", other, "left"],
        ["resize", other, "right", "--by", "10"],
        ["zoom", other],
        ["zoom", other, "--to", "off"],
        ["arrange", record(orca, other)["tab"], "even-rows"],
        ["seen", other],
        ["move", other, "--tab", "new"],
        ["rename", record(orca, other)["tab"], "a tab"],
        ["focus", record(orca, other)["workspace"]],
    ):
        result = orca(*command)
        assert (result.code, result.out, result.err) == (0, "", ""), command
    assert record(orca, other)["tab"] != record(orca, pane)["tab"]


def test_a_command_that_has_nothing_to_say_prints_an_empty_object_as_json(orca: Orca, pane: str) -> None:
    assert orca("focus", pane, "--json").json() == {}


def test_resize_sets_the_size_of_a_pane_that_nobody_shows(orca: Orca, pane: str) -> None:
    orca("resize", pane, "--size", "77x22")

    assert record(orca, pane)["size"] == [77, 22]


def test_close_says_what_it_closed(orca: Orca) -> None:
    pane = orca("open", "--json", "--", "cat").json()["pane"]

    assert orca("close", pane).out == f"closed {pane}\n"
    assert orca("close", pane).code == 4


def test_detach_counts_the_uis(orca: Orca) -> None:
    assert orca("detach", "--json").json() == {"detached": 0}
    assert orca("detach").out == "0 UIs detached\n"


def test_explain_tells_the_verdict_and_what_was_seen(orca: Orca, pane: str) -> None:
    assert orca("explain", pane).out.startswith(f"› {pane}: no status: a shell without an agent, ")
    explained = orca("explain", pane, "--json").json()
    assert list(explained) == ["pane", "verdict", "source", "rule", "missing", "observations"]

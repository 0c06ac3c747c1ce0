"""Starting and stopping servers from the command line."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from orca_tui import __version__
from tests.cli.conftest import COMMAND_TIMEOUT_S, Home, Orca


@pytest.fixture
def home(homes: Callable[[], Home]) -> Home:
    """A home of each test's own: servers come and go here."""
    return homes()


def test_start_returns_when_the_server_answers_and_again_says_that_it_runs(orca: Orca) -> None:
    first = orca("server", "start", "--json").json()
    again = orca("server", "start", "--json").json()

    assert (first["server"], first["started"], again["started"]) == ("default", True, False)
    assert first["pid"] == again["pid"]
    assert orca("server", "start").out == f"server default runs already, pid {first['pid']}\n"


def test_a_running_server_takes_settings_that_were_changed(orca: Orca, home: Home) -> None:
    orca("server", "start")
    file = home.root / "config" / "orca-tui" / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('[terminal]\nshell = ["/bin/cat"]\n')

    pane = orca("open", "--json").json()["pane"]

    assert orca("get", pane, "--json").json()["command"] == ["/bin/cat"]


def test_status_tells_what_the_server_holds(orca: Orca, home: Home) -> None:
    pid = orca("server", "start", "--json").json()["pid"]
    orca("open", "--", "cat")

    status = orca("server", "status", "--json").json()

    assert list(status) == [
        "server",
        "pid",
        "version",
        "started_at",
        "panes",
        "uis",
        "sockets",
        "notes",
        "server_notes",
    ]
    assert (status["pid"], status["version"], status["panes"], status["uis"]) == (pid, __version__, 1, 0)
    assert set(status["sockets"]) == {"wire", "http", "intake"}
    runtime = home.root / "run" / "orca-tui"
    assert all(Path(path).parent == runtime for path in status["sockets"].values())
    text = orca("server", "status").out
    assert text.startswith(f"server default runs: version {__version__}, pid {pid}, up ")
    assert "1 pane, 0 UIs attached" in text


def test_the_directory_and_the_sockets_are_private(orca: Orca, home: Home) -> None:
    orca("server", "start")

    runtime = home.root / "run" / "orca-tui"
    assert runtime.stat().st_mode & 0o777 == 0o700
    sockets = [path for path in runtime.iterdir() if path.is_socket()]
    assert len(sockets) == 4
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in sockets)


def test_without_a_server_status_says_so_and_exits_1(orca: Orca) -> None:
    result = orca("server", "status")

    assert (result.code, result.out) == (1, "")
    assert result.err == "orca-tui: no server 'default' runs; `orca-tui` and `orca-tui open` start one\n"
    assert orca("server", "status", "--json").error()["code"] == "unavailable"


@pytest.mark.parametrize(
    "command", [["list"], ["events"], ["server", "stop"], ["attach"], ["wait", "p1", "--status", "done"]]
)
def test_what_needs_a_server_starts_none(orca: Orca, command: list[str]) -> None:
    assert orca(*command).code == 1
    assert orca("server", "status").code == 1


def test_stop_ends_the_panes_and_takes_the_sockets_away(orca: Orca, home: Home) -> None:
    orca("open", "--", "cat")
    orca("open", "--", "cat")

    result = orca("server", "stop", "--yes")

    assert (result.code, result.out) == (0, "stopped; 2 panes ended\n")
    assert list((home.root / "run" / "orca-tui").glob("default.*")) == []


def test_a_server_is_started_again_right_after_it_was_stopped(orca: Orca) -> None:
    first = orca("server", "start", "--json").json()["pid"]
    orca("server", "stop")

    assert orca("server", "start", "--json").json()["pid"] != first


def test_stop_refuses_while_agents_run_unless_told_otherwise(orca: Orca) -> None:
    orca("open", "--agent", "claude", "--", "cat")

    refused = orca("server", "stop", "--json")

    assert (refused.code, refused.error()["code"]) == (3, "conflict")
    assert orca("list", "--json").lines()[0]["agent"] == "claude"
    assert orca("server", "stop", "-y", "--json").json() == {"closed": ["p1"]}


@pytest.mark.parametrize(("answer", "code"), [("n\n", 3), ("\n", 3), ("y\n", 0)])
def test_at_a_terminal_stop_asks(orca: Orca, home: Home, answer: str, code: int) -> None:
    orca("open", "--agent", "claude", "--", "cat")

    screen, status = at_a_terminal(home, ["server", "stop"], answer)

    assert "Stop the server and end them? [y/N]" in screen
    assert status == code


def crash(orca: Orca) -> None:
    """Kill the server; its programs go on."""
    server = psutil.Process(orca("server", "status", "--json").json()["pid"])
    server.kill()
    server.wait(COMMAND_TIMEOUT_S)


def test_a_restart_says_what_was_there(orca: Orca) -> None:
    assert "did not run and was started" in orca("server", "restart").out
    orca("open", "--", "cat")

    assert f"restarted: version {__version__}" in orca("server", "restart").out
    crash(orca)
    told = orca("server", "restart", "--json").json()

    assert (told["replaced"], told["panes"]) == (False, 1)
    assert [one["command"] for one in orca("list", "--json").lines()] == [["cat"]]


def test_a_stop_after_a_crash_ends_what_the_server_left(orca: Orca, home: Home) -> None:
    orca("open", "--", "cat")
    crash(orca)

    result = orca("server", "stop")

    assert (result.code, result.out) == (0, "stopped; 1 pane ended\n")
    assert list((home.root / "run" / "orca-tui").glob("default.*")) == []


ANOTHER_PROTOCOL = (
    "import sys, orca_tui.wire; orca_tui.wire.PROTOCOL += 1\n"
    "from orca_tui.__main__ import main; sys.argv[0] = 'orca-tui'; main()"
)


@contextmanager
def another_protocol(home: Home) -> Iterator[str]:
    """A server that speaks it, and has one pane; the program that it runs, and its pid."""
    command = [sys.executable, "-c", ANOTHER_PROTOCOL]
    with subprocess.Popen([*command, "server", "run"], env=home.variables, stderr=subprocess.DEVNULL) as old:
        socket = home.root / "run" / "orca-tui" / "default.wire"
        while not socket.exists():
            assert old.poll() is None
        opened = subprocess.run(
            [*command, "open", "--json", "--", "cat"], env=home.variables, capture_output=True, check=True
        )
        try:
            yield json.loads(opened.stdout)["pane"]
        finally:
            old.kill()


def test_a_server_of_another_protocol_is_replaced_and_its_panes_go_on(orca: Orca, home: Home) -> None:
    with another_protocol(home) as pane:
        refused = orca("list", "--json")
        told = orca("server", "restart", "--json").json()

    assert (refused.code, refused.error()["code"]) == (1, "protocol_mismatch")
    assert "`orca-tui server restart`" in refused.error()["message"]
    assert (told["replaced"], told["panes"]) == (True, 1)
    assert [one["pane"] for one in orca("list", "--json").lines()] == [pane]


def test_at_a_terminal_replacing_a_server_of_another_protocol_is_offered(home: Home) -> None:
    with another_protocol(home):
        screen, code = at_a_terminal(home, ["attach"], "n")

    assert "Restart the server? Every pane goes on." in screen
    assert code == 1


def test_several_starts_at_once_make_one_server(home: Home) -> None:
    starting = [home.spawn("server", "start", "--json") for _ in range(3)]
    answers = [process.communicate(timeout=COMMAND_TIMEOUT_S) for process in starting]

    told = [json.loads(out) for out, _ in answers]
    assert [process.returncode for process in starting] == [0, 0, 0]
    assert len({one["pid"] for one in told}) == 1
    assert sum(one["started"] for one in told) == 1


def test_servers_of_different_names_know_nothing_of_each_other(orca: Orca) -> None:
    orca("open", "--server", "one", "--", "cat")
    orca("server", "start", "--server", "two")

    assert len(orca("list", "--json", "--server", "one").lines()) == 1
    assert orca("list", "--json", ORCA_TUI_SERVER="two").lines() == []
    assert orca("--server", "one", "server", "status", "--json").json()["server"] == "one"


def test_an_option_beats_the_environment(orca: Orca) -> None:
    orca("server", "start", "--server", "one")

    assert orca("server", "status", "--server", "one", ORCA_TUI_SERVER="two").code == 0
    assert orca("server", "status", ORCA_TUI_SERVER="two").code == 1


def test_a_server_that_cannot_start_says_why(orca: Orca, home: Home) -> None:
    runtime = home.root / "run" / "orca-tui"
    runtime.mkdir(mode=0o700)
    (runtime / "default.http").write_text("in the way")

    result = orca("server", "start")

    assert result.code == 1
    assert "default.http is in the way" in result.err
    assert result.err.count("\n") == 1


def test_a_stuck_server_is_not_taken_for_none(orca: Orca, home: Home) -> None:
    pid = orca("server", "start", "--json").json()["pid"]
    with home.spawn("list") as listing:
        listing.communicate(timeout=COMMAND_TIMEOUT_S)
    assert listing.returncode == 0

    os.kill(pid, 9)

    assert orca("list").code == 1
    assert orca("open", "--", "cat").code == 0


def test_broken_settings_keep_no_server_from_starting(orca: Orca, home: Home) -> None:
    settings = home.root / "config" / "orca-tui" / "config.toml"
    settings.parent.mkdir()
    settings.write_text('[ui]\ntheem = "x"\n')

    assert orca("server", "start").code == 0
    assert "config.toml:2" in (home.root / "state" / "orca-tui" / "default.log").read_text()


def test_a_missing_engine_is_one_clear_sentence(home: Home) -> None:
    script = (
        "import sys; sys.modules['pyghostty'] = None\n"
        "from orca_tui.__main__ import main; sys.argv = ['orca-tui', 'server', 'start']; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=home.variables, capture_output=True, text=True, timeout=COMMAND_TIMEOUT_S, check=False,
    )  # fmt: skip

    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "pyghostty" in done.stderr


def at_a_terminal(home: Home, command: list[str], typed: str = "", **more: str) -> tuple[str, int]:
    """Run a command whose standard streams are a terminal; what the screen got, and the exit code."""
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "orca_tui", *command],
        env=home.variables | more, stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
    ) as process:  # fmt: skip
        os.close(slave)
        os.write(master, typed.encode())
        screen = b""
        try:
            while data := os.read(master, 65536):
                screen += data
        except OSError:
            pass  # EIO: the last holder of the terminal is gone.
    os.close(master)
    return screen.decode(), process.returncode

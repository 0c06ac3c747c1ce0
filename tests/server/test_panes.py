"""Panes with real programs: how they open, what is typed into them, how they end."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from orca_tui.base.errors import Conflict, Invalid, NotFound, OrcaError
from orca_tui.commands.keys import KEYS, KeysRequest
from orca_tui.commands.paste import PASTE, PasteRequest
from orca_tui.commands.read import READ, ReadRequest
from orca_tui.commands.targets import CLOSE, CloseRequest
from orca_tui.commands.type import TYPE, TypeRequest
from orca_tui.process import pty_io
from orca_tui.process.spawner import Program
from orca_tui.status.record import Status
from orca_tui.term.key_names import parse_key
from tests.server.rooms import Rooms
from tests.server.running import Api, Server, until

pytestmark = pytest.mark.anyio

MIB = 1 << 20


async def type_(api: Api, pane: str, text: str) -> None:
    await api.call(TYPE, TypeRequest(pane=pane, text=text))


async def test_what_a_program_writes_is_read_and_what_is_typed_reaches_it(api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "read line; echo got $line")

    await type_(api, pane, "hello\r")

    await api.shows(pane, "got hello")


async def test_a_pane_without_a_command_is_the_users_shell_in_the_callers_directory(api: Api) -> None:
    pane = await api.open()

    await type_(api, pane, "pwd; echo $ORCA_TUI_PANE $TERM_PROGRAM\r")
    await api.shows(pane, f"{pane} orca-tui")

    info = await api.info(pane)
    assert str(api.root) in await api.screen(pane)
    assert info.command == ("/bin/sh",)
    assert info.agent is None
    assert info.size == (120, 40)


async def test_an_exit_code_is_told_and_the_screen_stays(api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "echo last words; exit 7")

    info = await api.exits(pane)

    assert (info.status, info.exit_code, info.pid) == (Status.EXITED, 7, None)
    assert "last words" in await api.screen(pane)


async def test_a_signal_is_a_negative_exit_code(api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "kill -TERM $$")

    assert (await api.exits(pane)).exit_code == -15


async def test_a_program_that_cannot_be_run_leaves_its_reason_in_an_exited_pane(api: Api) -> None:
    script = api.root / "script"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    pane = await api.open(str(script))

    info = await api.info(pane)

    assert (info.status, info.exit_code) == (Status.EXITED, 127)
    assert f"command not found: {script}" in await api.screen(pane)


@pytest.mark.parametrize(
    ("options", "kind", "reason"),
    [
        ({"command": ("no-such-command",)}, NotFound, "command not found: no-such-command"),
        ({"command": ("/etc/passwd",)}, Invalid, "/etc/passwd cannot be run"),
        ({"cwd": "/no/such"}, NotFound, "the directory /no/such does not exist"),
        ({"cwd": "/etc/passwd"}, Invalid, "/etc/passwd is not a directory"),
        ({"agent": "codex"}, NotFound, "Codex is not installed.*npm install -g @openai/codex"),
    ],
)
async def test_what_cannot_be_run_is_refused_before_there_is_a_pane(
    api: Api, options: dict[str, Any], kind: type[OrcaError], reason: str
) -> None:
    with pytest.raises(kind, match=reason):
        await api.open(*options.pop("command", ()), **options)

    assert await api.panes() == {}


async def test_a_plain_shell_that_exits_well_takes_its_pane_along(api: Api) -> None:
    pane = await api.open()
    await type_(api, pane, "exit\r")

    async def gone() -> bool:
        return pane not in await api.panes()

    await until(gone, "the pane goes")


async def test_a_plain_shell_that_fails_and_a_command_that_ends_stay(api: Api) -> None:
    shell, command = await api.open(), await api.open("/bin/true")
    await type_(api, shell, "exit 3\r")

    assert (await api.exits(shell)).exit_code == 3
    assert (await api.exits(command)).exit_code == 0
    assert set(await api.panes()) == {shell, command}


async def test_an_agents_own_exit_leaves_its_pane(api: Api) -> None:
    pane = await api.open("/bin/true", agent="codex")

    info = await api.exits(pane)

    assert (info.agent, info.status) == ("codex", Status.EXITED)


async def test_a_paste_of_a_mebibyte_arrives_whole(api: Api) -> None:
    text = "".join(f"{number:07d} {'x' * 100}\n" for number in range(MIB // 109))
    target = api.root / "pasted"
    pane = await api.open("/bin/sh", "-c", f"stty -echo; echo ready; head -c {len(text)} >{target}; echo all")
    await api.shows(pane, "ready")

    await api.call(PASTE, PasteRequest(pane=pane, text=text))
    await api.shows(pane, "all")

    assert target.read_text() == text


async def test_a_program_that_reads_nothing_blocks_nobody(api: Api) -> None:
    deaf = await api.open("/bin/sh", "-c", "stty raw -echo; echo deaf; while :; do sleep 1; done")
    other = await api.open("/bin/sh", "-c", "read line; echo got $line")
    await api.shows(deaf, "deaf")

    for _ in range(4):
        await api.call(PASTE, PasteRequest(pane=deaf, text="x" * MIB))
    await type_(api, other, "through\r")

    await api.shows(other, "got through")


async def test_a_paste_is_bracketed_only_for_a_program_that_asked(api: Api) -> None:
    plain = await api.open("/bin/sh", "-c", "stty raw; echo ready; cat -v")
    asked = await api.open("/bin/sh", "-c", "stty raw; printf '\\033[?2004h'; echo ready; cat -v")
    for pane in (plain, asked):
        await api.shows(pane, "ready")
        await api.call(PASTE, PasteRequest(pane=pane, text="a\x1b[201~b"))

    await api.shows(asked, "^[[200~ab^[[201~")
    await api.shows(plain, "ab")
    assert "^[[200~" not in await api.screen(plain)


async def test_keys_are_encoded_as_the_program_asked(api: Api) -> None:
    plain = await api.open("/bin/sh", "-c", "stty raw -echo; echo ready; cat -v")
    application = await api.open("/bin/sh", "-c", "stty raw -echo; printf '\\033[?1h'; echo ready; cat -v")
    for pane in (plain, application):
        await api.shows(pane, "ready")
        await api.call(KEYS, KeysRequest(pane=pane, keys=("up", "ctrl+c", "alt+x")))

    await api.shows(plain, "^[[A^C^[x")
    await api.shows(application, "^[OA^C^[x")


async def test_shift_enter_is_a_new_line_for_an_agent_and_enter_for_a_shell(api: Api) -> None:
    command = ("/bin/sh", "-c", "stty raw -echo; echo ready; exec cat -vet")
    shell, agent = await api.open(*command), await api.open(*command, agent="cursor")
    for pane in (shell, agent):
        await api.shows(pane, "ready")
        await api.call(KEYS, KeysRequest(pane=pane, keys=("a", "shift+enter", "b")))

    await api.shows(shell, "a^Mb")
    await api.shows(agent, "a$")


async def test_an_unknown_key_is_invalid_and_presses_nothing(api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "stty raw -echo; echo ready; cat -v")
    await api.shows(pane, "ready")

    with pytest.raises(Invalid):
        await api.call(KEYS, KeysRequest(pane=pane, keys=("a", "no-such-key")))
    await api.call(KEYS, KeysRequest(pane=pane, keys=("b",)))

    await api.shows(pane, "b")
    assert "a" not in (await api.screen(pane)).replace("ready", "")


async def test_typing_into_an_exited_or_missing_pane_is_told(api: Api) -> None:
    pane = await api.open("/bin/true")
    await api.exits(pane)

    with pytest.raises(Conflict):
        await type_(api, pane, "x")
    with pytest.raises(NotFound):
        await type_(api, "p99", "x")


async def test_queries_of_a_program_are_answered_without_any_ui(api: Api) -> None:
    pane = await api.open(
        "/bin/bash", "-c", "stty raw -echo; printf '\\033[6n'; read -rd R reply; printf '%q' \"$reply\""
    )

    await api.shows(pane, "[1;1")


async def test_modes_that_a_program_leaves_behind_are_reset_when_it_ends(api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "printf 'main\\033[?1049h\\033[?1000halt'")
    await api.exits(pane)

    assert (await api.screen(pane)).split() == ["main", "alt"]


async def test_scrollback_is_read_apart_from_the_screen(api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "seq 1 100; printf end", size=(40, 10))
    await api.exits(pane)

    async def lines(**options: object) -> list[str]:
        request = ReadRequest(pane=pane, **options)  # type: ignore[arg-type]
        return (await api.call(READ, request)).text.split("\n")

    numbers = [str(number) for number in range(1, 101)]
    assert await lines() == [*numbers[91:], "end"]
    assert await lines(source="scrollback") == numbers[:91]
    assert await lines(source="all") == [*numbers, "end"]
    assert await lines(source="all", lines=2) == ["100", "end"]
    assert await lines(source="all", ansi=True) == [*numbers, "end"]


async def test_wrapped_lines_are_joined_and_colours_kept_on_request(api: Api) -> None:
    pane = await api.open("/bin/sh", "-c", "printf '%060d\\n\\033[31mred\\033[m 漢字\\n' 7", size=(40, 10))
    await api.exits(pane)

    async def text(**options: object) -> str:
        return (await api.call(READ, ReadRequest(pane=pane, **options))).text  # type: ignore[arg-type]

    assert (await text()).startswith("0" * 40 + "\n" + "0" * 19 + "7\nred 漢字")
    assert (await text(unwrap=True)).startswith("0" * 59 + "7\nred 漢字")
    assert "\x1b[31mred" in await text(ansi=True)
    with pytest.raises(Invalid):
        await text(ansi=True, unwrap=True)


async def test_closing_hangs_up_and_then_kills(api: Api, tmp_path: Path) -> None:
    polite = await api.open(
        "/bin/sh", "-c", f"trap 'echo bye >{tmp_path}/bye; exit' HUP; echo up; while :; do sleep 0.05; done"
    )
    deaf = await api.open("/bin/sh", "-c", "trap '' HUP; echo up; while :; do sleep 1; done")
    for pane in (polite, deaf):
        await api.shows(pane, "up")
    pids = [(await api.info(pane)).pid for pane in (polite, deaf)]

    for pane in (polite, deaf):
        assert (await api.call(CLOSE, CloseRequest(target=pane))).closed == (pane,)
    assert await api.panes() == {}

    async def gone() -> bool:
        return not any(pid is not None and _lives(pid) for pid in pids)

    await until(gone, "both programs end")
    assert (tmp_path / "bye").exists()


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_closed_pane_is_not_found_and_its_id_is_not_used_again(api: Api) -> None:
    first = await api.open("/bin/sh", "-c", "read x")
    await api.call(CLOSE, CloseRequest(target=first))

    with pytest.raises(NotFound):
        await api.info(first)
    assert await api.open("/bin/sh", "-c", "read x") != first


async def test_a_pane_that_is_closed_while_it_starts_leaves_nothing_behind(server: Server, api: Api) -> None:
    opening = asyncio.gather(*(api.open("/bin/sh", "-c", "read x") for _ in range(5)))
    await asyncio.sleep(0)
    for pane in tuple(await api.panes()):
        await api.call(CLOSE, CloseRequest(target=pane))

    await asyncio.gather(opening, return_exceptions=True)
    await api.stop()
    await server.task


async def test_keys_that_wait_behind_a_notice_reach_the_program_before_the_server_leaves(
    inside: Rooms, tmp_path: Path
) -> None:
    pane, target = inside.pane(), tmp_path / "line"
    program = Program(
        argv=("/bin/sh", "-c", f"read line; echo $line >{target}"),
        environment={},
        directory="/",
        cols=80,
        rows=24,
    )
    await pane.start(inside.session.parts.spawner, program)
    assert pane.master is not None
    terminal = os.dup(pane.master)  # Somebody holds it for the next server.
    pane.gate.hold()
    for name in ("a", "b", "enter"):
        pane.press(parse_key(name))

    pane.leave()

    async def arrived() -> bool:
        return target.exists() and target.read_text() == "ab\n"

    await until(arrived, "the line is read")
    os.close(terminal)


async def test_a_pane_that_was_left_says_that_it_takes_no_keys(inside: Rooms) -> None:
    pane = inside.pane()
    pane.leave()
    pane.gate.hold()  # By a notice of the last moment.

    with pytest.raises(Conflict):
        pane.press(parse_key("a"))


async def test_a_program_that_asks_endlessly_and_never_reads_fills_no_memory_with_answers(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pty_io, "MAX_QUEUED_BYTES", 4 * MIB)
    asks = r"stty raw -echo; yes $(printf '\033[6n') | head -c 8000000; echo over; while :; do sleep 1; done"
    pane = await api.open("/bin/sh", "-c", asks)
    await api.shows(pane, "over")

    await api.call(PASTE, PasteRequest(pane=pane, text="x" * (2 * MIB)))
    with pytest.raises(Conflict):
        await api.call(PASTE, PasteRequest(pane=pane, text="x" * (2 * MIB)))

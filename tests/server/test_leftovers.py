"""A program dies in front of its shell, and nothing of its modes reaches the shell."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from orca_tui.commands.list import LIST
from orca_tui.commands.spec import Empty
from orca_tui.commands.type import TYPE, TypeRequest
from orca_tui.process.table import SystemTable
from orca_tui.server.leftovers import Leftovers, own_shell
from orca_tui.server.panes import Pane
from orca_tui.term.engine import InputModes, MouseTracking
from orca_tui.term.input_events import Focus, Mouse, MouseAction, MouseButton
from orca_tui.term.key_names import parse_key
from orca_tui.wire import PaneView
from tests.server.rooms import Rooms
from tests.server.running import Api, Server, Ui, until

pytestmark = pytest.mark.anyio

SHELL = ("/bin/bash", "--norc", "--noprofile")
MODES = "\\033[?1003h\\033[?1006h\\033[?1004h\\033[>5u\\033[>4;2m"
TUI = "sh -c 'echo $$ > {pid}; stty raw -echo; printf \"{modes}here\"; exec cat > /dev/null'\r"
CLICK = Mouse(action=MouseAction.PRESS, button=MouseButton.LEFT, x=3, y=3)
MOVE = Mouse(action=MouseAction.MOVE, x=4, y=4)
CHANNEL = 1


# With real programs.


async def started(api: Api, modes: str) -> tuple[str, Path]:
    """A shell with a program in front that has set modes; the pane, and the file with the program's pid."""
    pid = api.root / "pid"
    pane = await api.open(*SHELL)
    await api.call(TYPE, TypeRequest(pane=pane, text=TUI.format(modes=modes, pid=pid)))
    await api.shows(pane, "\nhere")
    return pane, pid


async def prompts(api: Api, pane: str) -> None:
    """Wait until the shell shows a prompt with nothing behind it."""

    async def shown() -> bool:
        return (await api.screen(pane)).rstrip().endswith("\n$")

    await until(shown, "a prompt")


async def showing(server: Server, pane: str) -> Ui:
    ui = await server.ui()
    await ui.show(PaneView(pane=pane, channel=CHANNEL, cols=80, rows=24), focused=pane)
    return ui


def use(ui: Ui, *keys: str) -> None:
    """What somebody does with the mouse and the window, which a shell must not hear of, and then with the keyboard."""
    for event in (CLICK, MOVE, Focus(gained=False), Focus(gained=True), *map(parse_key, keys)):
        ui.press(CHANNEL, event)


async def test_after_a_program_was_killed_its_shell_gets_no_reports_and_keys_as_it_knows_them(
    server: Server, api: Api
) -> None:
    pane, pid = await started(api, MODES)
    ui = await showing(server, pane)
    use(ui)
    await ui.client.call(
        LIST, Empty()
    )  # What went before it on this connection has been given to the program.

    os.kill(int(pid.read_text()), signal.SIGKILL)
    await prompts(api, pane)
    use(ui, "x", "ctrl+u", *"echo", "space", *"alive$((1+1))", "enter")

    await api.shows(pane, "alive2")
    after = (await api.screen(pane)).rpartition("Killed")[2]
    assert [line for line in after.split("\n")[1:] if line][:2] == ["$ echo alive$((1+1))", "alive2"]


async def test_the_screen_before_a_killed_full_screen_program_comes_back_with_a_prompt(
    server: Server, api: Api
) -> None:
    pane, pid = await started(api, "before\\r\\n\\033[?1049h\\033[?1000h\\033[H\\n")
    assert "before" not in await api.screen(pane)

    os.kill(int(pid.read_text()), signal.SIGKILL)

    await api.shows(pane, "before")
    await prompts(api, pane)


# Rule by rule.


class Processes(SystemTable):
    """Who is in front of every terminal, and which groups there are."""

    def __init__(self, front: int, *living: int) -> None:
        self.front = front
        self.living = set(living)

    def foreground_group(self, master: int) -> int | None:
        return self.front

    def group_exists(self, group: int) -> bool:
        return group in self.living


class Child:
    """A shell that was started."""

    pid, master = 10, 99

    def resize(self, cols: int, rows: int) -> None:
        pass

    def hang_up(self) -> None:
        pass

    def close(self) -> None:
        pass


OTHER = 20


def left(inside: Rooms, processes: Processes, *, command: str = "bash") -> tuple[Pane, Leftovers]:
    """A pane whose front program has turned the mouse on."""
    pane, leftovers = inside.pane(), Leftovers(processes)
    pane.facts.command = (command,)
    pane._child = Child()  # type: ignore[assignment]
    pane.feed(b"\x1b[?1003h\x1b[>5u")
    leftovers.wrote(pane)
    pane._gone.set()
    return pane, leftovers


async def test_while_the_program_lives_nothing_is_reset(inside: Rooms) -> None:
    processes = Processes(OTHER, OTHER)
    pane, leftovers = left(inside, processes)

    leftovers.reset(pane)
    processes.front = Child.pid  # It was stopped.
    leftovers.reset(pane)

    assert pane.engine.modes().mouse is MouseTracking.ANY


async def test_once_it_is_dead_and_the_shell_in_front_all_is_reset_once(inside: Rooms) -> None:
    pane, leftovers = left(inside, Processes(OTHER, OTHER))
    leftovers._processes = Processes(Child.pid)

    leftovers.reset(pane)
    assert pane.engine.modes() == InputModes()
    pane.feed(b"\x1b[?1003h")
    leftovers.reset(pane)

    assert pane.engine.modes().mouse is MouseTracking.ANY


async def test_what_is_set_in_the_shells_own_group_is_left_alone(inside: Rooms) -> None:
    pane, leftovers = left(inside, Processes(Child.pid))

    leftovers.reset(pane)

    assert pane.engine.modes().mouse is MouseTracking.ANY


async def test_a_program_that_is_no_shell_keeps_its_modes_when_its_children_end(inside: Rooms) -> None:
    pane, leftovers = left(inside, Processes(OTHER), command="lazygit")
    leftovers._processes = Processes(Child.pid)

    leftovers.reset(pane)

    assert pane.engine.modes().mouse is MouseTracking.ANY


async def test_a_shell_with_keyboard_modes_of_its_own_keeps_them(inside: Rooms) -> None:
    pane, leftovers = left(inside, Processes(OTHER), command="/usr/bin/fish")
    leftovers._processes = Processes(Child.pid)

    leftovers.reset(pane)

    assert pane.engine.modes() == InputModes(kitty_flags=5)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (("/bin/bash",), "bash"),
        (("/bin/bash", "--norc", "-i"), "bash"),
        (("/usr/bin/nu",), "nu"),
        (("fish", "-l"), "fish"),
        (("bash", "-c", "htop"), None),
        (("bash", "script.sh"), None),
        (("htop",), None),
        (("claude",), None),
        ((), None),
    ],
)
def test_an_interactive_shell_is_told_from_one_that_runs_something(
    command: tuple[str, ...], name: str | None
) -> None:
    assert own_shell(command) == name

"""Has the user's plugins hosted: starts the host when there are plugin files, watches it, ends what does harm.

Rule 1: there is a host as long as there is a plugin file; plugins are set up and disposed by it alone.
Rule 2: a plugin that breaks a limit ends with the host, which then starts again without it (`plugin_limits.py`).
Rule 3: a changed file, and `plugins reload`, lift what was decided about a plugin, and end the rest after a crash.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Collection
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from orca_tui.base.errors import NotFound, PluginFailed, Refused, SpawnFailed, TimedOut
from orca_tui.commands.plugin_host import (
    AnswerRequest,
    NotifyRequest,
    OrderItem,
    ReloadOrder,
    ReportRequest,
    RunOrder,
    Stopped,
)
from orca_tui.commands.plugins import Fault, PluginRow, PluginState
from orca_tui.plugins.folder import plugin_paths, read_folder
from orca_tui.process.helper import Helper, HelperProgram
from orca_tui.server.dispatch import Caller
from orca_tui.server.plugin_board import PluginBoard, file_name
from orca_tui.server.plugin_life import Life
from orca_tui.server.plugin_limits import FORGOTTEN_AFTER_S, Breach, blame, breach, delay_s, leaking
from orca_tui.wire import Told

if TYPE_CHECKING:
    from orca_tui.server.session import Session

FOLDER_LOOK_S = 5.0
"""A look at one folder, while nothing is in it, is less than a thread that waits for it: watchfiles wakes for
every step, and the server of somebody without plugins should do nothing. Who asks for the plugins has it look too."""
HOST_LOOK_S = 1.0
START_WITHIN_S = 30.0
"""Python and our modules take a third of a second, on a busy machine ten times that."""
FINISH_WITHIN_S = 3.0
"""A server that stops waits so long for plugins to be disposed."""
STACKS = 8
"""Dumps of a host that is busy, not stuck: in most of them the one who is to blame is at work."""

OFF = Fault(doing="host", kind="off", message="plugins are switched off in the settings")

logger = logging.getLogger(__name__)


class PluginHosting:
    """Of one server. Inert until `begin`."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._folder = session.parts.paths.plugins_dir
        self._settings = session.parts.config.plugins
        self._board = PluginBoard(self._folder, session.uis.tell, session.now)
        self._stopped: dict[str, Stopped] = {}
        self._crashes: list[float] = []
        self._life: Life | None = None
        self._task: asyncio.Task[None] | None = None
        self._closing = False
        self._again = asyncio.Event()
        """Somebody wants a host now."""
        self._wait_s = 0.0

    def begin(self) -> None:
        """From now on plugins are hosted, if the server can and the settings want it."""
        program = self._session.parts.plugin_host
        if program is not None and self._settings.enabled:
            self._task = self._session.tasks.start(self._host(program), "host plugins")

    async def close(self) -> None:
        """The server stops: plugins are disposed, within a reasonable time."""
        self._closing = True
        self._again.set()
        if self._life is not None:
            self._life.finish(self._monotonic())
        if self._task is None:
            return
        await asyncio.wait({self._task}, timeout=FINISH_WITHIN_S)
        if self._life is not None:
            self._life.helper.kill()
            await asyncio.wait({self._task}, timeout=FINISH_WITHIN_S)

    # What people ask

    def rows(self) -> tuple[PluginRow, ...]:
        """How they stand."""
        unknown = self._board.unknown()
        if self._task is None:
            return tuple(self._board.changed_to(row, PluginState.STOPPED, OFF) for row in unknown)
        if unknown:
            self._hurry()
        return self._board.all()

    async def reload(self, id: str) -> PluginRow:
        """Set a plugin up again; raises `PluginFailed` with the fault, `NotFound`."""
        row = self._board.find(id)
        if self._task is None:
            raise failed(id, OFF)
        self._stopped.pop(file_name(row.file), None)
        life = self._life
        if life is None or life.condemned or row.file not in {known.file for known in life.report.plugins}:
            self._hurry()
            starting = self._board.changed_to(row, PluginState.STARTING, None)
            rows = self._board.all()
            self._board.show(tuple(starting if one.file == row.file else one for one in rows))
            return await self._begun(row.file)
        fault = await life.ask(lambda number: ReloadOrder(number=number, plugin=row.id))
        if fault is not None:
            raise failed(id, fault)
        return self._board.is_tried(row.file) or row

    async def _begun(self, file: str) -> PluginRow:
        """How a plugin stands once a host has tried it."""
        limit_s = START_WITHIN_S + self._settings.setup_s
        try:
            async with asyncio.timeout(limit_s):
                row = await self._board.tried(file)
        except TimeoutError:
            raise TimedOut(f"{file} was not set up within {limit_s:g} s") from None
        if row.fault is not None:
            raise failed(row.id, row.fault)
        return row

    def _hurry(self) -> None:
        """Somebody waits for a host: it need not be waited for any longer."""
        if self._life is None or self._life.condemned:
            self._again.set()

    async def run(self, id: str, command: str, pane: str | None) -> None:
        """Run a command of a plugin to its end; raises `PluginFailed`, `NotFound`."""
        row = self._board.find(id)
        if row.state is PluginState.STARTING and self._task is not None:
            self._hurry()
            row = await self._begun(row.file)
        if not any(one.id == command for one in row.commands):
            offered = ", ".join(one.id for one in row.commands) or "none"
            raise NotFound(f"the plugin {id!r} has no command {command!r}; it has {offered}", plugin=id)
        if self._life is None:
            raise PluginFailed("the plugin host does not run", plugin=id)
        order = RunOrder(number=0, plugin=id, command=command, pane=pane)
        fault = await self._life.ask(lambda number: msgspec.structs.replace(order, number=number))
        if fault is not None:
            raise failed(id, fault)

    # What the host tells

    def orders(self, caller: Caller) -> AsyncGenerator[OrderItem, None]:
        """What the host is to do; raises `Refused` for anybody else."""
        life = self._life_of(caller)
        if life.attached:
            raise Refused("the plugin host follows its orders once")
        return life.orders(dict(self._stopped))

    def answered(self, answer: AnswerRequest, caller: Caller) -> None:
        self._life_of(caller).answered(answer)

    def reported(self, report: ReportRequest, caller: Caller) -> None:
        """How the plugins stand now."""
        life = self._life_of(caller)
        life.report, life.reported = report, True
        self._stopped = {
            name: stopped
            for name, stopped in self._stopped.items()
            if report.digests.get(name) == stopped.digest
        }
        self._board.show(report.plugins)

    def notify(self, request: NotifyRequest, caller: Caller) -> None:
        """A plugin has something to say."""
        text = f"{caller.plugin or 'a plugin'}: {request.text}"
        self._session.uis.tell(Told(text=text, severity=request.severity))

    def _life_of(self, caller: Caller) -> Life:
        if self._life is None or caller.pid not in (None, self._life.helper.pid):
            raise Refused("only the plugin host may say that")
        return self._life

    # Lives

    async def _host(self, program: HelperProgram) -> None:
        while await self._files():
            try:
                await self._live(await Helper.start(program))
            except SpawnFailed as error:
                self._crashed(error.message)
            await self._rest()

    async def _files(self) -> bool:
        """Return when there is a plugin file (Rule 1); False when the server stops."""
        while not self._closing and not plugin_paths(self._folder):
            self._board.show(())
            await self._pause(FOLDER_LOOK_S)
        return not self._closing

    async def _live(self, helper: Helper) -> None:
        """One life, to its end."""
        life = self._life = Life(helper, self._monotonic())
        if self._closing:
            life.finish(self._monotonic())
        try:
            code = await self._watch(life)
            if code is None:
                life.condemned = True  # What is asked for from now on is for the next.
                helper.kill()
                await helper.wait()
            elif not life.finishing:
                self._ended(life, code)
        finally:
            helper.kill()
            self._life = None
            life.over()
            helper.forget()

    async def _watch(self, life: Life) -> int | None:
        """Return when it has ended, with its exit code, or when it has to end."""
        every_s = min(HOST_LOOK_S, self._settings.blocked_after_s / 2)
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(every_s):
                    return await life.helper.wait()
            life.helper.bound_log()
            if await self._must_end(life):
                return None

    async def _must_end(self, life: Life) -> bool:
        now = self._monotonic()
        if life.finishing:
            return now - life.finishing_at > self._settings.setup_s + FINISH_WITHIN_S
        if life.look(now) is None:
            return False
        if not life.attached:
            late = now - life.started_at > START_WITHIN_S
            if late:
                self._crashed(f"it did not begin within {START_WITHIN_S:g} s")
            return late
        found = breach(
            life.looks,
            blocked_after_s=self._settings.blocked_after_s,
            memory_bytes=self._settings.memory_mb << 20,
        )
        if found is not None:
            return await self._judge(life, found)
        if life.report.stuck:
            fault = Fault(doing="host", kind="stuck", message="it went on after its end")
            self._stop(life, life.report.stuck, fault)
            return True
        if life.reported and not life.report.plugins:
            life.finish(now)
        return False

    async def _judge(self, life: Life, found: Breach) -> bool:
        """Rule 2; False when it was only late with its answer."""
        number = 1 if found.kind == "blocked" else STACKS
        dumps = [await life.helper.stacks() for _ in range(number)]
        if found.kind == "blocked" and not life.silent:
            return False
        files = self._files_of(life)
        guilty = blame(dumps, files, loop_only=found.kind == "blocked")
        if found.kind == "memory":
            guilty = leaking(life.grown_bytes, files) or guilty
        if guilty is None:
            self._crashed(f"some plugin {found.message}")
        else:
            fault = Fault(doing="host", kind=found.kind, message=f"it {found.message}", place=guilty.place)
            self._stop(life, (file_name(guilty.file),), fault)
        return True

    def _ended(self, life: Life, code: int) -> None:
        """It has ended by itself: by whom, if that can be told."""
        how = f"signal {-code}" if code < 0 else f"exit {code}"
        guilty = blame([life.helper.last_words()], self._files_of(life), loop_only=False)
        trying = life.report.trying
        message = f"the plugin host ended ({how})"
        if guilty is not None:
            fault = Fault(doing="host", kind="crash", message=message, place=guilty.place)
            self._stop(life, (file_name(guilty.file),), fault)
        elif len(trying) == 1 and code >= 0:  # A signal may have come from anywhere.
            fault = Fault(doing="host", kind="crash", message=f"{message} while it was set up")
            self._stop(life, trying, fault)
        else:
            self._crashed(message)

    def _files_of(self, life: Life) -> list[str]:
        return [row.file for row in life.report.plugins] or list(map(str, plugin_paths(self._folder)))

    def _stop(self, life: Life, names: Collection[str], fault: Fault) -> None:
        """Leave plugins out from now on, as they were told to be (Rule 2)."""
        digests = life.report.digests
        ids = {file_name(row.file): row.id for row in self._board.all()}
        self._stopped |= {
            name: Stopped(id=ids.get(name, name), digest=digests.get(name, ""), fault=fault) for name in names
        }
        self._board.show(
            tuple(
                self._board.changed_to(row, PluginState.STOPPED, fault)
                if file_name(row.file) in names
                else self._at_rest(row, PluginState.STARTING, row.fault)
                for row in self._board.all()
            )
        )

    def _crashed(self, message: str) -> None:
        """The host is gone, and nobody knows by whose doing."""
        now = self._monotonic()
        self._crashes = [at for at in self._crashes if now - at < FORGOTTEN_AFTER_S] + [now]
        self._wait_s = delay_s(len(self._crashes))
        times = "once" if len(self._crashes) == 1 else f"{len(self._crashes)} times"
        text = f"{message}; that was {times} in {FORGOTTEN_AFTER_S / 60:g} min, it starts again in {self._wait_s:g} s"
        logger.error("plugin host: %s", text)
        self._session.uis.tell(Told(text=text, severity="error"))
        fault = Fault(doing="host", kind="crash", message=text)
        rows = self._board.all()
        self._board.put(tuple(self._at_rest(row, PluginState.STOPPED, fault) for row in rows))

    def _at_rest(self, row: PluginRow, state: PluginState, fault: Fault | None) -> PluginRow:
        """How a plugin stands while there is no host; one that would not run anyway stands as before."""
        if row.state is PluginState.FAILED or file_name(row.file) in self._stopped:
            return row
        return self._board.changed_to(row, state, fault)

    async def _rest(self) -> None:
        """After a crash (rule 4 of the limits); a changed file ends it (Rule 3)."""
        until, self._wait_s = self._monotonic() + self._wait_s, 0.0
        before = self._digests()
        while not self._closing and (left := until - self._monotonic()) > 0:
            if await self._pause(min(HOST_LOOK_S, left)) or self._digests() != before:
                self._crashes.clear()
                return

    def _digests(self) -> dict[str, str]:
        return {name: file.digest for name, file in read_folder(self._folder).items()}

    async def _pause(self, seconds: float) -> bool:
        """Wait; True when somebody wants a host now."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._again.wait()
        wanted = self._again.is_set()
        self._again.clear()
        return wanted

    def _monotonic(self) -> float:
        return self._session.parts.clock.monotonic()


def failed(id: str, fault: Fault) -> PluginFailed:
    """A fault as the error of who asked."""
    return PluginFailed(f"plugin {id}: {fault.sentence()}", plugin=id, fault=msgspec.to_builtins(fault))

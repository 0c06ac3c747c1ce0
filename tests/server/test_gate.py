"""Before every command: what callers in panes of a real server may do, over the wire, HTTP and the command line."""

from __future__ import annotations

from typing import Any

import pytest

from orca_tui.base.errors import Conflict, InboxConflict, NotFound, OrcaError, Refused
from orca_tui.commands.agents import ALLOW, ConsentRequest
from orca_tui.commands.authority import GRANT, REVOKE, GrantRequest, RevokeRequest
from orca_tui.commands.events import EVENTS, EventsRequest, OpenedEvent, SeenEvent, StatusEvent, TitleEvent
from orca_tui.commands.explain import EXPLAIN, ExplainRequest
from orca_tui.commands.inbox import INBOX_CANCEL, INBOX_LIST, InboxCancelRequest, InboxListRequest
from orca_tui.commands.interrupt import INTERRUPT, InterruptRequest
from orca_tui.commands.keys import KEYS, KeysRequest
from orca_tui.commands.open import OPEN, OpenRequest
from orca_tui.commands.read import READ, ReadRequest
from orca_tui.commands.send import SEND, SendRequest
from orca_tui.commands.server_stop import SERVER_STOP, ServerStopRequest
from orca_tui.commands.spec import Command
from orca_tui.commands.targets import CLOSE, RENAME, CloseRequest, RenameRequest
from orca_tui.commands.type import TYPE, TypeRequest
from orca_tui.commands.ui import ATTACH, AttachRequest
from orca_tui.commands.wait import WAIT, WaitRequest
from orca_tui.config import Config, Control
from orca_tui.notices.events import Admitted
from orca_tui.server.dispatch import Caller
from orca_tui.server.handlers.notices import NoticeCommands
from orca_tui.status.events import SessionChanged
from orca_tui.status.record import Source, Status
from orca_tui.wire import Told
from tests.notices.notices import notice
from tests.server.insiders import Insider
from tests.server.rooms import Rooms
from tests.server.running import Api, Server, running_server, until

pytestmark = pytest.mark.anyio

TELLS = 'printf %s "$ORCA_TUI_TOKEN" > "$0.part"; mv "$0.part" "$0"; exec cat'


async def entered(server: Server, api: Api, **options: Any) -> tuple[str, Api]:
    """A new pane, and a client that is inside of it by its token."""
    file = server.root / f"token-{len(await api.panes())}"
    pane = await api.open("/bin/sh", "-c", TELLS, str(file), **{"agent": "amp"} | options)

    async def told() -> bool:
        return file.exists()

    await until(told, "the token is told")
    return pane, Api(await server.client(token=file.read_text()), server.root)


async def refused(api: Api, command: Command[Any, Any], request: Any) -> OrcaError:
    with pytest.raises(Refused) as raised:
        await api.call(command, request)
    return raised.value


def touching(pane: str) -> list[tuple[Command[Any, Any], Any]]:
    """Something of every kind that can be done with a pane."""
    return [
        (READ, ReadRequest(pane=pane)),
        (SEND, SendRequest(pane=pane, text="hi")),
        (WAIT, WaitRequest(pane=pane, status=(Status.UNKNOWN,))),
        (EXPLAIN, ExplainRequest(pane=pane)),
        (INBOX_LIST, InboxListRequest(pane=pane)),
        (TYPE, TypeRequest(pane=pane, text="x")),
        (KEYS, KeysRequest(pane=pane, keys=("enter",))),
        (INTERRUPT, InterruptRequest(pane=pane)),
        (RENAME, RenameRequest(target=pane, name="mine")),
        (CLOSE, CloseRequest(target=pane, force=True)),
    ]


OF_THE_SERVER: list[tuple[Command[Any, Any], Any]] = [
    (SERVER_STOP, ServerStopRequest(yes=True)),
    (ALLOW, ConsentRequest(agent="codex")),
    (OPEN, OpenRequest(command=("cat",), focus=True)),
    (GRANT, GrantRequest(pane="p1", over=("all",))),
]


async def test_another_pane_is_touched_in_no_way_and_the_own_one_in_every(server: Server, api: Api) -> None:
    other = await api.open("cat", agent="amp")
    own, inside = await entered(server, api)

    for command, request in touching(other):
        error = await refused(inside, command, request)
        assert (error.exit_code, error.facts["grant"]) == (5, f"orca-tui grant {own} {other}"), command.name
    for command, request in touching(own):
        await inside.call(command, request)

    assert set(await api.panes()) == {other}


async def test_a_tab_with_a_foreign_pane_in_it_is_not_closed(server: Server, api: Api) -> None:
    own, inside = await entered(server, api)
    other = await api.open("cat", agent="amp", split="right", beside=own)

    error = await refused(inside, CLOSE, CloseRequest(target="t1"))

    assert error.facts["beyond"] == [other]


async def test_the_server_its_uis_and_grants_are_for_those_outside(server: Server, api: Api) -> None:
    _, inside = await entered(server, api)

    for command, request in OF_THE_SERVER:
        await refused(inside, command, request)
    with pytest.raises(Refused):
        async for _ in inside.client.stream(ATTACH, AttachRequest(cols=80, rows=24)):
            pass
    await inside.call(OPEN, OpenRequest(command=("cat",)))


async def test_of_other_panes_names_and_statuses_are_told_and_nothing_that_was_said(
    server: Server, api: Api
) -> None:
    other = await api.open("/bin/sh", "-c", r"printf '\033]2;secret\007'; echo up; exec cat", name="api")
    await api.shows(other, "up")
    own, inside = await entered(server, api)

    listed = await inside.panes()
    got = await inside.info(other)

    assert listed[other] == got
    assert (got.name, got.status, got.title, got.command, got.cwd, got.pid) == (
        "api",
        Status.UNKNOWN,
        "",
        (),
        "",
        None,
    )
    assert listed[own].command


async def test_a_pane_that_names_the_session_of_another_one_reaches_none_of_its_notices(
    inside: Rooms,
) -> None:
    victim, caller = inside.pane("claude"), inside.pane("claude")
    notices = inside.session.notices
    for pane, session in ((victim, "ses_1"), (caller, "ses_2"), (caller, "ses_1")):
        named = SessionChanged(at=inside.clock.now(), source=Source.HOOK, session_id=session)
        inside.session.observe(pane.id, [named])
    one = notice("n1", session="ses_1")
    notices.advance("ses_1", Admitted(at=1.0, notice=one, situation=notices.situation(victim)))
    by = Caller(door="wire", pid=None, pane=caller.id)
    commands = NoticeCommands(inside.session, notices)

    for command, request in (
        (INBOX_LIST, InboxListRequest(pane="ses_1")),
        (INBOX_CANCEL, InboxCancelRequest(pane="ses_1", id="n1")),
    ):
        with pytest.raises(Refused):
            inside.session.gate.check(command, request, by)  # type: ignore[arg-type]

    assert (await commands.list_notices(InboxListRequest(pane=caller.id), by)).notices == ()
    with pytest.raises(InboxConflict):
        commands.cancel(InboxCancelRequest(pane=caller.id, id="n1"))
    assert notices.inbox_for_hook(caller.id, "ses_1") != "ses_1"


async def test_events_of_other_panes_are_told_without_words(server: Server, api: Api) -> None:
    own, inside = await entered(server, api)
    events = inside.client.stream(EVENTS, EventsRequest())
    await anext(events)

    say = r"printf '\033]7501;state=blocked:app=claude-code:message=rm\033\\\033]2;secret\007'; exec cat"
    other = await api.open("/bin/sh", "-c", say, agent="claude")
    await api.call(WAIT, WaitRequest(pane=other, status=(Status.WAITING,)))
    await api.call(RENAME, RenameRequest(target=other, name="x"))
    await api.call(TYPE, TypeRequest(pane=own, text="\x1b]2;mine\x07\n"))
    seen = []
    while not (seen and isinstance(seen[-1], TitleEvent)):
        seen.append((await anext(events)).event)

    assert seen[-1].pane == own
    assert {type(event) for event in seen[:-1]} <= {OpenedEvent, StatusEvent, SeenEvent}
    assert [one.message for one in seen if isinstance(one, StatusEvent) and one.to == Status.WAITING] == [
        None
    ]


async def test_what_a_pane_opened_it_may_drive_and_that_may_not_drive_it(server: Server, api: Api) -> None:
    own, inside = await entered(server, api)
    helper, in_helper = await entered(server, inside, split="right")
    third = await in_helper.open("cat", agent="amp")

    await inside.call(TYPE, TypeRequest(pane=third, text="from the first"))
    await inside.call(TYPE, TypeRequest(pane=helper, text="x"))
    error = await refused(in_helper, TYPE, TypeRequest(pane=own, text="x"))
    await in_helper.call(CLOSE, CloseRequest(target=helper))

    await inside.call(TYPE, TypeRequest(pane=third, text="x"))
    assert error.facts["grant"] == f"orca-tui grant {helper} {own}"
    assert {info.tab for pane, info in (await api.panes()).items() if pane in (own, helper)} == {"t1"}


async def test_a_program_splits_its_own_pane_and_not_the_focused_one(server: Server, api: Api) -> None:
    own, inside = await entered(server, api)
    other = await api.open("cat", agent="amp", focus=True)

    beside = await inside.open("cat", agent="amp", split="right")
    current = await inside.open("cat", agent="amp", tab="current")
    await refused(inside, OPEN, OpenRequest(command=("cat",), beside=other))

    panes = await api.panes()
    assert {panes[one].tab for one in (own, beside, current)} == {"t1"}
    assert panes[other].tab == "t2"


async def test_a_grant_opens_one_pane_and_a_revocation_shuts_it(server: Server, api: Api) -> None:
    other, third = await api.open("cat", agent="amp"), await api.open("cat", agent="amp")
    own, inside = await entered(server, api)

    granted = await api.call(GRANT, GrantRequest(pane=own, over=(other,)))
    sent = await inside.call(SEND, SendRequest(pane=other, text="hi"))
    await inside.call(TYPE, TypeRequest(pane=other, text="x"))
    await refused(inside, READ, ReadRequest(pane=third))
    await api.call(REVOKE, RevokeRequest(pane=own))
    await refused(inside, INBOX_CANCEL, InboxCancelRequest(pane=other, id=sent.id))

    assert granted.granted == (other,)
    assert (await api.panes())[own].granted == ()


async def test_a_refusal_is_in_the_log_without_words(
    server: Server, api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    other = await api.open("cat", agent="amp")
    own, inside = await entered(server, api)

    with caplog.at_level("INFO", logger="orca_tui.server.gate"):
        await refused(inside, SEND, SendRequest(pane=other, text="private words"))

    [line] = [one.getMessage() for one in caplog.records if one.name == "orca_tui.server.gate"]
    assert line == f"send from inside of {own} refused by rule 6"


async def test_who_could_grant_it_is_told_once_of_what_was_refused(server: Server, api: Api) -> None:
    other = await api.open("cat", agent="amp")
    own, inside = await entered(server, api)
    ui = await server.ui()

    for _ in range(3):
        await refused(inside, SEND, SendRequest(pane=other, text="x"))
    await refused(inside, SERVER_STOP, ServerStopRequest(yes=True))

    await ui.item(Told, lambda told: "server stop" in told.text)
    told = [item.text for item in ui.items if isinstance(item, Told)]
    assert told == [
        f"{own} was refused `send` for {other}; prefix and g in {own} grants it",
        f"{own} was refused `server stop` for more than panes; prefix and g in {own} grants it",
    ]


async def test_a_notice_from_a_pane_says_so_and_its_pane_sees_no_others(server: Server, api: Api) -> None:
    other = await api.open("cat", agent="amp")
    own, inside = await entered(server, api)
    await api.call(SEND, SendRequest(pane=other, text="of the user"))
    await api.call(GRANT, GrantRequest(pane=own, over=(other,)))
    sent = await inside.call(SEND, SendRequest(pane=other, text="of the pane"))
    await api.call(REVOKE, RevokeRequest(pane=own))

    [told] = (await inside.call(INBOX_LIST, InboxListRequest())).notices

    assert (told.id, told.origin.kind, told.origin.name) == (sent.id, "pane", own)
    assert len((await api.call(INBOX_LIST, InboxListRequest())).notices) == 2


async def test_a_grant_of_the_tab_is_for_words_and_one_of_all_for_everything_but_grants(
    server: Server, api: Api
) -> None:
    own, inside = await entered(server, api)
    beside, apart = (
        await api.open("cat", agent="amp", split="right", beside=own),
        await api.open("cat", agent="amp"),
    )

    await api.call(GRANT, GrantRequest(pane=own, over=("tab",)))
    await inside.call(READ, ReadRequest(pane=beside))
    await refused(inside, TYPE, TypeRequest(pane=beside, text="x"))
    await refused(inside, READ, ReadRequest(pane=apart))
    await api.call(GRANT, GrantRequest(pane=own, over=("all",)))
    await inside.call(CLOSE, CloseRequest(target=apart))
    await refused(inside, GRANT, GrantRequest(pane=own, over=(beside,)))
    await api.open("cat", agent="claude")
    with pytest.raises(Conflict):
        await inside.call(SERVER_STOP, ServerStopRequest())


@pytest.mark.parametrize(("authority", "reads", "types"), [("tab", True, False), ("all", True, True)])
async def test_the_setting_says_what_holds_without_a_grant(
    anyio_backend: str, authority: Any, reads: bool, types: bool
) -> None:
    async with running_server(Config(control=Control(authority=authority))) as server:
        api = Api(await server.client(), server.root)
        own, inside = await entered(server, api)
        other = await api.open("cat", agent="amp", split="right", beside=own)
        found = []
        for command, request in ((READ, ReadRequest(pane=other)), (TYPE, TypeRequest(pane=other, text="x"))):
            try:
                await inside.call(command, request)
                found.append(True)
            except Refused:
                found.append(False)

    assert found == [reads, types]


async def test_what_outlives_its_pane_may_do_nothing_but_ask_for_names(server: Server, api: Api) -> None:
    other = await api.open("cat", agent="amp")
    own, inside = await entered(server, api)
    await api.call(CLOSE, CloseRequest(target=own))

    assert list(await inside.panes()) == [other]
    error = await refused(inside, SEND, SendRequest(pane=other, text="x"))

    assert "its pane is gone" in error.message
    assert "grant" not in error.facts


async def test_a_pane_that_is_not_there_is_not_found(server: Server, api: Api) -> None:
    _, inside = await entered(server, api)

    with pytest.raises(NotFound):
        await inside.call(READ, ReadRequest(pane="p99"))


async def test_leaving_the_token_out_or_showing_another_gains_nothing_at_any_door(
    server: Server, api: Api
) -> None:
    other, owner = await entered(server, api)
    insider = await Insider.open(server, api)
    others_token = (server.root / "token-0").read_text()

    ways = [
        await insider.http("POST", f"/v1/panes/{other}/notices", {"text": "x"}, token=token)
        for token in ("", others_token)
    ]
    ended = await insider.http("DELETE", f"/v1/panes/{other}", way="orphan")
    read = await insider.http("GET", f"/v1/panes/{other}/text", way="setsid")
    command = await insider.orca("send", other, "x")
    restarted = await insider.orca("server", "restart")
    local = [await insider.orca("plugin", word, way="setsid") for word in ("install", "remove", "status")]
    borrowed = await insider.orca("close", other, "--force", token=others_token, way="setsid")
    own = await insider.http("GET", f"/v1/panes/{insider.pane}/text")

    assert [status for status, _ in (*ways, ended, read)] == [403] * 4
    assert ways[0][1]["error"]["grant"] == f"orca-tui grant {insider.pane} {other}"
    assert (command.code, command.error()["code"]) == (5, "refused")
    assert (borrowed.code, restarted.code, restarted.error()["grant"]) == (
        5,
        5,
        f"orca-tui grant {insider.pane} all",
    )
    assert [done.code for done in local] == [5, 5, 0]
    assert local[0].error()["grant"] == f"orca-tui grant {insider.pane} all"
    assert own[0] == 200
    assert other in await owner.panes()

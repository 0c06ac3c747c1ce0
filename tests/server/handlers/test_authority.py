"""grant, revoke, grants, whoami."""

from __future__ import annotations

import pytest

from orca_tui.base.errors import Invalid, NotFound
from orca_tui.commands.authority import (
    GRANT,
    GRANTS,
    REVOKE,
    WHOAMI,
    GrantRequest,
    Grants,
    RevokeRequest,
    WhoamiReply,
)
from orca_tui.commands.spec import Empty
from orca_tui.commands.targets import CLOSE, CloseRequest
from tests.server.running import Api

pytestmark = pytest.mark.anyio


async def test_grants_add_up_and_are_listed_until_they_are_revoked(api: Api) -> None:
    one, other = await api.open("cat"), await api.open("cat")

    await api.call(GRANT, GrantRequest(pane=one, over=(other,)))
    both = await api.call(GRANT, GrantRequest(pane=one, over=("tab", other)))
    listed = (await api.call(GRANTS, Empty())).grants
    less = await api.call(REVOKE, RevokeRequest(pane=one, over=(other,)))
    none = await api.call(REVOKE, RevokeRequest(pane=one))

    assert both == Grants(pane=one, granted=(other, "tab"))
    assert listed == (both,)
    assert (less.granted, none.granted) == (("tab",), ())
    assert (await api.call(GRANTS, Empty())).grants == ()


async def test_a_grant_over_a_pane_that_was_closed_is_gone(api: Api) -> None:
    one, other = await api.open("cat"), await api.open("cat")
    await api.call(GRANT, GrantRequest(pane=one, over=(other,)))

    await api.call(CLOSE, CloseRequest(target=other))

    assert (await api.call(GRANTS, Empty())).grants == ()


async def test_what_makes_no_sense_is_refused_as_a_whole(api: Api) -> None:
    one, other = await api.open("cat"), await api.open("cat")

    with pytest.raises(NotFound):
        await api.call(GRANT, GrantRequest(pane=one, over=(other, "p99")))
    with pytest.raises(NotFound):
        await api.call(GRANT, GrantRequest(pane=one, over=("own",)))
    with pytest.raises(Invalid, match="already"):
        await api.call(GRANT, GrantRequest(pane=one, over=(one,)))
    with pytest.raises(Invalid, match="was not granted"):
        await api.call(REVOKE, RevokeRequest(pane=one, over=(other,)))

    assert (await api.call(GRANTS, Empty())).grants == ()


async def test_who_is_outside_is_told_so(api: Api) -> None:
    assert await api.call(WHOAMI, Empty()) == WhoamiReply(pane=None, authority="all")

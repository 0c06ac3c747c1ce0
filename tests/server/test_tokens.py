"""Which pane a token belongs to."""

from __future__ import annotations

from orca_tui.base.ids import PaneId
from orca_tui.server.tokens import Tokens

ONE, OTHER = PaneId("p1"), PaneId("p2")


def test_a_token_names_its_own_pane_and_no_other() -> None:
    tokens = Tokens()
    one, other = tokens.give(ONE), tokens.give(OTHER)

    assert one != other
    assert (tokens.pane_of(one), tokens.pane_of(other)) == (ONE, OTHER)


def test_unknown_empty_and_odd_tokens_name_nobody() -> None:
    tokens = Tokens()
    token = tokens.give(ONE)

    for wrong in (
        "",
        token[:-1],
        token + "x",
        token.swapcase(),
        "é\udcff".encode("utf-8", "replace").decode(),
    ):
        assert tokens.pane_of(wrong) is None


def test_a_closed_panes_token_names_nobody() -> None:
    tokens = Tokens()
    token = tokens.give(ONE)

    tokens.forget(ONE)
    tokens.forget(ONE)

    assert tokens.pane_of(token) is None

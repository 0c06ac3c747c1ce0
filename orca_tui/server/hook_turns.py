"""Which turn an agent's hooks speak of, and what may come in at each. Pure; one value per pane.

Rule 1: a prompt with the id of the running turn waits for that turn. It may be taken back, so nothing is added to it.
Rule 2: a bell that joins a running turn wakes nobody: what it was rung for comes in at the end of that turn.
Rule 3: a prompt that has waited becomes a turn without a hook; the first hook with another id tells of it.
Rule 4: a turn is kept from its end so often in a row as its agent allows, whoever does it.
Rule 5: an end that was answered is none. Who reports ends tells each once, as they are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from orca_tui.agents.notice_hooks import Boundary, HookCall


@dataclass(frozen=True, kw_only=True, slots=True)
class HookTurn:
    """The turn that hooks spoke of last."""

    id: str | None = None
    ends: int = 0
    """How often it was about to end."""
    kept: int = 0
    """How often a notice kept it from that."""
    told: int = 0
    """How many of its ends were reported."""


def asked(turn: HookTurn, call: HookCall, most_ends: int) -> tuple[HookTurn, bool]:
    """The turn after a hook has asked, and whether it may take something along."""
    same = call.turn is not None and call.turn == turn.id
    match call.boundary:
        case Boundary.PROMPT | Boundary.BELL:
            return (turn, False) if same else (HookTurn(id=call.turn), True)  # Rules 1 and 2.
        case Boundary.TOOL:
            return (turn if same else HookTurn(id=call.turn)), True
        case Boundary.END:
            turn = turn if same else HookTurn(id=call.turn)  # Rule 3.
            turn = replace(turn, ends=turn.ends + 1)
            return turn, turn.ends <= most_ends


def kept(turn: HookTurn) -> HookTurn:
    """The end that was asked for last is none."""
    return replace(turn, kept=turn.kept + 1)


def end_told(turn: HookTurn, turn_id: str | None) -> tuple[HookTurn, bool]:
    """After the end of a turn was reported, and whether it goes on."""
    if turn_id is None or turn_id != turn.id:
        return turn, False
    turn = replace(turn, told=turn.told + 1)
    return turn, turn.told <= turn.kept

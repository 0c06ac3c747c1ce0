"""What a pressed key means: ours or the child's. Pure: (state, event) -> (state, effects).

Rule 1: a key that is bound without the prefix is ours; every other key is the child's, unless the prefix
        was pressed before it.
Rule 2: after the prefix the next key is ours, whatever it is: its action, or nothing (it is told so).
Rule 3: the prefix after the prefix goes to the child.
Rule 4: escape after the prefix takes the prefix back.
Rule 5: after an action that repeats, its like may follow for half a second without the prefix; any other key
        ends that and means what it always means.
Rule 6: when nothing follows the prefix for a moment, the keys that could are shown, until one does.
Rule 7: releases are the child's when their press was; they mean nothing to us.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, assert_never

import msgspec

from orca_tui.term.input_events import Key, KeyAction
from orca_tui.term.key_codes import MODIFIER_KEYS
from orca_tui.ui.actions import ACTIONS_BY_ID
from orca_tui.ui.keymap import Keymap, names

HINTS_AFTER_S = 0.6
"""Long enough that somebody who knows the key never sees the list."""
REPEAT_S = 0.5


class State(msgspec.Struct, frozen=True, kw_only=True):
    """`prefixed`: the prefix was pressed. `repeat_until`: actions that repeat need no prefix until then."""

    prefixed: bool = False
    hints: bool = False
    repeat_until: float = float("-inf")
    ours: frozenset[str] = frozenset()
    """Keys whose press was ours, until they are released."""


class Pressed(msgspec.Struct, frozen=True, kw_only=True):
    key: Key
    at: float


class HintsDue(msgspec.Struct, frozen=True, kw_only=True):
    """`HINTS_AFTER_S` went by since the prefix."""


Event: TypeAlias = Pressed | HintsDue


class Send(msgspec.Struct, frozen=True, kw_only=True):
    """The key is the child's."""

    key: Key


class Run(msgspec.Struct, frozen=True, kw_only=True):
    action: str


class Unbound(msgspec.Struct, frozen=True, kw_only=True):
    """A key after the prefix that does nothing."""

    name: str


class Awaiting(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a key after the prefix is awaited now; `hints`: with the list of keys."""

    prefixed: bool
    hints: bool


Effect: TypeAlias = Send | Run | Unbound | Awaiting


def advance(state: State, event: Event, keymap: Keymap) -> tuple[State, tuple[Effect, ...]]:
    """Take one key, or the end of the wait for one."""
    match event:
        case HintsDue():
            if not state.prefixed or state.hints:
                return state, ()
            return msgspec.structs.replace(state, hints=True), (Awaiting(prefixed=True, hints=True),)
        case Pressed(key=key) if key.action is KeyAction.RELEASE:
            return _released(state, key)
        case Pressed(key=key) if key.key in MODIFIER_KEYS:
            # Shift is pressed on the way to the key after the prefix; it is that key which counts.
            return state, () if state.prefixed else (Send(key=key),)
        case Pressed(key=key, at=at):
            return _pressed(state, key, at, keymap)
        case _:
            assert_never(event)


def _released(state: State, key: Key) -> tuple[State, tuple[Effect, ...]]:
    if key.key in state.ours:
        return msgspec.structs.replace(state, ours=state.ours - {key.key}), ()
    return state, (Send(key=key),)


def _pressed(state: State, key: Key, at: float, keymap: Keymap) -> tuple[State, tuple[Effect, ...]]:
    if state.prefixed:
        return _after_prefix(state, key, at, keymap)
    called = names(key)
    if keymap.prefix in called:
        state = msgspec.structs.replace(
            _taken(state, key), prefixed=True, hints=False, repeat_until=float("-inf")
        )
        return state, (Awaiting(prefixed=True, hints=False),)
    repeated = _bound(called, keymap.after_prefix)
    if at < state.repeat_until and repeated is not None and ACTIONS_BY_ID[repeated].repeats:
        return msgspec.structs.replace(_taken(state, key), repeat_until=at + REPEAT_S), (
            Run(action=repeated),
        )
    action = _bound(called, keymap.direct)
    if action is not None:
        return _taken(state, key), (Run(action=action),)
    state = msgspec.structs.replace(state, repeat_until=float("-inf"), ours=state.ours - {key.key})
    return state, (Send(key=key),)


def _after_prefix(state: State, key: Key, at: float, keymap: Keymap) -> tuple[State, tuple[Effect, ...]]:
    over = Awaiting(prefixed=False, hints=False)
    state = msgspec.structs.replace(state, prefixed=False, hints=False)
    called = names(key)
    if keymap.prefix in called:
        return msgspec.structs.replace(state, ours=state.ours - {key.key}), (over, Send(key=key))
    state = _taken(state, key)
    action = _bound(called, keymap.after_prefix)
    if action is None:
        return state, (over,) if key.key == "escape" else (over, Unbound(name=called[0]))
    if ACTIONS_BY_ID[action].repeats:
        state = msgspec.structs.replace(state, repeat_until=at + REPEAT_S)
    return state, (over, Run(action=action))


def _taken(state: State, key: Key) -> State:
    return msgspec.structs.replace(state, ours=state.ours | {key.key})


def _bound(called: tuple[str, ...], keys: Mapping[str, str]) -> str | None:
    return next((keys[name] for name in called if name in keys), None)

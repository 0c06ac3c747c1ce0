"""The table of actions."""

from __future__ import annotations

import inspect

import pytest

from orca_tui.ui.action import Action
from orca_tui.ui.actions import ACTIONS, ACTIONS_BY_ID, TOPICS
from orca_tui.ui.gestures import MENU
from orca_tui.ui.operations import Operations

PARTS = {name: part for name, part in inspect.get_annotations(Operations, eval_str=True).items()}


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_every_action_has_a_method_that_takes_its_argument(action: Action) -> None:
    part, method = action.handler.split(".")

    signature = inspect.signature(getattr(PARTS[part], method))

    parameters = list(signature.parameters)[1:]
    assert len(parameters) == (0 if action.argument is None else 1)


def test_ids_are_unique_and_every_action_belongs_to_a_topic() -> None:
    assert len(ACTIONS_BY_ID) == len(ACTIONS)
    assert [action for actions in TOPICS.values() for action in actions] == list(ACTIONS)


def test_everything_is_said_in_words() -> None:
    for action in ACTIONS:
        assert action.title
        assert action.description.endswith(".")


def test_the_menu_offers_actions_that_there_are() -> None:
    assert set(MENU) <= set(ACTIONS_BY_ID)

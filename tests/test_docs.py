"""What the documents say of settings and actions is what there is."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from orca_tui import config
from orca_tui.agents.registry import Agents
from orca_tui.agents.rules_regions import Region
from orca_tui.ui.actions import ACTIONS
from orca_tui.ui.keymap import keymap

SETTINGS = (Path(__file__).parent.parent / "docs" / "settings.md").read_text()
EXAMPLE, RULES = (part.split("```")[0] for part in SETTINGS.split("```toml\n")[1:])
NUMBERED = {f"tab_{number}" for number in range(1, 9)}


def test_the_example_is_a_file_that_can_be_used() -> None:
    settings = config.parse(EXAMPLE, "docs/settings.md")

    assert keymap(settings.keys)


def test_the_example_names_every_setting() -> None:
    example = tomllib.loads(EXAMPLE)

    assert set(example) == set(config.Config.__struct_fields__)
    assert set(example["ui"]) == set(config.Ui.__struct_fields__)
    assert set(example["keys"]) == set(config.Keys.__struct_fields__)
    assert set(example["notifications"]) == set(config.Notifications.__struct_fields__)
    assert set(example["persistence"]) == set(config.Persistence.__struct_fields__)
    assert set(example["control"]) == set(config.Control.__struct_fields__)
    assert set(example["plugins"]) == set(config.Plugins.__struct_fields__)
    assert set(example["terminal"]) == set(config.Terminal.__struct_fields__)
    agents = {field for agent in example["agents"].values() for field in agent}
    assert agents == set(config.AgentSettings.__struct_fields__)


def test_the_example_of_rules_and_agents_can_be_used() -> None:
    settings = config.parse(EXAMPLE, "docs/settings.md")

    agents = Agents.configured(settings.agents, lambda _: RULES)

    assert {rule.id for rule in agents.rules("my-bot").rules} == {"approval", "spinner", "transcript"}
    assert agents.names() == (*config.BUILT_IN_AGENTS, "my-bot")


def test_every_region_and_every_setting_of_an_agent_is_documented() -> None:
    assert all(f"| `{region}` |" in SETTINGS for region in Region)
    assert all(f"`{name}`" in SETTINGS for name in config.AgentSettings.__struct_fields__)
    assert all(f"`{name}`" in SETTINGS for name in config.BUILT_IN_AGENTS)


def test_the_example_shows_the_defaults_but_for_bindings() -> None:
    settings = config.parse(EXAMPLE, "docs/settings.md")
    defaults = config.Config()

    assert (settings.ui, settings.notifications, settings.terminal, settings.plugins) == (
        defaults.ui,
        defaults.notifications,
        defaults.terminal,
        defaults.plugins,
    )


def test_every_action_is_listed_with_its_keys() -> None:
    rows = dict(re.findall(r"^\| `(\w+)`[^|]*\| ([^|]*) \|", SETTINGS, re.MULTILINE))

    for action in ACTIONS:
        if action.id not in NUMBERED | {"tab_0", "tab_9"}:
            assert [f"`{key}`" for key in action.keys] == rows[action.id].split(", "), action.id

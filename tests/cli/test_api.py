"""The schema on the command line."""

from __future__ import annotations

import json

from orca_tui.commands.schema import schema
from orca_tui.commands.table import COMMANDS
from tests.cli.conftest import Orca


def test_the_schema_is_that_of_the_table(orca: Orca) -> None:
    expected = json.loads(json.dumps(schema(COMMANDS)))

    assert json.loads(orca("api", "schema").out) == expected
    assert orca("api", "schema", "--json").json() == expected

"""The tests that the plugin's sources have in their own language."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import status_plugin

TESTS = sorted((Path(status_plugin.__file__).parent / "tests").glob("*.test.mjs"))


@pytest.mark.parametrize("file", TESTS, ids=lambda file: file.name)
def test_the_sources_pass_their_own_tests(node_path: str, file: Path) -> None:
    command = [node_path, "--test", "--test-timeout=60000", str(file)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)

    assert result.returncode == 0, result.stdout + result.stderr


def test_there_are_such_tests() -> None:
    assert {file.name.removesuffix(".test.mjs") for file in TESTS} >= {
        "entry",
        "host1",
        "host2",
        "screen",
        "table",
    }

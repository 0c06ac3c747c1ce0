"""The version of an installed program, without running it where that is possible."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from orca_tui.process.probe import VersionProbe
from orca_tui.server.versions import Versions

pytestmark = pytest.mark.anyio

PACKAGES = frozenset({"@google/gemini-cli"})


class Machine:
    """A folder of programs."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def program(self, place: str, says: str) -> Path:
        path = self.root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\necho {says}\n")
        path.chmod(0o755)
        return path

    def package(self, manifest: object) -> Path:
        """A package as npm installs it, with a link on the path."""
        folder = self.root / "lib" / "node_modules" / "@google" / "gemini-cli"
        program = self.program("lib/node_modules/@google/gemini-cli/bundle/gemini.js", "9.9.9")
        (folder / "package.json").write_text(manifest if isinstance(manifest, str) else json.dumps(manifest))
        (self.root / "gemini").symlink_to(program)
        return folder

    async def version(self, command: str = "gemini") -> str | None:
        environment = {"PATH": f"{self.root}:{os.environ['PATH']}"}
        return await Versions(VersionProbe()).of(command, PACKAGES, environment)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


async def test_a_packages_manifest_says_it_without_a_run(machine: Machine) -> None:
    machine.package({"name": "@google/gemini-cli", "version": "0.61.0"})

    assert await machine.version() == "0.61.0"


@pytest.mark.parametrize(
    "manifest",
    [{"name": "somebody-elses", "version": "1.0.0"}, {"name": "@google/gemini-cli"}, "{", "[]", '"x"'],
)
async def test_where_the_manifest_does_not_say_it_the_program_is_asked(
    machine: Machine, manifest: object
) -> None:
    machine.package(manifest)

    assert await machine.version() == "9.9.9"


async def test_a_program_of_no_package_is_asked(machine: Machine) -> None:
    machine.program("gemini", "0.60.1")

    assert await machine.version() == "0.60.1"


async def test_a_program_that_is_not_there_has_no_version(machine: Machine) -> None:
    (machine.root / "gemini").symlink_to("gemini")

    assert await machine.version() is None
    assert await machine.version("nobody-has-this") is None

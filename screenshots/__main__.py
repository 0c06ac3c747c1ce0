"""`python -m screenshots`: run every scene and write its pictures into this folder."""

from __future__ import annotations

from pathlib import Path

from screenshots import scenes
from tests.e2e.sandbox import Sandbox


def main() -> None:
    picture = scenes.into(Path(__file__).parent)
    for scene in (scenes.agents, scenes.survive, scenes.reload):
        sandbox = Sandbox()
        try:
            scene(sandbox, picture)
        finally:
            sandbox.close()
    scenes.four_agents(picture)


if __name__ == "__main__":
    main()

"""Which program a command line runs."""

from __future__ import annotations

import shlex

import pytest

from orca_tui.agents.invocation import Program, program_of
from orca_tui.agents.registry import Agents

RUN_CLAUDE = [
    "claude",
    "/usr/local/bin/claude --resume x",
    "./claude",
    "claude.exe",
    "node /usr/bin/claude",
    "node --max-old-space-size=4096 /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js",
    "node --require ./x.js /opt/node_modules/@anthropic-ai/claude-code/cli.js --print",
    "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js",
    "bun /home/me/.bun/bin/claude",
    "bun run /home/me/.bun/install/global/node_modules/@anthropic-ai/claude-code/cli.js",
    "npx @anthropic-ai/claude-code",
    "npx -y @anthropic-ai/claude-code@latest --debug",
    "npx --package @anthropic-ai/claude-code claude",
    "bunx @anthropic-ai/claude-code",
    "npm exec -- @anthropic-ai/claude-code",
    "pnpm dlx @anthropic-ai/claude-code@2",
    "bash -c 'claude --continue'",
    "bash -lc 'exec claude'",
    "sh -c 'FOO=1 BAR=2 claude; echo bye'",
    "zsh -ic claude",
    "bash /usr/local/bin/claude",
    "env FOO=1 claude",
    "env -u FOO BAR=x claude",
    "FOO=1 claude",
    "nice -n 5 claude",
    "timeout 60 claude",
    "timeout -k 5 60 claude",
    "nohup setsid claude",
    "sudo -u me env X=1 bash -c 'npx -y @anthropic-ai/claude-code'",
]

RUN_NO_AGENT = [
    "",
    "bash",
    "-bash",
    "zsh -i",
    "vim claude/",
    "vim claude",
    "ls claude",
    "cat claude",
    "cd claude",
    "bash -c 'cd claude && ls'",
    "bash -c 'ls claude; claude'",
    "bash -c 'ls | grep codex'",
    "/home/claude/bin/zsh",
    "node claude/index.js",
    "bash /src/claude/setup.sh",
    "node -e 'claude'",
    "python -c 'import claude'",
    "node",
    "npx",
    "npx cowsay claude",
    "npm run claude",
    "git commit -m claude",
    "make -C opencode",
    "claude-squad",
    "claudette",
    "/usr/lib/node_modules/@openai/codex/vendor/path/rg",
    "bash -c 'claude",
]


@pytest.mark.parametrize("line", RUN_CLAUDE)
def test_an_agent_is_recognised_through_its_wrappers(line: str) -> None:
    adapter = Agents().recognise(shlex.split(line))

    assert adapter is not None
    assert adapter.name == "claude"


@pytest.mark.parametrize("line", RUN_NO_AGENT)
def test_a_name_that_is_not_the_program_is_no_agent(line: str) -> None:
    try:
        argv = shlex.split(line)
    except ValueError:
        argv = ["bash", "-c", "echo 'claude"]

    assert Agents().recognise(argv) is None


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("opencode", "opencode"),
        ("opencode2 --standalone", "opencode"),
        ("npx opencode-ai@latest", "opencode"),
        ("node /x/node_modules/.bin/opencode run hi", "opencode"),
        ("codex resume x", "codex"),
        ("/x/node_modules/@openai/codex/vendor/codex/codex", "codex"),
        ("gemini -i hello", "gemini"),
        ("node /x/node_modules/@google/gemini-cli/dist/index.js", "gemini"),
    ],
)
def test_every_agent_is_recognised(line: str, name: str) -> None:
    adapter = Agents().recognise(shlex.split(line))

    assert adapter is not None
    assert adapter.name == name


def test_the_place_of_the_program_is_told_unless_it_is_inside_a_string() -> None:
    assert program_of(["env", "A=1", "claude", "-c"]) == Program(name="claude", index=2)
    assert program_of(["bash", "-c", "claude"]) == Program(name="claude", index=None)


def test_wrappers_without_end_run_nothing_that_we_name() -> None:
    assert program_of(["env"] * 50 + ["claude"]) is None
    assert program_of(["timeout"]) is None

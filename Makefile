# make run     install into .venv and start orca-tui
# make test    every test, real programs included (installs the npm packages they need)
# make check   ruff and mypy --strict
# make bench   speed and memory beside tmux and others; PARTS="cat echo" for some of it
# make accuracy    how often the status was right, over recordings of real agents
# make soak    30 panes, killed UIs and servers for ten minutes: nothing may be left; SECONDS=30 for less
# make fuzz    attack terminals with 500 MB of broken and hostile output; MB=50 for less
# make screenshots   pictures of the running program

VENV := .venv
BIN := $(VENV)/bin
NPM_PACKAGES := tests/e2e/node_modules/.installed
BENCH_PACKAGES := benchmarks/node_modules/.installed
# A file's tests share what they start, so they stay together; three at a time, since some of the longest mostly wait.
PYTEST_ARGS ?= -n 3 --dist loadfile --no-loadscope-reorder

# The first Python that is new enough; PYTHON=... chooses another.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)

.PHONY: run test check bench accuracy fuzz soak screenshots clean

run: $(VENV)/.runtime
	@$(BIN)/orca-tui

# Real agents share the cores here: a file in which something failed beside others runs once more, whole and alone, and
# has to pass then.
FAILED_FILES = import json; print(*sorted({name.split("::")[0] for name in json.load(open(".pytest_cache/v/cache/lastfailed"))}))

# Without bytecode on the disk every worker, and every server that a test starts, would compile all there is anew.
test: export PYTHONDONTWRITEBYTECODE =
test: $(VENV)/.dev $(NPM_PACKAGES)
	$(BIN)/python -m pytest $(PYTEST_ARGS) || { \
		test $$? -eq 1 && echo "== once more, alone: the files in which something has failed ==" && \
		files=$$($(BIN)/python -c '$(FAILED_FILES)') && test -n "$$files" && $(BIN)/python -m pytest $$files; }

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.bench $(BENCH_PACKAGES)
	$(BIN)/python -m benchmarks $(PARTS)

accuracy: $(VENV)/.dev
	$(BIN)/python -m tests.accuracy

soak: $(VENV)/.dev
	$(BIN)/python -m tests.soak --seconds $(or $(SECONDS),600)

fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.fuzz --mb $(or $(MB),500)

screenshots: $(VENV)/.dev $(NPM_PACKAGES)
	$(BIN)/python -m screenshots

$(VENV)/.runtime: pyproject.toml
	@test -n "$(PYTHON)" || { echo "orca-tui needs Python 3.11 or newer; none was found (set PYTHON=...)" >&2; exit 1; }
	@echo "Installing orca-tui into $(VENV) (once) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

# cmux has no wheel for some machines; what is missing is left out of the tables.
$(VENV)/.bench: $(VENV)/.dev
	@$(BIN)/pip install --quiet --disable-pip-version-check pyte
	@$(BIN)/pip install --quiet --disable-pip-version-check cmux || echo "cmux cannot be installed here" >&2
	@touch $@

$(BENCH_PACKAGES): benchmarks/package.json
	@cd benchmarks && npm install --no-audit --no-fund --loglevel=error
	@touch $@

$(NPM_PACKAGES): tests/e2e/package.json
	@echo "Installing the agents that the end-to-end tests run ..."
	@cd tests/e2e && npm install --no-audit --no-fund --loglevel=error
	@touch $@

clean:
	rm -rf $(VENV) tests/e2e/node_modules benchmarks/node_modules .pytest_cache .mypy_cache .ruff_cache

# Every target sets up what it needs. Python 3.11+, pip and make are enough; PYTHON=python3.12 picks another interpreter.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
export UV_PYTHON_DOWNLOADS = never
export PIP_DISABLE_PIP_VERSION_CHECK = 1
# Processes start often here, and without bytecode kept on disk each compiles 2,000 modules anew.
export PYTHONDONTWRITEBYTECODE =

.DEFAULT_GOAL := help
.PHONY: help run ui report test check format docs bench lock clean

help: ## what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## /\1\t/' | expand -t 10

run: $(VENV)/.runtime ## ask today's questions on the simulated platforms and publish the day (again: asks nothing)
	@$(BIN)/geo run

ui: $(VENV)/.runtime ## the Dagster UI with schedule, sensors and daemon on the same project (http://127.0.0.1:3000)
	@$(BIN)/geo ui

test: $(VENV)/.dev ## all tests (Postgres and S3 servers are started by the tests themselves)
	@$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS)

check: $(VENV)/.dev ## linters, formatting, types, import layers, definitions
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/geo check

format: $(VENV)/.dev ## format the code
	@$(BIN)/ruff check --fix -q . ; $(BIN)/ruff format .

docs: $(VENV)/.dev ## write the generated pages and schemas anew
	@$(BIN)/python -m geo_assets.lake.dictionary docs/data-dictionary.md
	@$(BIN)/python -m geo_assets.configuration.schema --write

bench: $(VENV)/.dev ## measure; prints tables, writes nothing
	@for script in $(filter-out benchmarks/engine_common.py,$(wildcard benchmarks/*.py)); do \
	    echo "== $$script"; PYTHONPATH=. $(BIN)/python $$script || exit 1; done

lock: $(VENV)/.dev ## resolve the lock files anew
	@$(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
	    --all-extras pyproject.toml -o requirements-dev.lock
	@$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
	    pyproject.toml -c requirements-dev.lock -o requirements.lock

clean: ## remove the environment, caches and simulated outputs (live outputs stay)
	rm -rf $(VENV) data/simulated build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, e.g.: make PYTHON=python3.12 …")'
	@$(PYTHON) -m venv $(VENV)

# uv installs in seconds what takes pip a minute; where it is not to be had, pip does the same from the same lock.
define install
	@$(BIN)/python -m pip install -q 'uv>=0.5' 2>/dev/null || true
	@if [ -x $(BIN)/uv ]; then VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install -q --python $(BIN)/python --require-hashes -r $(1) \
	    || $(BIN)/python -m pip install -q --require-hashes -r $(1); \
	 else $(BIN)/python -m pip install -q --require-hashes -r $(1); fi
	@$(BIN)/python -m pip install -q --no-deps -e .
endef

$(VENV)/.runtime: requirements.lock pyproject.toml | $(VENV)/bin/python
	@echo "Setting up the environment in $(VENV) …"
	$(call install,requirements.lock)
	@touch $@

$(VENV)/.dev: requirements-dev.lock pyproject.toml | $(VENV)/bin/python
	@echo "Setting up the development environment in $(VENV) …"
	$(call install,requirements-dev.lock)
	@touch $@ $(VENV)/.runtime

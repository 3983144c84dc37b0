# Two commands do: `make run` and `make test`. Everything else is here for whoever looks closer.
# Nothing is written outside this folder and the workspace.

.DEFAULT_GOAL := help
.PHONY: help setup run test ui check bench lock clean

NOTES ?=
WORKSPACE ?=
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

# The first Python in range; the lock holds for all three. A set-up environment is never asked again.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' >/dev/null 2>&1 \
	&& { command -v "$$p"; break; }; done)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --no-input

# A moved checkout or a Python that is gone makes the environment stale: it names absolute places.
ifneq ($(shell cat $(STAMP) 2>/dev/null),$(CURDIR))
$(shell rm -f $(STAMP))
endif
ifeq ($(shell [ -x $(BIN)/python ] && echo yes),)
$(shell rm -f $(STAMP))
endif

help:  ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' Makefile
	@echo
	@echo "  make run NOTES=~/Notes [WORKSPACE=~/kb]   builds your notes, into workspaces/<name> or WORKSPACE"

setup: $(STAMP)  ## a virtual environment in .venv with pinned, hash-checked packages

$(STAMP): requirements.lock pyproject.toml
	@if [ -z "$(PYTHON)" ] && ! [ -x $(BIN)/python ]; then \
		echo "make: no Python 3.11, 3.12 or 3.13 found; install one, or name it: make setup PYTHON=/path/to/python3.12" >&2; exit 1; fi
	@$(BIN)/python -c '' 2>/dev/null || { echo "Setting up $(VENV) (once; takes a minute or two) …"; \
		"$(PYTHON)" -m venv --clear $(VENV) || { \
		echo "make: $(PYTHON) cannot make a virtual environment; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }; }
	@$(PIP) install --no-deps --require-hashes -r requirements.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@pwd > $(STAMP)

run: $(STAMP)  ## set up and build examples/notes, or NOTES= into WORKSPACE=
	@$(BIN)/notes-pipeline build $(if $(NOTES),"$(NOTES)") $(if $(WORKSPACE),--workspace "$(WORKSPACE)")

test: $(STAMP)  ## set up and pass every test
	@$(BIN)/python -m pytest

ui: $(STAMP)  ## Dagster's web UI and daemon on loopback, on WORKSPACE= or this folder
	@$(BIN)/notes-pipeline ui $(if $(WORKSPACE),--workspace "$(WORKSPACE)")

check: $(STAMP)  ## lint, types, tests
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/python -m pytest

bench: $(STAMP)  ## benchmarks, of NOTES= or the examples: ratios, not stop watches
	@$(BIN)/python bench/markdown.py "$(or $(NOTES),examples/notes)"
	@$(BIN)/python bench/pathological.py
	@$(BIN)/python bench/sentences.py
	@$(BIN)/python bench/workbooks.py
	@$(BIN)/python bench/scaling.py

# uv resolves once for every Python and platform in range; it lives in a throwaway environment.
lock: $(STAMP)  ## refresh requirements.lock
	@rm -rf $(VENV)/lock && $(BIN)/python -m venv $(VENV)/lock
	@$(VENV)/lock/bin/python -m pip --disable-pip-version-check --quiet install uv
	@$(VENV)/lock/bin/uv pip compile pyproject.toml --group dev --extra legacy --extra model --quiet --upgrade \
		--universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header \
		--output-file requirements.lock
	@rm -rf $(VENV)/lock

clean:  ## remove the environment and what builds left in this folder
	@rm -rf $(VENV) data qa/latest qa/runs .dagster workspaces

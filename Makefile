SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
GENERATOR := .venv-proto
.DEFAULT_GOAL := help
.PHONY: help demo test test-all nightly check format proto proto-check lock bench clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST)

# Each installs again only when the project's metadata or the locked versions changed.
$(VENV)/.runtime: pyproject.toml requirements.txt deploy/install.sh
	@PYTHON=$(PYTHON) sh deploy/install.sh $(VENV) requirements.txt
	@touch $@

$(VENV)/.installed: $(VENV)/.runtime requirements-dev.txt
	@PYTHON=$(PYTHON) sh deploy/install.sh $(VENV) requirements-dev.txt
	@touch $@

demo: $(VENV)/.runtime ## play a tournament of the starter bots
	@$(BIN)/erqi demo $(DEMO)

test: $(VENV)/.installed ## run the tests
	@$(BIN)/python -m pytest -q -n 2 -m "not nightly" $(TESTS)

test-all: check test ## static gates and tests

nightly: $(VENV)/.installed ## the large runs of the test suite
	@$(BIN)/python -m pytest -q -m nightly $(TESTS)

check: $(VENV)/.installed proto-check ## format, lint, types, import contracts, schema
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/lint-imports
	cd proto && ../$(BIN)/buf lint

format: $(VENV)/.installed ## format the code and mend what ruff can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

$(GENERATOR)/.installed: proto/requirements.txt
	@$(PYTHON) -m venv $(GENERATOR)
	@$(GENERATOR)/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r proto/requirements.txt
	@touch $@

proto: $(GENERATOR)/.installed ## regenerate sdk/erqiwang/v1 from proto/
	@sh proto/generate.sh $(GENERATOR) sdk

proto-check: $(GENERATOR)/.installed ## compare the committed code with a fresh generation
	@sh proto/check.sh $(GENERATOR) sdk

lock: ## pin the dependencies again (needs uv)
	@sh deploy/lock.sh

$(VENV)/.bench: $(VENV)/.installed requirements-bench.txt
	@PYTHON=$(PYTHON) sh deploy/install.sh $(VENV) requirements-bench.txt
	@touch $@

bench: $(VENV)/.bench ## measure, as ratios within one run
	@$(BIN)/python -m bench $(BENCH)

clean: ## remove environments and caches, keep data
	rm -rf $(VENV) $(GENERATOR) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# Everything needs only python3 (3.11 or newer) with venv.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
export DO_NOT_TRACK := 1
export PREFECT_SERVER_ANALYTICS_ENABLED := false
export HAYSTACK_TELEMETRY_ENABLED := False
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help demo install test test-fast lint samples bench clean

help:
	@echo "make demo       evaluate data/samples, print the leaderboard and where the report is"
	@echo "make install    .venv with chunkfit and everything its tests need (a no-op when up to date)"
	@echo "make test       install, then the whole test suite"
	@echo "make test-fast  the quick part of it"
	@echo "make lint       style, types, import contracts"
	@echo "make samples    make the binary documents in data/samples again"
	@echo "make bench      timings, as ratios"

demo: $(VENV)/.base
	@$(RUN) -m flows evaluate data/samples

install: $(VENV)/.full

test: install
	$(RUN) -m pytest -n 2 --dist loadfile

test-fast: install
	$(RUN) -m pytest -m "not slow" -n 2

lint: install
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

samples: install
	$(RUN) data/make_samples.py

bench: install
	$(RUN) -m benchmarks

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "chunkfit needs Python 3.11 or newer; run: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: pyproject.toml Makefile | $(VENV)/bin/python
	@echo "Installing chunkfit into $(VENV) (a few minutes the first time) ..."
	@$(RUN) -m pip install --quiet --editable .
	@touch $@

$(VENV)/.full: pyproject.toml Makefile | $(VENV)/bin/python
	@echo "Installing chunkfit and its test tools into $(VENV) (a few minutes the first time) ..."
	@$(RUN) -m pip install --quiet --editable '.[dev,bench,samples,stanza,retrieval,tune,langchain,llama-index,haystack]'
	@touch $@ $(VENV)/.base

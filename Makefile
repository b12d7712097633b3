SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
CONFIG ?= config/config.yaml
CORES ?= $(shell nproc 2>/dev/null || echo 2)
BIN := .venv/bin
READY := .venv/.ready
# The programs of the environment come first, so that Snakemake's jobs find the same Python.
export PATH := $(CURDIR)/$(BIN):$(PATH)
SNAKEMAKE := snakemake --cores $(CORES) --configfile $(CONFIG)

.PHONY: help reproduce test lint format bench verify archive faults recover lock reference clean

help: ## This list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# torch comes by version and not by hash: its CPU and GPU builds differ in it.
$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; (3, 11) <= sys.version_info[:2] < (3, 14) or sys.exit("Python 3.11, 3.12 or 3.13 is needed, found " + sys.version.split()[0] + "; choose one with make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --require-hashes --no-deps -r requirements.txt
	$(BIN)/pip install --quiet torch==2.13.0
	$(BIN)/pip install --quiet --no-deps --editable .
	$(BIN)/python -m hardmax.precompile
	touch $@

reproduce: $(READY) $(CONFIG) ## Every table, figure and verdict (CONFIG=config/smoke.yaml for minutes)
	$(SNAKEMAKE)
	@snakemake --configfile $(CONFIG) --report results/audit/report.html --quiet all 2> results/logs/report.log || { cat results/logs/report.log >&2; exit 1; }
	@echo
	@echo "Report:  results/audit/report.html"
	@echo "Ledger:  results/audit/ledger.html"
	@echo "Site:    results/audit/index.html"

test: $(READY) ## The tests
	pytest -n 2 -m "not (workflow or site or cluster or faults or long)"
	pytest -m "(workflow or site or cluster or faults) and not long"

lint: $(READY) ## Style, types, imports and the workflow's own lint
	ruff check .
	ruff format --check .
	snakefmt --check Snakefile workflow/rules
	mypy
	lint-imports
	snakemake --lint

format: $(READY) ## Format Python and Snakemake code
	ruff check --fix .
	ruff format .
	snakefmt Snakefile workflow/rules

bench: $(READY) ## Benchmarks, as ratios measured in one run, into results/benchmarks/
	@for script in benchmarks/bench_*.py; do echo "== $$script"; python $$script; done

verify: $(READY) $(CONFIG) ## Run the configuration again elsewhere and compare every byte (CORES="1 2": on one core and on two)
	python -m hardmax.audit.verify --config $(CONFIG) --cores $(CORES)

reference: $(READY) ## The summary of a smoke run that other machines compare with (after make reproduce CONFIG=config/smoke.yaml)
	python -m hardmax.audit.verify --config config/smoke.yaml --write-reference

archive: $(READY) ## One zip to deposit: results, report, configuration, lock and source
	python -m hardmax.audit.archive -o results/hardmax-archive.zip

faults: $(READY) ## The long tests of faults and of the cluster
	pytest -m "faults or cluster" tests/faults tests/cluster

recover: $(READY) $(CONFIG) ## Go on after a killed Snakemake: end its jobs, release its lock, make the rest
	python -m hardmax.audit.recover --cores $(CORES) --configfile $(CONFIG)

lock: ## Pin the environment again from pyproject.toml
	$(BIN)/pip-compile --quiet --generate-hashes --all-extras --unsafe-package torch --strip-extras --no-header \
	  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host -o requirements.txt pyproject.toml

clean: ## Remove results and caches, keep the environment
	find results -mindepth 1 -not -name README.md -delete
	rm -rf .snakemake .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .grimp_cache .hypothesis

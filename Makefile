# make demo       plan the first case study
# make test       what must hold at every commit; the test runner's summary comes last
# make test-oldest  a part of the tests, with the oldest versions that pyproject.toml allows
# make test-deep  the rest: all tiny guides, all pages, more generated examples, the wheel, the site
# make coverage   the tests of make test, with the lines that none of them reaches; twice as long
# make docs       the documentation site, in build/site/html
# make bench      time and memory, against the targets in benchmarks/README.md
# make mutate     how many planted faults the tests notice: docs/mutation.md
# make clean      back to what is in the repository

ifndef PYTHON
PYTHON := $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
    if "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
    then echo "$$p"; break; fi; done)
endif

VENV := .venv
BENCH_VENV := .venv-bench
MUTATE_VENV := .venv-mutate
OLDEST_VENV := .venv-oldest
BIN := $(VENV)/bin
# Each file of tests in one worker, which makes once what they share, in the order of tests/conftest.py.
PYTEST := $(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder
BENCH_PYTHON := $(BENCH_VENV)/bin/python
MUTATE_PYTHON := $(MUTATE_VENV)/bin/python
OLDEST_PYTHON := $(OLDEST_VENV)/bin/python
PIP := -m pip --disable-pip-version-check install --quiet
CODE := src tests benchmarks docs
CASE := examples/sun-1992/case-1-departmental-nfs/workload.yaml

# Without the tests of commands: they ask click's own runner for what it has since 8.2.
OLDEST_TESTS := tests/guide/test_cache.py tests/schema tests/test_documents.py \
    tests/workload/test_bad_files.py

.PHONY: demo test test-oldest test-deep coverage docs bench mutate clean
.DELETE_ON_ERROR:

demo: $(VENV)/.installed
	$(BIN)/sizewright plan $(CASE)

# What is compiled is kept, whatever the environment forbids: test-deep and the processes that tests start need it again.
unexport PYTHONDONTWRITEBYTECODE

# Compiled first, so that workers and the processes that tests start do not all compile the same modules.
# TESTS=before-deep leaves out what test-deep, which is to follow, asks again and in whole.
NOT_IN_TEST := deep$(if $(filter before-deep,$(TESTS)), or in_part or hypothesis)

test: $(VENV)/.installed-for-tests
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/python -m compileall -q src
	$(PYTEST) -m "not ($(NOT_IN_TEST))"

test-oldest: $(OLDEST_VENV)/.installed
	PYTHONPATH=src $(OLDEST_PYTHON) -m sizewright plan $(CASE) --format html -o $(OLDEST_VENV)/plan.html
	PYTHONPATH=src $(OLDEST_PYTHON) -m pytest -q -m "not deep" $(OLDEST_TESTS)

test-deep: $(VENV)/.installed-for-tests
	SIZEWRIGHT_TESTS=deep $(PYTEST) -m "deep or in_part or hypothesis"

coverage: $(VENV)/.installed-for-tests
	$(PYTEST) -m "not deep" --cov --cov-report=term

docs: $(VENV)/.installed-for-tests
	PYTHONPATH=docs $(BIN)/python -m sitebuild build/site

bench: $(BENCH_VENV)/.installed
	$(BENCH_PYTHON) benchmarks/bench_plan.py
	$(BENCH_PYTHON) benchmarks/bench_check.py
	$(BENCH_PYTHON) benchmarks/bench_inprocess.py
	$(BENCH_PYTHON) benchmarks/bench_growth.py
	$(BENCH_PYTHON) benchmarks/bench_peer.py

# All anew: results kept from a run before would not know of tests that have changed since.
mutate: $(MUTATE_VENV)/.installed
	rm -rf mutants
	$(MUTATE_VENV)/bin/mutmut run --max-children 1
	$(MUTATE_PYTHON) tests/mutation_figures.py mutants

clean:
	rm -rf $(VENV) $(BENCH_VENV) $(MUTATE_VENV) $(OLDEST_VENV) mutants
	rm -rf build dist .coverage .coverage.* htmlcov
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps stand for what is installed: a second run installs nothing until pyproject.toml changes.
$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "make: python3 (3.11 or later) not found; set PYTHON" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python $(PIP) --editable .
	@touch $@

$(VENV)/.installed-for-tests: pyproject.toml | $(BIN)/python
	$(BIN)/python $(PIP) --editable '.[test]'
	@touch $(VENV)/.installed $@

# A benchmark measures what users get, a wheel, so it follows every file that goes into one.
SHIPPED := $(shell find src tables rules -type f -not -name '*.pyc' 2>/dev/null)

$(BENCH_PYTHON):
	@test -n "$(PYTHON)" || { echo "make: python3 (3.11 or later) not found; set PYTHON" >&2; exit 1; }
	$(PYTHON) -m venv $(BENCH_VENV)

$(BENCH_VENV)/.installed: pyproject.toml $(SHIPPED) | $(BENCH_PYTHON)
	$(BENCH_PYTHON) $(PIP) '.[bench]'
	$(BENCH_PYTHON) $(PIP) --force-reinstall --no-deps .
	@touch $@

$(MUTATE_PYTHON):
	@test -n "$(PYTHON)" || { echo "make: python3 (3.11 or later) not found; set PYTHON" >&2; exit 1; }
	$(PYTHON) -m venv $(MUTATE_VENV)

$(MUTATE_VENV)/.installed: pyproject.toml | $(MUTATE_PYTHON)
	$(MUTATE_PYTHON) $(PIP) --editable '.[test,mutate]'
	@touch $@

$(OLDEST_PYTHON):
	@test -n "$(PYTHON)" || { echo "make: python3 (3.11 or later) not found; set PYTHON" >&2; exit 1; }
	$(PYTHON) -m venv $(OLDEST_VENV)

# The least version of each library that the program imports, and of what runs its tests.
$(OLDEST_VENV)/.installed: pyproject.toml | $(OLDEST_PYTHON)
	sed -nE 's/^    "((click|Jinja2|pydantic|PyYAML|tabulate|wcwidth|hypothesis|jsonschema|pytest|pytest-cov|pytest-xdist)>=[0-9.]+)",/\1/p' \
	    pyproject.toml | tr '>' '=' > $(OLDEST_VENV)/versions.txt
	$(OLDEST_PYTHON) $(PIP) --requirement $(OLDEST_VENV)/versions.txt
	@touch $@

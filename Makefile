# The two commands of the README are `make demo` and `make test`; both set up everything they need.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
WORKERS ?= 2
# Workers share the cores: more threads in each would only wait for one another.
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1

.PHONY: sweep demo test adapters release browser lint types imports check docs prove bench minimum package fuzz site notebooks clean

demo: $(VENV)/installed
	$(BIN)/headcount demo

test: check browser
	@command -v java > /dev/null || echo "Java is not installed: the tests on Spark are skipped."
	$(BIN)/pytest -n $(WORKERS) -m "not prove" --cov --cov-report=term:skip-covered -q

# The adapters with the tools themselves, which bring a hundred packages.
adapters: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --group adapters
	$(BIN)/pytest tests/adapters tests/docs/test_docs.py -k "adapters" -q

# A release in one command: what is on main is tagged with its version, and the workflow `release` tests,
# builds and publishes it. Nothing is tagged that is not dated in the changelog and cited.
release: check
	@version=$$($(BIN)/python -c "import headcount; print(headcount.__version__)"); \
	[ -z "$$(git status --porcelain)" ] || { echo "commit first: git status"; exit 1; }; \
	grep -Eq "^## $$version \([0-9]{4}-[0-9]{2}-[0-9]{2}\)" CHANGELOG.md \
		|| { echo "CHANGELOG.md has no '## $$version (YYYY-MM-DD)': date it first"; exit 1; }; \
	grep -qx "version: $$version" CITATION.cff \
		|| { echo "CITATION.cff is of another version than $$version"; exit 1; }; \
	git tag -a "v$$version" -m "headcount $$version" && git push origin "v$$version"

# Chromium for the tests of the report: installed where missing, at once where it is there.
browser:
	@sh tests/browser/chromium.sh

check: lint types imports

lint: $(VENV)/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/ready
	$(BIN)/mypy

imports: $(VENV)/ready
	$(BIN)/lint-imports

# Full-size proofs: coverage of intervals, big sweeps. Their last figures stand in docs/.
prove: $(VENV)/ready
	$(BIN)/pytest -n $(WORKERS) -m prove -q -rP

# The lowest versions that pyproject.toml admits, without the development tools, in an environment
# of their own: the demo and every test that needs nothing more.
minimum:
	$(PYTHON) -m venv .venv-minimum
	.venv-minimum/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	.venv-minimum/bin/python tests/lowest.py > .venv-minimum/lowest.txt
	.venv-minimum/bin/python -m pip install --quiet -e . -c .venv-minimum/lowest.txt pytest pytest-xdist hypothesis
	.venv-minimum/bin/headcount demo -o .venv-minimum/demo
	.venv-minimum/bin/pytest -n $(WORKERS) -m "not prove" -q

# Wheel and source distribution, each installed in a clean environment of every Python there is from
# 3.11 to 3.14, with the demo in an empty folder.
package: $(VENV)/ready
	$(BIN)/python -m pip install --quiet --group package
	$(BIN)/python tests/package.py

# The standing attack on the door, for as many seconds or inputs as asked, in as many processes:
# make fuzz SECONDS=3600 INPUTS=200000 FUZZERS=2 LOG=fuzz.jsonl (runs with one log add up);
# then the one on `evaluate`, random small tables from seed FROM on, for as long.
SECONDS ?= 60
FROM ?= 0
INPUTS ?= 1000000000
FUZZERS ?= 1
fuzz: $(VENV)/ready
	$(BIN)/python -m tests.door.fuzz --seconds $(SECONDS) --inputs $(INPUTS) \
		--workers $(FUZZERS) $(if $(LOG),--log $(LOG))
	$(BIN)/python -m tests.evaluation.small_tables --seconds $(SECONDS) --tables $(INPUTS) \
		--workers $(FUZZERS) --seed $(FROM)

# The pages that are written from the code: docs/cli.md and docs/reference.md.
docs: $(VENV)/ready
	$(BIN)/python docs/make_cli.py
	$(BIN)/python docs/make_reference.py

# The notebooks of the tutorials, from their pages, executed; and the pictures of the pages.
notebooks: $(VENV)/ready
	$(BIN)/python docs/make_notebooks.py

# The site from docs/, without a network: warnings are errors, then no dead link, phone and desktop in
# Chromium, axe-core, search.
site: $(VENV)/ready browser
	$(BIN)/python -m pip install --quiet --group docs
	rm -rf site
	$(BIN)/sphinx-build -q -W --keep-going -b html -d .site-cache docs site
	HEADCOUNT_SITE=site $(BIN)/pytest tests/browser/test_site.py -q
	@echo "open site/index.html"

# The conjecture of the label-budget paper over its grid: python -m research.sweep --help.
sweep: $(VENV)/ready
	$(BIN)/python -m research.sweep

# Ratios against peers, each timed in the same run; docs/bench.md is written with what was measured.
bench: $(VENV)/ready
	$(BIN)/python -m benchmarks --page docs/bench.md

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "headcount needs Python 3.11 or newer: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet -e .
	touch $@

$(VENV)/ready: pyproject.toml $(VENV)/installed
	$(BIN)/python -m pip install --quiet --group dev
	touch $@

clean:
	rm -rf $(VENV) .venv-minimum .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage site .site-cache dist

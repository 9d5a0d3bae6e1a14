# Everything runs in .venv, made from requirements.lock by uv; nothing else is installed by hand.
# The first of these that suits; the locked packages were tried on 3.11 to 3.14.
PYTHONS := python3 python3.14 python3.13 python3.12 python3.11
SUITS := import sys; sys.exit(sys.version_info < (3, 11))
ifndef PYTHON
PYTHON := $(or $(shell for each in $(PYTHONS); do $$each -c '$(SUITS)' 2>/dev/null && echo $$each && break; done),python3)
endif
BIN := .venv/bin
# One that is there is taken if it is 0.8 or later, the oldest tried; else book/tools/uv.txt is installed.
NEW := awk '{split($$2, part, "."); new = part[1] > 0 || part[2] >= 8} END {exit !new}'
UV := $(or $(shell uv --version 2>/dev/null | $(NEW) && command -v uv),.tools/bin/uv)
GROUPS := --group test --group book
HTML := book/_build/html
HOST := 127.0.0.1
PORT := 8000
CHAPTERS = $(shell find book -name '*.ipynb' -not -path '*/_build/*' -not -path '*/.*' | sort)
SOURCES = CITATION.cff CHANGELOG.md CONTRIBUTING.md $(shell find book corefeval data -type f -not -path '*/_build/*' \
  -not -path '*/node_modules/*' -not -path 'book/tools/*' -not -path 'book/publishing/*' \
  -not -name '*.pyc' -not -name README.md)
# Where npm is absent the book says that its playground was not built.
PLAYGROUND := $(if $(shell command -v npm),book/playground/node_modules/.package-lock.json)

# A file is run by one worker, in the order below: long ones first, so that none is left alone.
# A worker whose test stands still is replaced; a third time is no chance any more.
PYTEST := $(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder --max-worker-restart 2
NBVAL := --nbval --nbval-sanitize-with tests/nbval.cfg
LIBRARY := tests/measures tests/library corefeval
# By day the chapters of four measures are run.
BY_DAY := muc b-cubed ceaf blanc
# Pages in a browser come last: each is dealt to the worker that is free.
OTHERS := tests/project tests/corefbook $(if $(CI),book,$(BY_DAY:%=book/%.ipynb) book/corefbook) tests/book
# What is left out of a proof; by day it is more, see "addopts" in pyproject.toml.
QUICK := $(if $(CI),-m "not release")
CACHE := .pytest_cache/proof

define CHECK_PYTHON
$(PYTHON) -c '$(SUITS)' 2>/dev/null || { echo "The book and its tests need Python 3.11 or a later one, and \
$(PYTHON) is $$($(PYTHON) --version 2>/dev/null || echo not there). Install one, with its module venv, or name it: \
make PYTHON=/path/to/python3.13. Unless one is named, the first that suits of $(PYTHONS) is taken." >&2; exit 1; }
endef

# One make at a time builds the environment or the book; another one waits, and finds it built.
ALONE = $(PYTHON) -c 'import fcntl, os, sys; lock = os.open("Makefile", os.O_RDONLY); \
  os.set_inheritable(lock, True); fcntl.flock(lock, fcntl.LOCK_EX); os.execvp(sys.argv[1], sys.argv[1:])' \
  $(MAKE) --no-print-directory

export UV_PYTHON_DOWNLOADS := never
export UV_SYSTEM_CERTS := 1
export SOURCE_DATE_EPOCH := 1767225600
export PYTHONHASHSEED := 0
# Compiled once, not by each of the hundred processes that tests start.
export PYTHONDONTWRITEBYTECODE :=

.DELETE_ON_ERROR:
.PHONY: help book built playground test types library proof release-proof serve lab notebooks transcripts reproduce release size bench mutants costs spark lock clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F'\t' '{printf "  make %-13s %s\n", $$1, $$2}'

book: built ## render the book
	@echo "The book is in $(HTML). What runs code in it needs a server: make serve, then http://$(HOST):$(PORT)"

built:
	@$(CHECK_PYTHON)
	+@$(ALONE) book/_build/stamp

# Without Python, and so in a blink. The stamp stays as it is: `make book` builds what is tested.
playground: ## put changed scripts and styles into the built book, in a second
	@test -d $(HTML)/_static/playground || { echo "There is no built book with its playground: make book" >&2; exit 1; }
	cp book/_static/* book/corefbook/looks/*.css $(HTML)/_static
	cp $(filter-out book/playground/compile.mjs,$(wildcard book/playground/*.js book/playground/*.mjs book/playground/*.css)) $(HTML)/_static/playground

# mypy keeps one core busy, and so does the book's build: the library's tests take what is left.
test: .venv/stamp ## lint, types, tests of the library; then the book, and its chapters' stored outputs
	@echo "1 of 3: lint"
	$(BIN)/ruff check .
	@echo "2 of 3: the library and its types; beside them the book, if it is older than its sources"
	@$(MAKE) --no-print-directory --jobs=2 types library built
	@echo "3 of 3: the book, its chapters and the project"
	$(PYTEST) $(NBVAL) $(QUICK) -o cache_dir=$(CACHE) --cache-clear $(OTHERS) || \
	  $(BIN)/python book/tools/again.py $(CACHE)

types: .venv/stamp
	$(BIN)/mypy

library: .venv/stamp
	$(PYTEST) $(QUICK) $(LIBRARY)

proof: ## what has to hold before a change lands: `make test`, every chapter, every page in a browser
	CI=true $(MAKE) test

release-proof: .tools/spark/stamp ## what has to hold before a tag: `make proof`, a stranger's clone, the sources' own tests
	CI=true $(MAKE) test QUICK='-m ""'

serve: book ## serve the book on http://127.0.0.1:8000, another PORT=, or to others: HOST=0.0.0.0
	$(BIN)/python -m http.server --bind $(HOST) --directory $(HTML) $(PORT)

# In a container one is root, which Jupyter refuses unless it is told.
lab: .venv/stamp ## open the chapters in JupyterLab, at a list of them; in a container: HOST=0.0.0.0
	@$(BIN)/python book/tools/contents.py book/_build/contents.md
	@mkdir -p .venv/share/jupyter/lab/settings
	@cp book/tools/lab.json .venv/share/jupyter/lab/settings/overrides.json
	$(BIN)/jupyter lab --notebook-dir book --LabApp.default_url=/lab/tree/_build/contents.md \
	  --ip $(HOST) $(if $(filter 0,$(shell id -u)),--allow-root --no-browser)

notebooks: .venv/stamp ## run every chapter again and store its outputs
	$(BIN)/python book/tools/run_notebooks.py $(CHAPTERS)

transcripts: .venv/stamp ## run what README.md and the book show of a terminal, and store what it prints
	$(BIN)/python book/tools/transcripts.py

reproduce: .venv/stamp ## print the ledger, or that of one PAPER=vilain1995; FORMAT=json
	@PYTHONPATH=book $(BIN)/python -m corefbook $(PAPER) --format $(or $(FORMAT),table)

release: book ## write into dist/ what one deposits and cites, with its hashes
	@$(BIN)/python book/tools/release.py

size: .venv/stamp ## count lines of code by folder, names and options of the library, pages of the book
	$(BIN)/python book/tools/size.py $(CHECKOUT)

# Alone in one process, and with no option of the tests.
bench: .venv/stamp ## CPU time and memory of what it does, beside those kept; ONLY="explain or Scorer", KEEP=1
	$(BIN)/pytest -q -o addopts= -p no:nbval -k "$(ONLY)" tests/benchmarks/speed.py

mutants: .venv/stamp ## plant 200 faults in the library, and say which tests notice which; OPTIONS="--seed 2"
	$(BIN)/python book/tools/mutants.py $(OPTIONS)

costs: .venv/stamp ## CPU seconds of each file of tests, a browser's included; FILES="tests/book/test_walks.py"
	$(BIN)/python book/tools/seconds.py $(or $(FILES),$(shell find tests -name 'test_*.py'))

# Some 430 MB, and Java with it: beside the environment, which make proof does without.
spark: .tools/spark/stamp ## install Spark, which needs Java 17, and have it count what labels count
	$(BIN)/pytest -n 0 -m release tests/library/scale/test_spark.py

lock: $(UV) ## bring requirements.lock up to date with pyproject.toml
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	  --all-extras $(GROUPS) pyproject.toml --output-file requirements.lock
	sed -e '/--hash=/d' -e 's/ \\$$//' requirements.lock > book/requirements.txt

clean: ## remove what was built: the book, the environment, the caches
	rm -rf book/_build book/playground/node_modules .venv .tools .mutants .pytest_cache .mypy_cache .ruff_cache .hypothesis dist

# Removed first: on a second run Sphinx is silent about the warnings of pages that did not change.
# Warnings and errors are told elsewhere than how one opens the book, which make says itself.
# The stamp comes last: without it the book is built again, whatever stopped the build before.
book/_build/stamp: .venv/stamp $(SOURCES) $(PLAYGROUND)
	rm -rf book/_build
	$(BIN)/jupyter-book build --quiet --warningiserror --keep-going book >/dev/null
	@rm $(HTML)/.buildinfo # the one file that depends on where the checkout lies
	@touch $@

book/playground/node_modules/.package-lock.json: book/playground/package-lock.json book/playground/compile.mjs
	@cd book/playground && npm ci --loglevel=error && \
	  node compile.mjs stdlib node_modules/pyodide/python_stdlib.zip && touch node_modules/.package-lock.json || \
	  echo "npm could not install the interpreter: the book is built without its playground" >&2

.venv/stamp: requirements.lock pyproject.toml | $(UV)
	@$(CHECK_PYTHON)
	$(UV) venv --quiet --clear --python $(PYTHON) .venv
	$(UV) pip sync --quiet --compile-bytecode --python $(BIN)/python --require-hashes requirements.lock
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

.tools/spark/stamp: pyproject.toml | .venv/stamp
	rm -rf .tools/spark
	$(UV) pip install --quiet --python $(BIN)/python --target .tools/spark --group spark
	@touch $@

.tools/bin/uv: book/tools/uv.txt
	@$(CHECK_PYTHON)
	$(PYTHON) -m venv .tools
	.tools/bin/pip install --quiet --disable-pip-version-check --require-hashes --requirement book/tools/uv.txt
	@touch $@

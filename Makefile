# Everything a person does here, from a bare machine with Python 3.11 or newer. `make` alone lists it.
# Steps leave a stamp, so nothing is done twice as long as nothing changed.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# Images for containers often forbid it. Then each of the hundred processes that a run of the tests starts compiles all it
# imports anew: 3 s instead of 0.7.
export PYTHONDONTWRITEBYTECODE :=

# The first Python that is new enough, by trying: a version's name says nothing about what is installed.
PYTHON ?= $(firstword $(foreach name,python3 python3.11 python3.12 python3.13 python3.14 python,$(shell \
	$(name) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(name))))
VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/stamps

.PHONY: help run test check format lock seed fuzz audit bench load faults soak validate schema screenshots clean

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@echo "  PORT, DATABASE_URL and REDIS_URL switch \`make run\` and \`make test\` to what they name; docs/settings.md has the rest."

# --- The environment -------------------------------------------------------------------------------------------------

$(STAMPS)/venv:
	@if [ -z "$(PYTHON)" ]; then echo "No Python 3.11 or newer was found: install one, or name it with PYTHON=..." >&2; exit 1; fi
	@if [ ! -x $(BIN)/python ]; then \
		echo "Making $(VENV) with $(PYTHON)"; \
		$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "$(PYTHON) cannot make an environment: on Debian, apt-get install python3-venv" >&2; exit 1; }; \
	fi
	@mkdir -p $(STAMPS) && touch $@

# uv installs in seconds what plain pip needs half a minute for; both check the same hashes.
define install
	@if command -v uv >/dev/null; then uv=uv; else \
		[ -x $(BIN)/uv ] || $(BIN)/python -m pip install --quiet --require-hashes --no-deps -r requirements-installer.txt 2>/dev/null || \
			echo "uv is not to be had; plain pip does it, slower."; \
		uv=$(BIN)/uv; fi; \
	echo "Installing $(1)"; \
	if command -v $$uv >/dev/null; then $$uv pip install --quiet --python $(BIN)/python --require-hashes -r $(1); \
	else $(BIN)/python -m pip install --quiet --require-hashes -r $(1); fi
	@touch $@
endef

$(STAMPS)/run: requirements.txt $(STAMPS)/venv
	$(call install,requirements.txt)

$(STAMPS)/dev: requirements-dev.txt $(STAMPS)/run
	$(call install,requirements-dev.txt)

# npm only fetches what the pages load; without one, a package brings it along.
$(STAMPS)/assets: package.json package-lock.json $(STAMPS)/venv
	@if ! command -v npm >/dev/null; then $(MAKE) --no-print-directory $(STAMPS)/node; fi
	@echo "Installing package-lock.json"
	@PATH="$$PATH:$(CURDIR)/$(BIN)" npm ci --ignore-scripts --loglevel=error
	@touch $@

$(STAMPS)/node: requirements-node.txt $(STAMPS)/venv
	$(call install,requirements-node.txt)

$(STAMPS)/audit: requirements-audit.txt $(STAMPS)/dev
	$(call install,requirements-audit.txt)

# --- What one does ---------------------------------------------------------------------------------------------------

run: $(STAMPS)/run $(STAMPS)/assets ## start the service on this machine: pages, worker and beat, with a demo world
	@exec $(BIN)/python -m server.run

# Each core its own process with servers of its own; a file stays in one, for what it shares. CORES= runs all in one.
CORES ?= -n auto --dist loadfile --no-loadscope-reorder

test: $(STAMPS)/dev $(STAMPS)/assets ## run every test: on PostgreSQL and Redis, in a browser, and on the embedded default
	@failed=0; \
	echo "== On PostgreSQL and Redis, and in a browser"; $(BIN)/python -m pytest $(CORES) $(ARGS) || failed=1; \
	echo "== On the embedded default"; $(BIN)/python -m pytest $(CORES) --embedded $(ARGS) || [ $$? -eq 5 ] || failed=1; \
	exit $$failed

check: $(STAMPS)/dev $(STAMPS)/assets ## check style, types, rooms, migrations, settings, schema, catalogue and docs
	@$(MAKE) --no-print-directory --keep-going $(addprefix check-,$(CHECKS))
	@echo "All checks passed."

CHECKS := style types rooms migrations settings schema compose catalogue
# Checks read the code, not the data: an empty database in memory is all they need.
MANAGE := DATABASE_URL=sqlite://:memory: $(BIN)/python manage.py
.PHONY: $(addprefix check-,$(CHECKS))

check-style:
	@echo "== Style"; $(BIN)/ruff check . && $(BIN)/ruff format --check .

check-types:
	@echo "== Types"; $(BIN)/mypy

check-rooms:
	@echo "== Rooms import downward only"; $(BIN)/lint-imports --no-cache

check-migrations:
	@echo "== No migration is missing"; $(MANAGE) makemigrations --check --dry-run

# The settings of a server that strangers can reach, with nothing set but what must be.
check-settings:
	@echo "== Production settings"; SECRET_KEY=$$($(BIN)/python -c 'import secrets; print(secrets.token_urlsafe(50))') \
		ALLOWED_HOSTS=gym.example EMAIL_URL=smtps://mail.gym.example $(MANAGE) check --deploy --fail-level WARNING

check-schema:
	@echo "== docs/openapi.yaml and docs/problem.schema.json are what the code says"; mkdir -p var/schema; \
	$(MANAGE) spectacular --validate --fail-on-warn --file var/schema/openapi.yaml; \
	$(MANAGE) problem schema > var/schema/problem.schema.json; \
	for name in openapi.yaml problem.schema.json; do \
		diff -u docs/$$name var/schema/$$name || { echo "docs/$$name is stale: run make schema." >&2; exit 1; }; \
	done

check-compose:
	@echo "== docker-compose.yml"; if docker compose version >/dev/null 2>&1; then \
		docker compose -f docker-compose.yml config --quiet; \
	else echo "Not checked here: there is no docker compose. tests/server/test_compose.py reads the file all the same."; fi

check-catalogue:
	@echo "== Skills and problems hold together"; $(MANAGE) problem skills
	@echo "== Every card of every deck"; $(MANAGE) deck check
	@echo "== Every problem over $(SEEDS) seeds"; basename -s .yaml exercises/catalogue/problems/*.yaml | \
		xargs -P 2 -n 6 env $(MANAGE) problem check --seeds $(SEEDS)

SEEDS ?= 1000

format: $(STAMPS)/dev ## put the code in its one format
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

lock: $(STAMPS)/dev ## write the locks anew from pyproject.toml and package.json
	@compile="$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate"; \
	$$compile pyproject.toml -o requirements.txt; \
	$$compile pyproject.toml --group dev -c requirements.txt -o requirements-dev.txt; \
	$$compile --group installer -c requirements-dev.txt -o requirements-installer.txt; \
	$$compile --group node -o requirements-node.txt; \
	$$compile --group audit -c requirements-dev.txt -o requirements-audit.txt
	@npm install --package-lock-only --ignore-scripts --loglevel=error

seed: $(STAMPS)/run $(STAMPS)/assets ## migrate, load the catalogue and make the demo world, without starting anything
	@$(BIN)/python manage.py prepare --demo

schema: $(STAMPS)/dev ## write docs/openapi.yaml and docs/problem.schema.json anew
	@$(MANAGE) spectacular --validate --fail-on-warn --file docs/openapi.yaml
	@$(MANAGE) problem schema > docs/problem.schema.json

SECONDS ?= 60
SEED ?= 0
fuzz: $(STAMPS)/dev ## try the readers of what others send on hostile inputs: SECONDS= each, READER= only one
	@$(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(if $(READER),--reader $(READER)) --seed $(SEED)

audit: $(STAMPS)/audit ## ask which of the locked packages have known holes, where the lists of holes can be reached
	@$(BIN)/python -m tests.audit

bench: $(STAMPS)/dev $(STAMPS)/assets ## measure against floors from the same run; writes var/bench/latest.json
	@$(BIN)/python -m tests.bench

load: $(STAMPS)/dev $(STAMPS)/assets ## let a class of a thousand hand in at once, beside the same without marking and the bare floor
	@$(BIN)/python -m tests.load

faults: $(STAMPS)/dev $(STAMPS)/assets ## let a hundred things go wrong while a class answers, and count; COUNT= and SEED= choose
	@$(BIN)/python -m tests.load.faults --count $(or $(COUNT),100) --seed $(or $(SEED),1)

MINUTES ?= 10
soak: $(STAMPS)/dev $(STAMPS)/assets ## let a class answer for MINUTES= at half load, and tell what each part holds
	@$(BIN)/python -m tests.load.soak --minutes $(MINUTES)

validate: $(STAMPS)/dev ## try the learner model on simulated learners and on real answers, beside other models
	@$(BIN)/python -m tests.bench.learning

screenshots: $(STAMPS)/dev $(STAMPS)/assets ## take the pictures of the README anew
	@$(BIN)/python -m pytest tests/screenshots.py -q -p no:randomly

clean: ## remove what was built and all local data; asks for nothing, so mind what is in var/
	rm -rf $(VENV) node_modules var .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

# Everything is run through `make`; `make help` lists the verbs. The environment sets itself up on the first use.

SUBMISSIONS ?= examples/submissions
REPORTS ?=
DEVICE ?=
JOBS ?=
ASSIGNMENT ?=
EXERCISE ?=
ARGS ?=
TORCH_INDEX ?=
TORCH_FLAGS ?=
TESTS ?=
GROUPS ?=

# The example class has a folder of its own, so that a teacher's class is never mixed with it.
GRADED_INTO = $(or $(REPORTS),$(if $(filter examples/submissions,$(SUBMISSIONS)),reports-example,reports))
OTHER_TIERS := --tier landlock --tier no-open --tier waiting --tier heavy
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.stamp
TEST_STAMP := $(VENV)/.stamp-tests
# One process a core; the tests of a file, or of a folder that shares something, go to one of them.
PYTEST = $(BIN)/python -m pytest --numprocesses $(or $(JOBS),logical) --dist loadscope
POT := $(VENV)/grader.pot
pybabel = $(BIN)/pybabel --quiet
SUPPORTED := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))

# nbgrader and others start programs by name, so the environment comes first.
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
unexport PYTHONPATH PYTHONHOME
# A container's setting; compiling the kit and its tests anew in each of hundreds of processes takes minutes of a test.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup grade pages check watch lint quick test nightly verify build locale release doctor bench gpu-report lock clean

help: ## Say what each verb does.
	@echo "make VERB [NAME=VALUE ...]"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: ## Set up .venv (PYTHON=, TORCH_INDEX=, TESTS=1); every other verb does it when needed.
	@$(set_up) $(if $(TESTS),--tests)

grade: $(STAMP) ## Grade a class (SUBMISSIONS=, REPORTS=, DEVICE=, JOBS=); the example class by default.
	@$(BIN)/grader grade "$(SUBMISSIONS)" --output "$(GRADED_INTO)" \
		$(if $(DEVICE),--device "$(DEVICE)") $(if $(JOBS),--jobs "$(JOBS)") $(ARGS); status=$$?; \
	if [ $$status -eq 1 ]; then \
		echo "Some submissions could not be graded: their reports say why. All others are graded."; exit 0; \
	fi; \
	exit $$status

pages: $(STAMP) ## Make pages of the reports, for students and the class (REPORTS=, ARGS=).
	@$(BIN)/grader pages "$(or $(REPORTS),reports)" $(ARGS)

check: $(STAMP) ## Run the visible checks on your own work (ARGS=PATH).
	@$(BIN)/grader check $(ARGS)

watch: $(STAMP) ## Run them again on every save, with hints and a list (ARGS=PATH).
	@$(BIN)/grader watch $(ARGS)

lint: $(TEST_STAMP) ## Check style, types, imports between rooms, and whether assignments/ is in step.
	@echo "ruff check" && $(BIN)/ruff check --quiet .
	@echo "ruff format" && $(BIN)/ruff format --check --quiet . || \
		{ echo "Some files are not formatted: run ruff format, or look with ruff format --diff."; exit 1; }
	@echo "mypy" && $(BIN)/mypy --no-error-summary
	@echo "lint-imports" && { found=$$($(BIN)/lint-imports --no-logo 2>&1) || { echo "$$found"; exit 1; }; }
	@echo "grader build --check" && $(BIN)/grader build --check

quick: $(TEST_STAMP) ## The tests that start no process but workers, in seconds (ARGS=, JOBS=).
	@$(PYTEST) tests/unit $(ARGS)

test: lint ## The checks of `make lint`, the tests of `make quick`, then real runs and this course (ARGS=, JOBS=).
	@status=0; for tests in "tests/unit" "tests/integration tests/attacks tests/course"; do \
		$(PYTEST) $$tests $(ARGS) || status=$$?; \
	done; exit $$status

nightly: $(if $(GROUPS),$(TEST_STAMP),test) ## All tests, or groups of tests/nightly alone (GROUPS="tiers gpu", ARGS=, JOBS=).
	@$(PYTEST) $(addprefix tests/nightly/,$(or $(GROUPS),.)) $(ARGS)
	@$(if $(filter tiers,$(or $(GROUPS),tiers)),$(PYTEST) tests/integration/jail tests/attacks $(OTHER_TIERS) $(ARGS))

verify: $(STAMP) ## Prove the suites by right answers, mistakes and mutants (ASSIGNMENT=, EXERCISE=, ARGS=--all).
	@$(BIN)/grader verify $(if $(ASSIGNMENT),--assignment "$(ASSIGNMENT)") \
		$(if $(EXERCISE),--exercise "$(EXERCISE)") $(if $(JOBS),--jobs "$(JOBS)") $(ARGS)

build: $(STAMP) ## Make assignments/ from solutions/ and tests/visible/.
	@$(BIN)/grader build $(ARGS)

locale: $(TEST_STAMP) ## Collect the sentences to translate into grader/locale, and compile its catalogues.
	@$(pybabel) extract --mapping pyproject.toml --keywords N_ --keywords Words --add-location file --sort-by-file --output "$(POT)" grader
	@$(pybabel) update --domain grader --width 120 --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date \
		--input-file "$(POT)" --output-dir grader/locale
	@$(pybabel) compile --domain grader --directory grader/locale

release: $(STAMP) ## Make the zip file that students get, in dist/ (ARGS="--output DIR").
	@$(BIN)/grader release $(ARGS)

doctor: $(STAMP) ## Say what this machine offers and which isolation is proven.
	@$(BIN)/grader doctor $(ARGS)

bench: $(STAMP) ## Measure what grading costs, and write docs/performance.md (ARGS=--quick).
	@$(BIN)/python -m benchmarks $(ARGS)

gpu-report: $(STAMP) ## Grade everything on CPU, pretended device and GPU, and write docs/gpu-report.md (ARGS=--without-cuda).
	@$(BIN)/python -m benchmarks.devices $(if $(JOBS),--jobs "$(JOBS)") $(ARGS)

lock: ## Write both locks anew from requirements.in and requirements-test.in (needs uv).
	@command -v uv >/dev/null || { echo "make lock needs uv, and no uv was found: pip install uv"; exit 2; }
	@$(compile) --output-file requirements.lock requirements.in >/dev/null
	@$(compile) --output-file requirements-test.lock requirements-test.in >/dev/null

clean: ## Remove .venv and all caches; reports and the course's secret stay.
	@rm -rf $(VENV) .venv.lock build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Find the Python that .venv was made with, or the first that runs and fits; a name on the path is no proof of that.
define set_up
python="$(PYTHON)"; \
if [ -z "$$python" ]; then \
	kept=$$("$(BIN)/python" -c 'import sys; print(sys._base_executable)' 2>/dev/null); \
	for name in "$$kept" python3.11 python3.12 python3.13 python3 python; do \
		if [ -n "$$name" ] && "$$name" -c '$(SUPPORTED)' >/dev/null 2>&1; then python="$$name"; break; fi; \
	done; \
fi; \
if [ -z "$$python" ]; then \
	echo "Python 3.11, 3.12 or 3.13 is needed, and none was found;" \
		"python3 is $$(python3 --version 2>&1 || true)." >&2; \
	echo "Install one, or name one: make setup PYTHON=/path/to/python3.11" >&2; exit 2; \
fi; \
"$$python" .ci/environment.py --torch-index="$(TORCH_INDEX)" --torch-flags="$(TORCH_FLAGS)"
endef

# For all supported Pythons and systems at once, from the usual index whatever this machine's settings are.
define compile
env -u UV_FIND_LINKS -u UV_INDEX_URL -u UV_EXTRA_INDEX_URL -u UV_DEFAULT_INDEX -u UV_INDEX \
	uv pip compile --quiet --no-config --universal --generate-hashes --python-version 3.11 \
	--custom-compile-command "make lock"
endef

# An environment holds the path of its folder; in a folder that was moved or copied it is made anew.
ifneq ($(shell cat $(STAMP) 2>/dev/null),$(CURDIR))
.PHONY: $(STAMP)
endif
ifneq ($(shell cat $(TEST_STAMP) 2>/dev/null),$(CURDIR))
.PHONY: $(TEST_STAMP)
endif

$(STAMP): requirements.lock pyproject.toml .ci/environment.py
	@$(set_up)

$(TEST_STAMP): requirements.lock requirements-test.lock pyproject.toml .ci/environment.py
	@$(set_up) --tests

# `make run` and `make test` set up everything they need. `make bench` measures speed and memory.
PYTHON ?= python3
TASKS ?= sample
AGENTS ?= dismiss,ignore,heuristic
JOBS ?= 4
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# The extras to install, comma-separated; targets that need further ones install them.
EXTRAS ?= dev
PIP_INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --no-compile
comma := ,
COMPILED := $(VENV)/.compiled

# Without compiled modules every virtual phone and every command compiles the whole package again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test test-runs test-guides test-browser test-ray prove fuzz baseline lint docs bench apk apk-check compiled clean

# Two tasks per app under clean, dual and forced; `make run TASKS=all` runs the whole suite.
run: $(STAMP)
	$(BIN)/garabench run --device virtual --tasks $(TASKS) --agents $(AGENTS) --jobs $(JOBS) --out runs/$$(date +%Y%m%d-%H%M%S) $(ARGS)

# Three workers on two cores, since some tests wait for virtual phones; each collects all tests for itself.
# The fixed profile repeats the same property examples; plain `pytest` draws new ones.
test: $(STAMP) $(COMPILED)
	$(BIN)/pytest -n 3 --dist worksteal --hypothesis-profile=fixed --ignore=tests/docs/test_guides.py \
		--deselect=tests/cli/test_help.py::test_examples_run $(addprefix --ignore=,$(RUNS) $(HOUSE)) $(ARGS)

# Whole runs, kills at any point, emulators, and proofs: each of these modules takes several seconds of a core.
RUNS := $(addprefix tests/e2e/test_,app_not_responding.py device_aliases.py disconnecting_agents.py emulator.py \
	end_criterion.py exit_proofs.py external_agents.py interrupted_runs.py model_agents.py model_faults.py model_runs.py \
	older_android_versions.py perception_drift.py prove.py recovery.py split_screen.py undo.py unusable_devices.py \
	virtual_phone_leases.py) \
	$(addprefix tests/,agentcheck/test_check_agent.py bundled_suite/test_infeasible_on_phone.py \
	bundled_suite/test_mutations.py cli/test_confirm.py cli/test_interruptions_gallery.py \
	device/emulators/test_emulator.py proof/fuzz/test_fuzz_task.py virtual/apps/companion/test_library.py \
	virtual/test_phone_process.py virtual/test_standalone.py virtual/ui/test_tree_and_screenshot.py)
test-runs: $(STAMP)
	$(BIN)/pytest -n 4 --dist worksteal --hypothesis-profile=fixed $(RUNS) $(ARGS)

# Run every command and program of README, docs and help pages.
test-guides: $(STAMP)
	$(BIN)/pytest -n 4 --dist worksteal tests/docs/test_guides.py tests/cli/test_help.py::test_examples_run $(ARGS)

# The pages in a headless Chromium. Needs: chromium
test-browser: $(STAMP)
	$(BIN)/pytest -n 2 --hypothesis-profile=fixed -o addopts="-ra --import-mode=importlib --strict-markers --strict-config" tests/browser $(ARGS)

# Campaigns on a Ray cluster of several processes on loopback, whose workers and nodes are killed.
test-ray: $(VENV)/.extra-ray
	$(BIN)/pytest -o addopts="-ra --import-mode=importlib --strict-markers --strict-config" tests/ray $(ARGS)

# Prove all feasible and infeasible tasks; evidence of failures goes to runs/proofs.
# Three groups of phones on two cores, since runner and phone wait for each other.
prove: $(STAMP)
	@status=0; for tasks in all infeasible; do \
		$(BIN)/garabench tasks prove $$tasks --brief --jobs 3 $(ARGS) || status=1; \
	done; exit $$status

# Insert random actions into all solutions, and compare the goals' verdicts with the apps' state.
fuzz: $(STAMP)
	$(BIN)/garabench tasks fuzz $(ARGS)

# Run the baseline agent, which needs no model, on all tasks.
baseline: $(STAMP)
	$(BIN)/garabench run --device virtual --agents heuristic --out runs/baseline $(ARGS)

bench: $(STAMP)
	$(BIN)/python -m benchmarks $(ARGS)

# The API reference, from the docstrings of the public names; a warning is an error.
docs: $(STAMP)
	$(BIN)/python docs/reference.py build/reference

# Rules of this project that linters do not know: they read the sources, and run nothing of the package.
HOUSE := $(addprefix tests/test_,commits.py house_rules.py words.py)
lint: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q $(HOUSE)

# Modules are compiled when they are first imported: most modules of the dependencies never are.
$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "GaraBench needs Python 3.11 or newer. Run: make PYTHON=/path/to/python3.11 run"; exit 2; }
	@$(PYTHON) -m venv $(VENV) || { echo "GaraBench needs Python's venv module. On Debian or Ubuntu, run: sudo apt-get install python3-venv"; rm -rf $(VENV); exit 2; }
	$(PIP_INSTALL) -e '.[$(EXTRAS)]'
	@touch $@ $(addprefix $(VENV)/.extra-,$(subst $(comma), ,$(EXTRAS)))

$(VENV)/.extra-%: $(STAMP)
	$(PIP_INSTALL) -e '.[$*]'
	@touch $@

# On a fresh checkout each worker and each phone would compile all modules again, for ten seconds.
# This is only for speed, so a test that cannot be collected is reported by the target that runs it.
$(COMPILED): $(STAMP)
	@$(BIN)/python -m compileall -q -j 2 garabench
	@ls -d tests/*/ | xargs -n 20 -P 2 $(BIN)/pytest --collect-only -q >/dev/null 2>&1 || true
	@touch $@

compiled: $(COMPILED)

# Build the companion app without an Android SDK. Needs: openjdk-17-jdk-headless aapt zipalign apksigner
apk:
	$(PYTHON) interruption_apk/build.py build

apk-check: $(VENV)/.extra-apk
	$(PYTHON) interruption_apk/build.py check
	$(PYTHON) interruption_apk/build.py test
	$(BIN)/pytest -q interruption_apk/tests

clean:
	rm -rf $(VENV) build dist *.egg-info

# Two commands set everything up by themselves: `make run` and `make test`. `make bench` measures speed and memory.
PYTHON ?= python3
TASKS ?= bilibili,jd
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: run test prove baseline lint bench apk apk-check clean

run: $(STAMP)
	$(BIN)/garabench run --device virtual --tasks $(TASKS) --out runs/$$(date +%Y%m%d-%H%M%S) $(ARGS)

# Three at once on two cores, since many tests wait for phones; who is done takes over from who is not.
# The properties' examples are the same at each run; `pytest` itself draws new ones.
test: $(STAMP)
	$(BIN)/pytest -n 3 --dist worksteal --hypothesis-profile=fixed $(ARGS)

# Every task of the suite, and those that cannot be done; what fails is kept below runs/proofs.
prove: $(STAMP)
	@status=0; for tasks in all infeasible; do \
		$(BIN)/garabench tasks prove $$tasks --brief $(ARGS) || status=1; \
	done; exit $$status

# The agent that needs no model, on every task, with and without interruptions.
baseline: $(STAMP)
	$(BIN)/garabench run --device virtual --agents heuristic --out runs/baseline $(ARGS)

bench: $(STAMP)
	$(BIN)/python -m benchmarks $(ARGS)

lint: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "GaraBench needs Python 3.11 or newer; run: make PYTHON=/path/to/python3.11 run"; exit 2; }
	@$(PYTHON) -m venv $(VENV) || { echo "GaraBench makes its environment with Python's venv module, which is not there. On Debian or Ubuntu: sudo apt-get install python3-venv; then the same command again."; rm -rf $(VENV); exit 2; }
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

# The companion app for phones, without an Android SDK; needs: openjdk-17-jdk-headless aapt zipalign apksigner
apk:
	$(PYTHON) interruption_apk/build.py build

apk-check: $(STAMP)
	$(PYTHON) interruption_apk/build.py check
	$(PYTHON) interruption_apk/build.py test
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[apk]'
	$(BIN)/pytest -q interruption_apk/tests

clean:
	rm -rf $(VENV) build dist *.egg-info

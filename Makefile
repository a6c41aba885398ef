# Thin on purpose: each target installs the packages it needs and calls the tool that does the
# work. `make` alone lists them.

prefix = /usr/local
ARGS =
FUZZ_SECONDS = 600

RELEASE = build/release
BENCH = build/bench
DEV = build/dev
FUZZ = build/fuzz
TIDY = build/tidy
VALGRIND = build/valgrind

# $(call setup,DIRECTORY,OPTIONS): configured once; delete the directory to begin anew.
setup = test -f $(1)/build.ninja || meson setup $(1) $(2)

.NOTPARALLEL:
.PHONY: help build run test bench fuzz valgrind tidy format install clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

build: ## build the release
	@tools/install-packages run
	@$(call setup,$(RELEASE),--buildtype=release -Dtests=disabled --prefix=$(prefix))
	@meson compile -C $(RELEASE)

run: build ## build the release and run it: make run ARGS='watch --lines'
	@$(RELEASE)/src/cmd/refault $(ARGS)

test: ## run all tests with sanitizers
	@tools/install-packages run test
	@$(call setup,$(DEV),--native-file build-dev.ini)
	@rm -f $(DEV)/meson-logs/testlog.json
	@meson compile -C $(DEV) && meson test -C $(DEV) --print-errorlogs; status=$$?; \
	tools/test-summary $(DEV)/meson-logs/testlog.json && exit $$status

bench: ## measure
	@tools/install-packages run test
	@$(call setup,$(BENCH),--buildtype=release)
	@meson test -C $(BENCH) --benchmark --verbose

fuzz: ## run every fuzz target for FUZZ_SECONDS=600
	@tools/install-packages run test dev
	@export CC=clang; $(call setup,$(FUZZ),--native-file build-dev.ini -Dfuzz=true)
	@meson compile -C $(FUZZ)
	@tools/fuzz $(FUZZ) $(FUZZ_SECONDS)

valgrind: ## run the unit tests under valgrind
	@tools/install-packages run test dev
	@$(call setup,$(VALGRIND),--buildtype=debugoptimized)
	@rm -f $(VALGRIND)/meson-logs/testlog-valgrind.json
	@meson test -C $(VALGRIND) --suite unit --print-errorlogs --timeout-multiplier 20 --wrap \
	'valgrind --quiet --error-exitcode=1 --leak-check=full'; \
	status=$$?; tools/test-summary $(VALGRIND)/meson-logs/testlog-valgrind.json && exit $$status

tidy: ## run clang-tidy over src/
	@tools/install-packages run test dev
	@export CC=clang; $(call setup,$(TIDY),--buildtype=debugoptimized -Dtests=disabled)
	@meson compile -C $(TIDY)
	@run-clang-tidy -quiet -p $(TIDY) '/src/.*[.]c$$'

format: ## rewrite the C files as clang-format would
	@tools/install-packages test
	@find src tests -name '*.[ch]' -print0 | xargs -0 clang-format -i

install: build ## install into prefix=/usr/local, below DESTDIR
	@meson configure $(RELEASE) -Dprefix=$(prefix)
	@DESTDIR=$(DESTDIR) meson install -C $(RELEASE)

clean: ## delete all that was built
	@rm -rf build

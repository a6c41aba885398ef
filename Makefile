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
.PHONY: help build run test demo lab lab-guards lab-peers lab-full bench fuzz valgrind tidy format install clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

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

# What the lab needs beside the program: QEMU, and a kernel fetched through this machine's apt.
define lab_tools
	@tools/install-packages run lab
	@$(RELEASE)/src/cmd/refault lab kernels fetch $(1)
endef

demo: build ## boot the same leak three times: alone, with swap, with memory.min
	$(call lab_tools,6.12)
	@rm -rf build/demo
	@$(RELEASE)/src/cmd/refault lab run demo --output build/demo || [ -d build/demo/demo.alone.1 ]
	@$(RELEASE)/src/cmd/refault diagnose --worst --from build/demo/demo.alone.1; :
	@echo
	@echo "The third machine differs in one line, in the service's unit and in its slice: MemoryMin=56M"

# The names of the shipped scenarios with a tag.
tagged = $$(sed -n '/^tags = .*\<$(1)\>/F' src/lab/scenarios/*.ini | xargs -n 1 basename -s .ini)

lab: build ## is each verdict right, and each kill? a quick set of scenarios in guests
	$(call lab_tools,6.12)
	@rm -rf build/lab build/lab-guard
	@$(RELEASE)/src/cmd/refault lab verify --quick --output build/lab \
	>build/lab.txt; status=$$?; \
	$(RELEASE)/src/cmd/refault lab verify $(call tagged,guard-quick) --arm refault \
	--output build/lab-guard >>build/lab.txt || status=$$?; \
	cat build/lab.txt; exit $$status

LAB_REPEAT = 5
LAB_GUARD_ARMS = *
LAB_GUARD_KERNELS = 6.12
GUARDS = build/lab-guards

lab-guards: build ## every guard scenario with every arm, LAB_REPEAT=5 times: hours; goes on where it was
	$(call lab_tools,$(LAB_GUARD_KERNELS))
	@$(RELEASE)/src/cmd/refault lab run $(call tagged,guard) --arm '$(LAB_GUARD_ARMS)' \
	$(LAB_GUARD_KERNELS:%=--kernel %) --repeat $(LAB_REPEAT) --seed 1 --resume \
	--output $(GUARDS) >build/lab-guards.txt; \
	$(RELEASE)/src/cmd/refault lab judge $(GUARDS); \
	tools/guards-keep $(RELEASE)/src/cmd/refault $(GUARDS) >$(GUARDS)/runs.jsonl; \
	tools/guards-table $(GUARDS)/runs.jsonl >$(GUARDS)/table.md

PEERS = peers peers-g02 peers-g05 peers-g09 peers-g10 peers-g12
PEERS_REPEAT = 5
PEERS_FOLDER = build/lab-peers

lab-peers: build ## other guards on one machine, PEERS_REPEAT=5 times: hours; goes on where it was
	@tools/install-packages peers
	$(call lab_tools,6.12)
	@tools/peers-image
	@mkdir -p $(dir $(PEERS_FOLDER))
	@$(RELEASE)/src/cmd/refault lab run $(PEERS) --kernel 6.12 --repeat $(PEERS_REPEAT) --seed 1 \
	--resume --output $(PEERS_FOLDER) >$(PEERS_FOLDER).txt; status=$$?; \
	cat $(PEERS_FOLDER).txt; exit $$status

LAB_KERNELS = 6.1 6.12 7
ARTICLES = article-a article-b article-c article-d article-e

lab-full: build ## all scenarios on all kernels, and all articles: hours
	$(call lab_tools,$(LAB_KERNELS))
	@rm -rf build/lab-full
	@mkdir -p build/lab-full
	@$(RELEASE)/src/cmd/refault lab verify $(LAB_KERNELS:%=--kernel %) \
	--output build/lab-full/verify; status=$$?; \
	for article in $(ARTICLES); do \
		$(RELEASE)/src/cmd/refault lab run $$article \
		--output build/lab-full/$$article || status=$$?; \
	done; exit $$status

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
	@# What the guest has of the lower floors is compiled twice, and clang-tidy 14 sees faults in
	@# a function with variable arguments the second time.
	@mkdir -p $(TIDY)/once
	@jq 'unique_by(.file)' $(TIDY)/compile_commands.json >$(TIDY)/once/compile_commands.json
	@run-clang-tidy -quiet -p $(TIDY)/once '/src/.*[.]c$$'

format: ## rewrite the C files as clang-format would
	@tools/install-packages test
	@find src tests -name '*.[ch]' -print0 | xargs -0 clang-format -i

install: build ## install into prefix=/usr/local, below DESTDIR
	@meson configure $(RELEASE) -Dprefix=$(prefix)
	@DESTDIR=$(DESTDIR) meson install -C $(RELEASE)

clean: ## delete all that was built
	@rm -rf build

# ipubox. `make help` lists the targets.
#
# The same sources are compiled in several flavours, each in a directory of its
# own below build/:
#   obj     the release: musl, static           -> build/ipubox
#   test    the release with fault points       -> build/test/
#           (the same objects, but for those of sources that have such points)
#   debug   musl, not optimised, with symbols   -> build/debug/ipubox
#   asan    glibc with ASan, UBSan and LSan     -> build/asan/
#   tsan    glibc with ThreadSanitizer          -> build/tsan/
#   fuzz    clang with libFuzzer and sanitizers -> build/fuzz/
#   strict  musl-gcc, warnings are errors       (lint)
#   clang   clang, warnings are errors          (lint)

VERSION  = 0.1.0
PREFIX  ?= /usr/local
MUSL_CC ?= musl-gcc
HOST_CC ?= gcc
CLANG   ?= clang
CFLAGS  ?= -O2
FUZZ_SECONDS ?= 10
B        = build

# As many jobs as processors, unless -j says otherwise.
MAKEFLAGS += --no-builtin-rules -j$(shell nproc)

# `make V=1` shows the commands in full.
Q = $(if $(V),,@)

WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wcast-qual \
	-Wformat=2 -Wvla -Wundef -Wimplicit-fallthrough $(WERROR)
# No fused multiply-add and no path of this directory in the objects: the same
# numbers and the same bytes wherever it is built.
COMPILE  = -std=c11 -D_GNU_SOURCE -DIPUBOX_VERSION='"$(VERSION)"' -I. \
	-include core/base/banned.h -MMD -MP -ffile-prefix-map='$(CURDIR)'=. \
	-ffunction-sections -fdata-sections -fno-math-errno \
	-ffp-contract=off $(WARNINGS)
# The release needs no tables of stack frames.  What does not compute and does
# not carry output is optimised for size, unless CFLAGS says otherwise.
SMALL    = -fno-asynchronous-unwind-tables -fno-unwind-tables \
	$(if $(filter -O2,$(CFLAGS)),$(if $(filter $(COLD:%=%/%),$<),-Os))
COLD     = applets core/control core/diag core/job core/kube core/pod \
	core/slurm core/state
LIBS     = -lbsd -lmd -linih -lyyjson -lyaml -lz -lnghttp2 -lnanopb \
	-lmicrohttpd -ltermbox -lm
MUSL     = -isystem $(B)/deps-musl/include -I$(B)/gen/proto
GLIBC    = -isystem $(B)/deps-glibc/include -I$(B)/gen/proto
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-fno-omit-frame-pointer -g1
FAULTS   = -DIPUBOX_FAULTS
GOLD    := $(if $(shell command -v ld.gold),-fuse-ld=gold)


obj_cc    = $(MUSL_CC) $(COMPILE) $(CFLAGS) $(SMALL) $(MUSL)
debug_cc  = $(MUSL_CC) $(COMPILE) -O0 -g3 $(MUSL)
test_cc   = $(MUSL_CC) $(COMPILE) $(CFLAGS) $(SMALL) $(MUSL) $(FAULTS)
asan_cc   = $(HOST_CC) $(COMPILE) -O1 -fno-pie $(GLIBC) $(FAULTS) $(SANITIZE)
tsan_cc   = $(HOST_CC) $(COMPILE) -O1 -g $(GLIBC) $(FAULTS) -fsanitize=thread
fuzz_cc   = $(CLANG) $(COMPILE) -O1 $(GLIBC) $(SANITIZE) \
	-fsanitize=fuzzer-no-link
strict_cc = $(MUSL_CC) $(COMPILE) -O2 $(MUSL) $(FAULTS) -Werror
clang_cc  = $(CLANG) $(COMPILE) -O0 $(GLIBC) $(FAULTS) -Werror

static_ld = $(MUSL_CC) -static -Wl,--gc-sections -Wl,--build-id=none \
	-L$(B)/deps-musl/lib $(LDFLAGS) $(WRAP)
obj_ld    = $(static_ld) -s
test_ld   = $(static_ld)
# Each command of a transcript is a program that starts: not relocated, and in
# one piece, it starts in two thirds of the time.  Where calls are wrapped, those
# of the sanitizers would be as well, before they are ready.  gold links the 250
# programs in half of the time.
asan_ld   = $(HOST_CC) $(SANITIZE) -no-pie -L$(B)/deps-glibc/lib $(LDFLAGS) \
	$(GOLD) $(if $(WRAP),$(WRAP),-static-libasan -static-libubsan)
tsan_ld   = $(HOST_CC) -fsanitize=thread -L$(B)/deps-glibc/lib $(LDFLAGS) \
	$(WRAP)
fuzz_ld   = $(CLANG) $(SANITIZE) -fsanitize=fuzzer -L$(B)/deps-glibc/lib

# The kernels are compiled once for each instruction set and chosen at run
# time; everything else is compiled once.
# The collectives' client is the SDK's.
CLIENT  := $(patsubst %,config/sdk/lib/popdist_%.c,call error lane mailbox)
SOURCES := main.c $(sort $(shell find applets core ipu -name '*.c')) $(CLIENT)
HEADERS := $(sort $(shell find applets core ipu tests -name '*.h'))
SIMD    := $(sort $(wildcard ipu/nn/kernels/*_simd.c))
ISAS    := sse2 avx2 avx512
# The messages of the wire, of which the build makes C (config/build/proto.sh).
PROTOS  := $(patsubst config/sdk/proto/%,%,$(sort $(shell find \
	config/sdk/proto -name '*.proto')))
OBJECTS := $(patsubst %.c,%.o,$(filter-out $(SIMD),$(SOURCES))) \
	$(foreach isa,$(ISAS),$(SIMD:%_simd.c=%_$(isa).o)) gen/embedded.o \
	gen/licenses.o gen/manuals.o gen/page.o gen/sdk.o gen/sources.o \
	$(PROTOS:%.proto=gen/proto/%.pb.o)
# What is compiled as for the release where a test wants it: no fault points.
POINTLESS := $(filter-out $(patsubst %.c,%.o,core/base/fault.c \
	$(shell grep -l '"core/base/fault.h"' $(SOURCES))),$(OBJECTS))
# All but main.c, in an archive: a program of the tests takes what it calls.
PARTS   := $(filter-out main.o,$(OBJECTS))
# No fuzzer calls the rest of these directories.
FUZZ_PARTS := $(filter-out applets/% core/launch/%,$(PARTS)) \
	$(filter applets/copy-ssh/% applets/ipubox-job/%,$(PARTS))
UNIT_SOURCES := $(sort $(shell find tests/unit -name '*_test.c'))
UNITS   := $(basename $(notdir $(UNIT_SOURCES)))
HELPERS := $(patsubst %.c,%.o,$(filter-out %_test.c,$(wildcard tests/unit/*.c)))
# With `make test T=NAME ...` only those, as tests/run names them.
WANTED  := $(if $(T),$(filter $(T) $(T:%=%_test),$(UNITS)),$(UNITS))
# What runs threads.
THREADS := training_test strategy_test steady_test collective_test \
	collective_chain_test failure_test mux_test collective_server_test \
	collective_service_test collective_relay_test collective_lane_test
FUZZERS := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*_fuzz.c))
BENCHES := $(patsubst tests/bench/%.c,$(B)/bench/%,$(wildcard tests/bench/*.c))
PODS    := $(sort $(wildcard config/pods/*.ini))
MODELS  := $(sort $(wildcard config/models/*.ini))
# What --install-sdk writes; what Python leaves beside it is nobody's.
SDK     := $(sort $(shell find config/sdk -type f ! -path '*/__pycache__/*'))
MANUALS := $(sort $(wildcard man/*.[1-8]))

isa_sse2   =
isa_avx2   = -mavx2 -mfma -mbmi2
isa_avx512 = -mavx512f -mavx512vl -mavx512dq -mavx512bw -mavx2 -mfma -mbmi2

# What travels in `make dist`, and all that may stand at the top.
TREE = .ci .git-blame-ignore-revs CONTRIBUTING.md .clang-format .clang-tidy .clangd .editorconfig \
	.gitignore LICENSE Makefile README.md applets config core ipu main.c man tests

PURPOSES = bare browser build fuzz hosts lint programs slurm test
.PHONY: all deps $(PURPOSES:%=tools-%) tools-schemas test bare debug asan tsan \
	programs browser hosts slurm mutants kills server-kills format lint fuzz \
	bench demo reproducible install dist clean help
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
# Objects of tests are made on the way to a program; they stay.
.PRECIOUS: $(B)/obj/%.o $(B)/test/%.o $(B)/debug/%.o $(B)/asan/%.o $(B)/tsan/%.o \
	$(B)/fuzz/%.o

## make              build/ipubox, static, with the libraries it needs
all: $(B)/ipubox $(B)/compile_commands.json

## make deps         only get and build the libraries; DEPS_TARBALLS=DIR holds
##                   their tarballs where there is no network
deps: $(B)/deps-musl/done

## make test         unit tests (tests/unit) and transcripts (tests/cli);
##                   T=NAME ... runs only these: T=text_test, T='vipu users'
test: all $(B)/test/ipubox $(WANTED:%=$(B)/test/unit/%)
	$(Q)tests/run $(B)/ipubox $(B)/test $(T)

# Sanitizers take their time.
SLOW = SECONDS_MAX=$${SECONDS_MAX:-1800}

## make bare         README's commands in minimal roots of Debian, where nothing
##                   else is installed; as root
bare: dist | tools-bare
	$(Q)tests/bare/run $(B)/ipubox-$(VERSION).tar.gz

## make debug        build/debug/ipubox, not optimised, with all symbols
debug: $(B)/debug/ipubox

## make asan         the same tests under ASan, UBSan and LSan
asan: $(B)/asan/ipubox $(WANTED:%=$(B)/asan/unit/%)
	$(Q)$(SLOW) tests/run $(B)/asan/ipubox $(B)/asan $(T)

## make tsan         the tests that run threads, under ThreadSanitizer
tsan: $(B)/ipubox $(THREADS:%=$(B)/tsan/unit/%)
	$(Q)$(SLOW) tests/run $(B)/ipubox $(B)/tsan $(THREADS)

## make programs     the tests that run programs with PyTorch, MPI and other
##                   compilers, and with npm (tests/cli/programs)
programs: $(B)/ipubox $(B)/test/ipubox | tools-programs tools-schemas
	$(Q)tests/run $(B)/ipubox $(B)/test programs

## make browser      profiles in headless Chromium; part of `make test` where
##                   there is one
browser: $(B)/ipubox $(B)/test/ipubox | tools-browser
	$(Q)tests/run $(B)/ipubox $(B)/test browser

## make hosts        copy-ssh and jobs between hosts that are namespaces with
##                   their own sshd; as root
hosts: $(B)/ipubox | tools-hosts
	$(Q)tests/hosts/run $(B)/ipubox

## make slurm        jobs of a real Slurm of four nodes that are namespaces; as
##                   root
slurm: $(B)/ipubox | tools-slurm
	$(Q)tests/slurm/run $(B)/ipubox

## make mutants      do the tests notice a fault? COUNT=60 of them, drawn by
##                   SEED=1; as root; takes long
mutants: $(B)/test/ipubox $(UNITS:%=$(B)/test/unit/%)
	$(Q)tests/mutants/run $(B)

## make kills        two minutes of random kills over all that changes a pod;
##                   SECONDS=120, SEED=
kills: $(B)/ipubox
	$(Q)tests/kills $(B)/ipubox

## make server-kills  two minutes of kills of vipu-server under load; the same
##                   variables
server-kills: $(B)/ipubox
	$(Q)tests/kills $(B)/ipubox server

## make format       lay the C sources out as .clang-format says
format: | tools-lint
	$(Q)find main.c applets core ipu tests -name '*.[ch]' | sort | \
	    xargs clang-format -i

## make lint         the rules of the house, two compilers, the manuals
lint: $(B)/ipubox $(B)/strict/done $(B)/clang/done | tools-lint
	$(Q)STRICT=$(STRICT) tests/lint $(B)/ipubox $(B) $(TREE)

## make fuzz         each fuzzer for FUZZ_SECONDS=10 seconds
fuzz: $(FUZZERS:%=$(B)/fuzz/%)
	$(Q)tests/fuzz/run $(B)/fuzz $(FUZZ_SECONDS) $(FUZZERS)

## make bench        beside the peers, as ratios; as root also on HOSTS=64
##                   hosts that are namespaces
bench: $(B)/ipubox $(BENCHES)
	$(Q)tests/bench/run $(B)/ipubox $(B)/bench

## make demo         two emulated instances train on MNIST
demo: $(B)/ipubox
	$(Q)config/build/demo.sh $(B)/ipubox

## make reproducible two builds in two directories give the same bytes
reproducible: $(B)/ipubox $(B)/tarballs/done
	$(Q)tests/reproducible $(B)/ipubox $(B)/tarballs $(TREE)

## make install      ipubox, its links, models, manuals, completions, the files
##                   for Prometheus and Grafana, and the service of systemd
##                   (DESTDIR, PREFIX); FORCE=1 also where the links take the
##                   place of other programs
BASH_COMPLETIONS = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH_COMPLETIONS  = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
SERVICE          = $(DESTDIR)$(PREFIX)/lib
install: $(B)/ipubox
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(B)/ipubox $(DESTDIR)$(PREFIX)/bin/ipubox
	$(DESTDIR)$(PREFIX)/bin/ipubox --install \
	    $(if $(DESTDIR)$(FORCE),--force) $(DESTDIR)$(PREFIX)/bin
	install -d $(DESTDIR)$(PREFIX)/share/ipubox/models
	install -m 644 $(MODELS) $(DESTDIR)$(PREFIX)/share/ipubox/models
	install -d $(DESTDIR)$(PREFIX)/share/ipubox/metrics
	install -m 644 config/metrics/* $(DESTDIR)$(PREFIX)/share/ipubox/metrics
	install -d $(BASH_COMPLETIONS) $(ZSH_COMPLETIONS)
	$(B)/ipubox vipu completion zsh | \
	    install -m 644 /dev/stdin $(ZSH_COMPLETIONS)/_ipubox
	$(B)/ipubox vipu completion bash | \
	    install -m 644 /dev/stdin $(BASH_COMPLETIONS)/ipubox
	for link in $$($(B)/ipubox __complete ''); do \
	    ln -sf ipubox $(BASH_COMPLETIONS)/$$link || exit 1; \
	done
	install -d $(SERVICE)/systemd/system $(SERVICE)/sysusers.d \
	    $(SERVICE)/tmpfiles.d
	sed 's|/usr/local|$(PREFIX)|' config/units/vipu-server.service \
	    > $(SERVICE)/systemd/system/vipu-server.service
	install -m 644 config/units/ipubox.sysusers \
	    $(SERVICE)/sysusers.d/ipubox.conf
	install -m 644 config/units/ipubox.tmpfiles \
	    $(SERVICE)/tmpfiles.d/ipubox.conf
	for manual in $(MANUALS); do \
	    section=$(DESTDIR)$(PREFIX)/share/man/man$${manual##*.}; \
	    install -d $$section && install -m 644 $$manual $$section || \
	    exit 1; \
	done

## make dist         build/ipubox-VERSION.tar.gz, the sources
# A bare Debian has gzip and no xz.
dist:
	@mkdir -p $(B)
	tar -I 'gzip -9n' -cf $(B)/ipubox-$(VERSION).tar.gz \
	    --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner \
	    --transform='s|^|ipubox-$(VERSION)/|' $(wildcard $(TREE))

## make clean        remove build/
clean:
	rm -rf $(B)

## make V=1 ...      show the commands in full
help:
	@sed -n 's/^## //p' Makefile

# Tools: root gets what is missing, others are told what to install.
$(PURPOSES:%=tools-%): tools-%:
	@config/build/tools.sh $*

# Not of the machine: they go with build/.
tools-schemas:
	@tests/schemas/install $(B)/npm

$(B)/tarballs/done: config/build/deps.list config/build/deps.sh | tools-build
	@config/build/deps.sh fetch $(B)/tarballs && touch $@

$(B)/deps-musl/done: $(B)/tarballs/done
	@CC="$(MUSL_CC)" config/build/deps.sh build $(B)/tarballs $(B)/deps-musl

$(B)/deps-glibc/done: $(B)/tarballs/done
	@CC="$(HOST_CC)" config/build/deps.sh build $(B)/tarballs $(B)/deps-glibc

# Files that travel inside the program: pod descriptions, models, scripts and
# the fields of manifests; licences; manuals; the page of a profile; the SDK.
LICENSES = LICENSE \
	$(addprefix $(B)/deps-musl/licenses/,inih libbsd libmd libmicrohttpd \
	libyaml nanopb nghttp2 termbox yyjson zlib) \
	config/build/musl.copyright
SCRIPTS  = config/completions/ipubox.bash config/completions/_ipubox \
	applets/copy-ssh/remote.sh config/kube/fields.txt \
	$(sort $(wildcard config/slurm/*))
$(B)/gen/embedded.c: config/build/embed.awk $(PODS) $(MODELS) $(SCRIPTS)
	@mkdir -p $(@D)
	$(Q)LC_ALL=C awk -f config/build/embed.awk $(PODS) $(MODELS) $(SCRIPTS) > $@
$(B)/gen/licenses.c: config/build/embed-licenses.sh LICENSE $(B)/deps-musl/done
	@mkdir -p $(@D)
	$(Q)config/build/embed-licenses.sh $(LICENSES) > $@
$(B)/gen/page.c: config/build/embed-page.sh $(wildcard config/report/*)
	@mkdir -p $(@D)
	$(Q)config/build/embed-page.sh config/report > $@
$(B)/gen/manuals.c: config/build/embed-manuals.sh Makefile $(MANUALS) \
    | tools-build
	@mkdir -p $(@D)
	$(Q)config/build/embed-manuals.sh $(VERSION) $(MANUALS) > $@.new && \
	    mv $@.new $@
# The directories change when a file comes or goes.
$(B)/gen/sdk.c: config/build/embed-sdk.sh $(SDK) \
    $(shell find config/sdk -type d ! -name __pycache__)
	@mkdir -p $(@D)
	$(Q)config/build/embed-sdk.sh $(SDK) > $@

# What the program is made of, in one number.
$(B)/gen/sources.c: $(SOURCES) $(filter-out tests/%,$(HEADERS)) \
    $(filter %.h,$(SDK))
	@mkdir -p $(@D)
	$(Q)cat $^ | sha256sum | awk '{ print "#include \"core/base/embedded.h\""; \
	    print "const char embedded_sources[] = \"" $$1 "\";" }' > $@

# One run makes the C of all messages; what it makes is there when it is done.
$(B)/gen/proto/done: config/build/proto.sh $(PROTOS:%=config/sdk/proto/%) \
    $(B)/deps-musl/done
	$(Q)config/build/proto.sh $(B)/deps-musl/nanopb $(@D) \
	    $(PROTOS:%=config/sdk/proto/%) && touch $@
$(PROTOS:%.proto=$(B)/gen/proto/%.pb.c): $(B)/gen/proto/done ;

define compile
@mkdir -p $(@D)
$(if $(V),,@echo "  CC $(@:$(B)/%=%)")
$(Q)$(1) -c -o $@ $<
endef
define link
@mkdir -p $(@D)
$(if $(V),,@echo "  LD $(@:$(B)/%=%)")
$(Q)$(1) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS)
endef

# The rules of one flavour: its name, its C library.
define flavour
$$(B)/$(1)/%.o: %.c Makefile | $$(B)/deps-$(2)/done $$(B)/gen/proto/done
	$$(call compile,$$($(1)_cc))
$$(B)/$(1)/gen/%.o: $$(B)/gen/%.c Makefile | $$(B)/deps-$(2)/done
	$$(call compile,$$($(1)_cc) -Wno-overlength-strings)
$$(B)/$(1)/parts.a: $$($$(if $$(filter fuzz,$(1)),FUZZ_)PARTS:%=$$(B)/$(1)/%)
	$(Q)rm -f $$@ && $$(AR) qcsD $$@ $$^
$(foreach isa,$(ISAS),$(call kernel,$(1),$(2),$(isa)))
endef
KERNEL = -O3 -ffp-contract=fast
define kernel
$$(B)/$(1)/ipu/nn/kernels/%_$(3).o: ipu/nn/kernels/%_simd.c Makefile \
    | $$(B)/deps-$(2)/done
	$$(call compile,$$($(1)_cc) $$(KERNEL) -DKERNELS_ISA=$(3) $(isa_$(3)))

endef
$(eval $(call flavour,obj,musl))
$(eval $(call flavour,test,musl))
$(eval $(call flavour,debug,musl))
$(eval $(call flavour,strict,musl))
$(eval $(call flavour,asan,glibc))
$(eval $(call flavour,tsan,glibc))
$(eval $(call flavour,fuzz,glibc))
$(eval $(call flavour,clang,glibc))

$(POINTLESS:%=$(B)/test/%): $(B)/test/%: $(B)/obj/%
	@mkdir -p $(@D)
	$(Q)cp -p $< $@

$(B)/ipubox: $(OBJECTS:%=$(B)/obj/%)
	$(call link,$(obj_ld))
$(B)/test/ipubox: $(OBJECTS:%=$(B)/test/%)
	$(call link,$(test_ld))
$(B)/asan/ipubox: $(OBJECTS:%=$(B)/asan/%)
	$(call link,$(asan_ld))

$(B)/debug/ipubox: $(OBJECTS:%=$(B)/debug/%)
	$(call link,$(test_ld))

# A unit test is one program, build/FLAVOUR/unit/NAME: its own object, wherever
# it stands below tests/unit, the helpers, and what it calls of the rest.
$(B)/test/unit/%: $(HELPERS:%=$(B)/test/%) $(B)/test/parts.a
	$(call link,$(test_ld))
$(B)/asan/unit/%: $(HELPERS:%=$(B)/asan/%) $(B)/asan/parts.a
	$(call link,$(asan_ld))
$(B)/tsan/unit/%: $(HELPERS:%=$(B)/tsan/%) $(B)/tsan/parts.a
	$(call link,$(tsan_ld))
define unit
$(foreach flavour,test asan tsan,$(eval \
    $(B)/$(flavour)/unit/$(basename $(notdir $(1))): \
    $(B)/$(flavour)/$(1:.c=.o)))
endef
$(foreach source,$(UNIT_SOURCES),$(call unit,$(source)))
# This one counts what is allocated, and hears who has waited for long.
STEADY_WRAPS = malloc calloc realloc aligned_alloc posix_memalign syscall
%/unit/steady_test: WRAP = $(STEADY_WRAPS:%=-Wl,--wrap=%)
# And this one what reaches the disk, and in what order.
DISK = open openat write fsync fdatasync syncfs rename renameat unlink \
	unlinkat mkdir mkdirat rmdir
%/unit/durable_test: WRAP = $(DISK:%=-Wl,--wrap=%)
$(B)/test/unit/durable_test: $(B)/test/tests/unit/core/base/disk_wrap.o
$(B)/asan/unit/durable_test: $(B)/asan/tests/unit/core/base/disk_wrap.o
%/unit/prompt_test: WRAP = -Wl,--wrap=poll
INTERRUPTED = read write recvmsg sendmsg fcntl
%/unit/interrupted_test: WRAP = $(INTERRUPTED:%=-Wl,--wrap=%)
$(B)/fuzz/%_fuzz: $(B)/fuzz/tests/fuzz/%_fuzz.o \
    $(B)/fuzz/tests/fuzz/fuzz.o $(B)/fuzz/parts.a
	$(call link,$(fuzz_ld))
$(B)/bench/%: $(B)/obj/tests/bench/%.o
	$(call link,$(obj_ld))
$(B)/bench/calls $(B)/bench/exchange $(B)/bench/kernels $(B)/bench/look \
    $(B)/bench/rpc $(B)/bench/train: $(B)/obj/parts.a
$(B)/obj/tests/bench/peak.o: CFLAGS += -ffp-contract=fast

# How each source is compiled, for clangd and clang-tidy -p build.
$(B)/compile_commands.json: Makefile config/build/compile_commands.awk \
    $(SOURCES) $(UNIT_SOURCES)
	@mkdir -p $(@D)
	$(Q)find main.c applets core ipu tests -name '*.c' | sort | \
	    awk -v directory='$(CURDIR)' -v command="$$COMMAND" \
	    -f config/build/compile_commands.awk > $@
$(B)/compile_commands.json: export COMMAND = $(CLANG) -std=c11 -D_GNU_SOURCE \
	-DIPUBOX_VERSION='\"$(VERSION)\"' $(FAULTS) -I. \
	-include core/base/banned.h $(MUSL) $(WARNINGS)

# What lint compiles and does not link.
EVERY_C = $(OBJECTS) $(patsubst %.c,%.o,$(shell find tests -name '*.c'))
# Where warnings are errors everywhere, from the first object on, as in
# continuous integration, those of the tests are as strict.
STRICT  := $(if $(filter -Werror,$(WERROR)),test,strict)
$(B)/strict/done: $(EVERY_C:%=$(B)/$(STRICT)/%)
	@mkdir -p $(@D) && touch $@
$(B)/clang/done: $(EVERY_C:%=$(B)/clang/%)
	@touch $@
# The compilers of lint and fuzz come before their first object.
$(EVERY_C:%=$(B)/clang/%): | tools-lint
$(EVERY_C:%=$(B)/fuzz/%): | tools-fuzz

-include $(shell find $(B) -name '*.d' 2>/dev/null)

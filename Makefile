# ipubox. `make help` lists the targets.
#
# Three flavours of the same sources, each in its own folder under build/:
#   obj    the release: musl, static            -> build/ipubox
#   test   the release plus fault points        -> build/test/
#   asan   glibc with ASan, UBSan and LSan      -> build/asan/

VERSION  = 0.1.0
PREFIX  ?= /usr/local
MUSL_CC ?= musl-gcc
HOST_CC ?= gcc
CFLAGS  ?= -O2
B        = build

MAKEFLAGS += --no-builtin-rules

# `make V=1` shows the commands in full.
Q = $(if $(V),,@)

WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wcast-qual \
	-Wformat=2 -Wvla -Wundef -Wimplicit-fallthrough $(WERROR)
COMPILE  = -std=c11 -D_GNU_SOURCE -DIPUBOX_VERSION='"$(VERSION)"' -I. \
	-include core/base/banned.h -MMD -MP -ffile-prefix-map=$(CURDIR)=. \
	-ffunction-sections -fdata-sections -fno-math-errno \
	-ffp-contract=off $(WARNINGS)
GENERATED = -Wno-overlength-strings
LIBS     = -lbsd -lmd -linih -lyyjson -lz -lm

RELEASE_FLAGS = $(COMPILE) $(CFLAGS) -isystem $(B)/deps-musl/include
TEST_FLAGS    = $(RELEASE_FLAGS) -DIPUBOX_FAULTS
ASAN_FLAGS    = $(COMPILE) -O1 -g -DIPUBOX_FAULTS -fno-omit-frame-pointer \
	$(SANITIZE) -fno-sanitize-recover=undefined \
	-isystem $(B)/deps-glibc/include
SANITIZE      = -fsanitize=address,undefined
LINK_ASAN     = $(SANITIZE) -L$(B)/deps-glibc/lib $(LDFLAGS)
LINK_STATIC   = -static -Wl,--gc-sections -Wl,--build-id=none \
	-L$(B)/deps-musl/lib $(LDFLAGS)

# The kernels are compiled once for each instruction set and chosen at run
# time; everything else is compiled once.
SOURCES := main.c $(sort $(wildcard applets/*.c applets/*/*.c core/*/*.c \
	ipu/*.c ipu/*/*.c))
SIMD    := ipu/nn/kernels_simd.c
PLAIN   := $(filter-out $(SIMD),$(SOURCES))
ISAS    := $(if $(wildcard $(SIMD)),sse2 avx2 avx512)
OBJECTS := $(PLAIN:.c=.o) $(ISAS:%=ipu/nn/kernels_%.o) gen/embedded.o
UNITS   := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/*_test.c))
SCRIPTS := $(sort $(wildcard tests/cli/*.t))

isa_sse2   =
isa_avx2   = -mavx2 -mfma
isa_avx512 = -mavx512f -mavx512vl -mavx512dq -mavx512bw -mavx2 -mfma

.PHONY: all deps test unit cli lint asan fuzz bench demo install dist clean help
.DEFAULT_GOAL := all
.PRECIOUS: $(B)/%.o
.DELETE_ON_ERROR:

all: $(B)/ipubox

help:
	@sed -n 's/^## //p' Makefile

## make            build/ipubox, static, with the libraries it needs
## make deps       only fetch and build the libraries (config/deps.list)
deps: $(B)/deps-musl/done

$(B)/tarballs/done: config/deps.list config/deps.sh
	config/deps.sh fetch $(B)/tarballs && touch $@

$(B)/deps-musl/done: config/deps.list | $(B)/tarballs/done
	CC="$(MUSL_CC)" config/deps.sh build $(B)/tarballs $(B)/deps-musl

$(B)/deps-glibc/done: config/deps.list | $(B)/tarballs/done
	CC="$(HOST_CC)" config/deps.sh build $(B)/tarballs $(B)/deps-glibc

# Files that travel inside the program: pod descriptions and licences.
$(B)/gen/embedded.c: config/embed.awk LICENSE $(wildcard config/pods/*.ini) \
    | $(B)/deps-musl/done
	@mkdir -p $(@D)
	LC_ALL=C awk -f config/embed.awk LICENSE \
	    $(sort $(wildcard config/pods/*.ini)) \
	    $(addprefix $(B)/deps-musl/licenses/,inih libbsd libmd yyjson zlib) \
	    config/musl.copyright > $@

define compile
@mkdir -p $(@D)
$(if $(V),,@echo "  CC $(@:$(B)/%=%)")
$(Q)$(1) -c -o $@ $<
endef
define link
@mkdir -p $(@D)
$(if $(V),,@echo "  LD $(@:$(B)/%=%)")
$(Q)$(1) -o $@ $^ $(LIBS)
endef

$(B)/obj/gen/embedded.o: $(B)/gen/embedded.c
	$(call compile,$(MUSL_CC) $(RELEASE_FLAGS) $(GENERATED))
$(B)/test/gen/embedded.o: $(B)/gen/embedded.c
	$(call compile,$(MUSL_CC) $(TEST_FLAGS) $(GENERATED))
$(B)/asan/gen/embedded.o: $(B)/gen/embedded.c
	$(call compile,$(HOST_CC) $(ASAN_FLAGS) $(GENERATED))

$(B)/obj/ipu/nn/kernels_%.o: $(SIMD) | $(B)/deps-musl/done
	$(call compile,$(MUSL_CC) $(RELEASE_FLAGS) -O3 -ffp-contract=fast -DKERNELS_ISA=$* $(isa_$*))
$(B)/test/ipu/nn/kernels_%.o: $(SIMD) | $(B)/deps-musl/done
	$(call compile,$(MUSL_CC) $(TEST_FLAGS) -O3 -ffp-contract=fast -DKERNELS_ISA=$* $(isa_$*))
$(B)/asan/ipu/nn/kernels_%.o: $(SIMD) | $(B)/deps-glibc/done
	$(call compile,$(HOST_CC) $(ASAN_FLAGS) -O2 -ffp-contract=fast -DKERNELS_ISA=$* $(isa_$*))

$(B)/obj/%.o: %.c | $(B)/deps-musl/done
	$(call compile,$(MUSL_CC) $(RELEASE_FLAGS))
$(B)/test/%.o: %.c | $(B)/deps-musl/done
	$(call compile,$(MUSL_CC) $(TEST_FLAGS))
$(B)/asan/%.o: %.c | $(B)/deps-glibc/done
	$(call compile,$(HOST_CC) $(ASAN_FLAGS))

$(B)/ipubox: $(addprefix $(B)/obj/,$(OBJECTS))
	$(call link,$(MUSL_CC) $(LINK_STATIC) -s)
$(B)/test/ipubox: $(addprefix $(B)/test/,$(OBJECTS))
	$(call link,$(MUSL_CC) $(LINK_STATIC))
$(B)/asan/ipubox: $(addprefix $(B)/asan/,$(OBJECTS))
	$(call link,$(HOST_CC) $(LINK_ASAN))

# A unit test is one program: its own object and everything but main.o.
$(B)/test/unit/%: $(B)/test/tests/unit/%.o $(B)/test/tests/unit/tap.o \
    $(addprefix $(B)/test/,$(filter-out main.o,$(OBJECTS)))
	$(call link,$(MUSL_CC) $(LINK_STATIC))
$(B)/asan/unit/%: $(B)/asan/tests/unit/%.o $(B)/asan/tests/unit/tap.o \
    $(addprefix $(B)/asan/,$(filter-out main.o,$(OBJECTS)))
	$(call link,$(HOST_CC) $(LINK_ASAN))

## make test       unit tests (tests/unit) and transcripts (tests/cli)
test: $(B)/ipubox $(B)/test/ipubox $(addprefix $(B)/test/unit/,$(UNITS))
	tests/run $(B)/ipubox $(B)/test

## make asan       the same tests under ASan, UBSan and LSan
asan: $(B)/asan/ipubox $(addprefix $(B)/asan/unit/,$(UNITS))
	tests/run $(B)/asan/ipubox $(B)/asan

## make clean      remove build/
clean:
	rm -rf $(B)

-include $(shell find $(B) -name '*.d' 2>/dev/null)

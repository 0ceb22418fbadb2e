# Paragrade. `make help` lists the targets.
#
# Everything built goes to build/, which has the same shape as an installation:
#   build/bin/paragrade   build/libexec/paragrade/...   build/include/paragrade/...

PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= gcc
MPICC   ?= mpicc
B       := build

# Compilers differ in their warnings: only with WERROR=-Werror does one end the build.
WARN    := -Wall -Wextra -Wpedantic $(WERROR) -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
           -Wvla -Wformat=2 -Wno-format-nonliteral
# SAN=1: AddressSanitizer and UndefinedBehaviorSanitizer, in a build directory of its own
ifdef SAN
B       := build/san
SANFLAGS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
endif
CFLAGS  ?= -O2 -g
override CFLAGS += -std=c11 -D_GNU_SOURCE -fwrapv $(WARN) $(SANFLAGS)
CPPFLAGS += -Igrader -MMD -MP
LDLIBS   = $(STATIC_ON) -lyaml -lcsv -ljansson -lxxhash -lnettle -lcapstone -lsqlite3 $(STATIC_OFF) $(ARCHIVE) -lhwloc -lm -lpthread
LDFLAGS += $(SANFLAGS)

# The rooms of the grader, from the bottom up. They are one library, which both programs link.
room     = $(foreach r,$(1),$(wildcard grader/$(r)/*.c))
KERNEL  := $(call room,kernel)
FRONT   := $(call room,base gradebook kernel model rundir plan import execute slurm report export pages history verify)
BACK    := $(filter-out grader/proctor/main.c,$(call room,supervise build measure proctor))
COMMANDS := $(call room,cmd)

# The drivers call students' functions through libffi. build/portable has it for a node that lacks it.
FFI_DIR  = $(wildcard $(B)/ffi)
FFI      = $(if $(FFI_DIR),-isystem $(FFI_DIR) -L$(FFI_DIR)) -lffi

# The drivers have a system call filter if libseccomp is installed.
SECCOMP := $(if $(wildcard /usr/include/seccomp.h),$(STATIC_ON) -lseccomp $(STATIC_OFF))

# Archives are imported if libarchive is installed. A node that only grades does not need it.
ARCHIVE := $(if $(PORTABLE),,$(if $(wildcard /usr/include/archive.h),-larchive))

# PORTABLE=1: link libraries that a GPU node may lack into the programs, so that build/portable can be
# copied to that node. On the node itself, without the libraries, only the drivers are built into it.
ifdef PORTABLE
B       := build/portable
STATIC_ON := -Wl,-Bstatic
STATIC_OFF := -Wl,-Bdynamic
endif
HOST_PARTS := $(wildcard /usr/include/yaml.h)
ifeq ($(HOST_PARTS),)
B       := build/portable
endif

# Commands are shown in a short form. V=1 shows the whole commands.
ifeq ($(V),)
Q       := @
say      = @printf '  %-5s %s\n' $(1) $(2)
endif

obj = $(patsubst %.c,$(B)/obj/%.o,$(1))
LIB     := $(B)/obj/libparagrade.a
LIB_OBJ := $(call obj,$(FRONT) $(BACK)) $(B)/obj/product.o

LIBEXEC := $(B)/libexec/paragrade
HEADERS := $(patsubst grader/abi/%,$(B)/include/paragrade/%,$(filter-out grader/abi/protocol.h grader/abi/mask.h,$(wildcard grader/abi/*.h)))
PROGRAMS := $(if $(HOST_PARTS),$(B)/bin/paragrade $(LIBEXEC)/proctor) $(LIBEXEC)/driver-cpu $(LIBEXEC)/tasks-at-once.so $(LIBEXEC)/late-threads.so $(LIBEXEC)/late-streams.so
# The options in it are those of the program.
MANUAL   := $(if $(HOST_PARTS),$(B)/man/paragrade.1)
ifneq ($(shell command -v $(MPICC) 2>/dev/null),)
PROGRAMS += $(LIBEXEC)/driver-mpi $(LIBEXEC)/agent
endif
ACC_FLAGS ?= -no-pie -foffload-options=nvptx-none=-misa=sm_80
# With a region: only then does the linker ask for code for devices, and some installations fail there.
ifneq ($(shell printf 'int main(void){_Pragma("acc parallel"){}return 0;}' | $(CC) -fopenacc $(ACC_FLAGS) -x c -o /dev/null - 2>/dev/null && echo yes),)
PROGRAMS += $(LIBEXEC)/driver-openacc
endif
NVCC    ?= nvcc
CUDA    := $(patsubst %/bin/,%,$(dir $(realpath $(shell command -v $(NVCC) 2>/dev/null))))
ifneq ($(CUDA),)
PROGRAMS += $(LIBEXEC)/driver-cuda $(if $(filter %/driver-mpi,$(PROGRAMS)),$(LIBEXEC)/driver-mpi_cuda)
# Some installations of the CUDA Toolkit do not have the interface for profilers.
CUPTI   := $(firstword $(dir $(wildcard $(CUDA)/include/cupti.h $(CUDA)/extras/CUPTI/include/cupti.h $(CUDA)/targets/x86_64-linux/include/cupti.h)))
endif

.PHONY: rehearse simulate soak fuzz fuzz-programs portable gpu-parts check-gpu all help demo demo-cluster check selftest bench bench-harness bench-programs bench-regrade bench-regrade-gpu bench-scale bench-class bench-gpu deb deps install uninstall lint format fields clean unit unit-packages

all: $(PROGRAMS) $(HEADERS) $(MANUAL)

help:
	@echo 'make             build everything under build/'
	@echo 'make demo        install what is missing, build, grade the examples here, print the tables'
	@echo 'make demo-cluster  the same for the reference over the nodes of a Slurm on this machine, as root'
	@echo 'make check       install test parts, run every test (a real Slurm included); T=name: only that one'
	@echo 'make fuzz        run the fuzzers of the parsers, FUZZ_SECONDS=3600 each; T=name: only that one'
	@echo 'make soak        10^9 elements of careful floating-point products: is one called wrong?'
	@echo 'make rehearse    do the shipped cases find mistakes in the shipped references? 40 minutes'
	@echo 'make simulate    the rules of measuring in worlds whose truth is known'
	@echo 'make selftest S=student_impls/alice   what a submission would score'
	@echo 'make check-gpu   the tests that need a GPU'
	@echo 'make portable    build/portable, to be copied to a GPU node without libraries and network'
	@echo 'make bench       reference kernels against peers and ceilings; bench-gpu: those in CUDA'
	@echo 'make bench K=gemm-f64-blas [P=quick]  all tiers of the reference of an assignment in testcases/'
	@echo 'make bench-harness  what grading costs; FULL=1: with the whole assignment'
	@echo 'make bench-scale [CLASS=200x5]  what a class costs on a Slurm of four nodes, beside ReFrame'
	@echo 'make bench-class [CLASS=2000]  what reports of a large class cost, and do they grow like the class?'
	@echo 'make bench-regrade-gpu  do times on a GPU repeat, and agree with its own events?'
	@echo 'make bench-regrade  do grades repeat on this machine? 12 runs, 6 with a busy core'
	@echo 'make deps        install the packages that building needs'
	@echo 'make lint        clang-format, clang-tidy, cppcheck, shellcheck; DEEP=1: much longer'
	@echo 'make fields      write the rows of fields.def to the tables of docs/'
	@echo 'make deb         a package for Debian, in build/'
	@echo 'make install PREFIX=/usr/local DESTDIR=     also: make uninstall, with the same PREFIX and DESTDIR'

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# Generators and comparisons run over whole matrices, so the compiler should vectorise them.
$(call obj,$(KERNEL) grader/measure/ceiling.c): override CFLAGS += -O3

# The checker computes products by the simd kernel of the reference, built with the flags of the project.
$(B)/obj/product.o: reference/gemm/simd.c $(wildcard reference/gemm/*.h)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) -Igrader/abi -std=c11 -D_GNU_SOURCE -O3 -mavx2 -fwrapv -g -Wall -Wextra -c -o $@ $<

# Built again when libarchive is installed or removed.
ARCHIVE_STAMP := $(B)/archive.$(if $(ARCHIVE),yes,no)

$(ARCHIVE_STAMP):
	@mkdir -p $(@D)
	@rm -f $(B)/archive.*
	@touch $@

$(call obj,grader/import/unpack.c): $(ARCHIVE_STAMP)
$(call obj,grader/import/unpack.c grader/pages/moodle_zip.c): CPPFLAGS += $(if $(ARCHIVE),-DPARAGRADE_LIBARCHIVE)

$(LIB): $(LIB_OBJ)
	@rm -f $@
	$(call say,AR,$@)
	$(Q)ar qcs $@ $^

$(B)/bin/paragrade: $(call obj,$(COMMANDS)) $(LIB)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/man/paragrade.1: docs/paragrade.1.in docs/manual-page.awk $(B)/bin/paragrade
	@mkdir -p $(@D)
	$(call say,PAGE,$@)
	$(Q)awk -v program=$(B)/bin/paragrade -f docs/manual-page.awk $< >$@.tmp && mv $@.tmp $@

$(LIBEXEC)/proctor: $(call obj,grader/proctor/main.c) $(LIB)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

DRIVER_COMMON := $(addprefix grader/driver/,main.c alignment.c arena.c call.c channel.c filter.c filter_calls.c library.c)
DRIVER_HEADERS := $(wildcard grader/driver/*.h grader/driver/*.def grader/abi/*.h)
HOST_DRIVER := $(DRIVER_COMMON) grader/driver/host_memory.c grader/driver/profile_none.c
ONE_PROCESS := grader/driver/ranks_none.c
# The code is position-independent. Otherwise the linker could put a copy of a variable of MPI or of the
# C library into the driver (a copy relocation), and the student's library would find another one
# (see library.c).
DRIVER_CFLAGS := -Igrader -O2 -g -fPIC -std=c11 -D_GNU_SOURCE $(WARN)
# A student's library calls this one function of the driver.
INTERLEAVE := grader/driver/interleave.c
INTERLEAVE_LINK := -Wl,--export-dynamic-symbol=__sanitizer_cov_trace_pc

# Drivers are never built with sanitizers, because they load student code, which is built without.
$(LIBEXEC)/driver-cpu: $(HOST_DRIVER) $(ONE_PROCESS) grader/driver/launch_cpu.c grader/driver/team.c $(INTERLEAVE) $(DRIVER_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(DRIVER_CFLAGS) -pthread $(INTERLEAVE_LINK) -o $@ $(filter %.c,$^) -ldl $(FFI) $(SECCOMP) -lm

$(LIBEXEC)/tasks-at-once.so: grader/driver/tasks_at_once.c
$(LIBEXEC)/late-threads.so: grader/driver/late_threads.c
$(LIBEXEC)/late-streams.so: grader/driver/late_streams.c grader/abi/protocol.h
$(LIBEXEC)/tasks-at-once.so $(LIBEXEC)/late-threads.so $(LIBEXEC)/late-streams.so:
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(DRIVER_CFLAGS) -shared -o $@ $< -ldl

$(LIBEXEC)/agent: grader/driver/agent.c grader/abi/protocol.h
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -MF /dev/null -o $@ $<

$(LIBEXEC)/driver-mpi: $(HOST_DRIVER) $(addprefix grader/driver/,calls_mpi.c launch_mpi.c misuse_mpi.c rank_host.c ranks_mpi.c) $(INTERLEAVE) $(DRIVER_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(MPICC) $(filter-out -Wpedantic,$(DRIVER_CFLAGS)) -DPARAGRADE_MPI $(INTERLEAVE_LINK) -o $@ $(filter %.c,$^) -ldl $(FFI) $(SECCOMP) -lm

# The driver removes the mask from the inputs on the device, with code for the device of its own. Without
# an offloading compiler gcc leaves that code out, and the driver tells OpenACC to compute on the host.
#
# The devices for which gcc has an offloading compiler. The driver is built again when these change, for
# example when build/portable has come to a node that has such a compiler.
OFFLOAD := $(notdir $(wildcard $(dir $(shell $(CC) -print-libgcc-file-name 2>/dev/null))accel/*))
OFFLOAD_STAMP := $(B)/offload.$(or $(word 1,$(OFFLOAD)),none)

$(OFFLOAD_STAMP):
	@mkdir -p $(@D)
	@rm -f $(B)/offload.*
	@touch $@

$(LIBEXEC)/driver-openacc: $(DRIVER_COMMON) $(addprefix grader/driver/,profile_openacc.c profile_rows.c initial.c) $(ONE_PROCESS) grader/driver/launch_openacc.c $(DRIVER_HEADERS) $(OFFLOAD_STAMP)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(DRIVER_CFLAGS) -DPARAGRADE_OPENACC $(if $(OFFLOAD),-DPARAGRADE_OFFLOAD) -fopenacc $(ACC_FLAGS) -o $@ $(filter %.c,$^) -ldl $(FFI) $(SECCOMP) -lm

# The devices for which kernels of the driver are compiled.
GPU_ARCH ?= all-major
GPU_PARTS := $(addprefix grader/driver/,gpu_devices.c gpu_memory.c gpu_run.c initial.c thread_names.c)
CUDA_DRIVER := $(DRIVER_COMMON) $(GPU_PARTS) $(ONE_PROCESS) $(addprefix grader/driver/,launch_cuda.c $(if $(CUPTI),profile_cupti.c profile_rows.c,profile_none.c))
MPI_CUDA_DRIVER := $(DRIVER_COMMON) $(GPU_PARTS) grader/driver/profile_none.c
MPI_CUDA_RANKS := $(addprefix grader/driver/,calls_mpi.c launch_mpi.c launch_mpi_cuda.c misuse_mpi.c ranks_mpi.c)
GPU_OBJ := $(patsubst %,$(B)/obj/cuda/%.o,gpu_ceiling gpu_mask gpu_order)
cuda_obj = $(patsubst grader/driver/%.c,$(B)/obj/cuda/%.o,$(1)) $(GPU_OBJ)

$(B)/obj/cuda/%.o: grader/driver/%.c $(DRIVER_HEADERS)
	@mkdir -p $(@D)
	$(call say,CC,$< for CUDA)
	$(Q)$(CC) $(DRIVER_CFLAGS) -DPARAGRADE_CUDA -isystem $(CUDA)/include $(addprefix -isystem ,$(FFI_DIR)) $(addprefix -isystem ,$(CUPTI)) -c -o $@ $<

$(B)/obj/cuda/%.o: grader/driver/%.cu $(DRIVER_HEADERS)
	@mkdir -p $(@D)
	$(call say,NVCC,$<)
	$(Q)$(NVCC) -Igrader -O2 -std=c++17 -Xcompiler -fPIC -arch=$(GPU_ARCH) -c -o $@ $<

$(LIBEXEC)/driver-cuda: $(call cuda_obj,$(CUDA_DRIVER))
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(NVCC) --cudart=shared -Xlinker -rpath=$(CUDA)/lib64 -o $@ $^ -ldl $(if $(FFI_DIR),-L$(FFI_DIR)) -lffi $(SECCOMP) -lm $(if $(CUPTI),-L$(CUPTI)/../lib64 -L$(CUPTI)/../lib -lcupti)

$(LIBEXEC)/driver-mpi_cuda: $(call cuda_obj,$(MPI_CUDA_DRIVER)) $(MPI_CUDA_RANKS) $(DRIVER_HEADERS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(MPICC) $(filter-out -Wpedantic,$(DRIVER_CFLAGS)) -DPARAGRADE_MPI -DPARAGRADE_CUDA -isystem $(CUDA)/include $(addprefix -isystem ,$(FFI_DIR)) -o $@ $(filter %.c %.o,$^) -L$(CUDA)/lib64 -Wl,-rpath,$(CUDA)/lib64 -lcudart -ldl $(FFI) $(SECCOMP) -lstdc++ -lm

$(B)/include/paragrade/%.h: grader/abi/%.h
	@mkdir -p $(@D)
	$(call say,COPY,$@)
	$(Q)cp $< $@

# --- tests ------------------------------------------------------------------------------------

UNIT := $(patsubst tests/unit/%.c,$(B)/tests/unit/%,$(filter-out tests/unit/test_reference_%.c,$(wildcard tests/unit/test_*.c)))
REFERENCE_UNIT := $(foreach t,naive locality simd openmp,$(B)/tests/unit/test_reference_$(t)) \
                  $(foreach t,csr_serial csr_simd csr_openmp csr_dynamic ell_serial ell_simd ell_openmp rows_4 rows_8,$(B)/tests/unit/test_reference_spmm_$(t))

unit: $(UNIT) $(REFERENCE_UNIT) $(B)/tests/simulate/simulate $(B)/tests/simulate/nights $(B)/tests/soak/honest_sums

# cmocka may be missing where everything else is there.
$(UNIT) $(REFERENCE_UNIT): | unit-packages

unit-packages:
	@.ci/deps unit

$(B)/tests/unit/test_reference_%: tests/unit/test_reference_gemm.c reference/gemm/%.c $(wildcard reference/gemm/*.h)
	@mkdir -p $(@D)
	$(call say,TEST,$@)
	$(Q)$(CC) -Igrader/abi -std=c11 -D_GNU_SOURCE -O2 -mavx2 -g -fwrapv -fopenmp $(SANFLAGS) -Wall -Wextra -Wno-unused-parameter -o $@ $(filter %.c,$^) -lcmocka

# The sparse product: each tier of the host, and the loops for vectors of both lengths.
SPMM_TEST = $(CC) -Igrader/abi -Ireference/spmm -std=c11 -D_GNU_SOURCE -O2 -mavx2 -mfma -g -fopenmp $(SANFLAGS) -Wall -Wextra -Wno-unused-parameter

$(B)/tests/unit/test_reference_spmm_rows_%: tests/unit/test_reference_spmm.c $(wildcard reference/spmm/*.h)
	@mkdir -p $(@D)
	$(call say,TEST,$@)
	$(Q)$(SPMM_TEST) -DTIER_LANES=$* -o $@ $< -lcmocka -lm

$(B)/tests/unit/test_reference_spmm_%: tests/unit/test_reference_spmm.c reference/spmm/%.c $(wildcard reference/spmm/*.h)
	@mkdir -p $(@D)
	$(call say,TEST,$@)
	$(Q)$(SPMM_TEST) $(if $(filter ell_%,$*),-DTIER_ELL) -o $@ $(filter %.c,$^) -lcmocka -lm

# The tests themselves are compiled for a moment's run: what they test is in the library. And the quick
# linker links some two hundred programs, where it is installed.
UNIT_OPT  := -O1
UNIT_LINK := $(if $(shell command -v ld.gold),-fuse-ld=gold)

# Parts of drivers are not in the library.
$(B)/tests/unit/test_alignment: grader/driver/alignment.c
$(B)/tests/unit/test_profile_rows: grader/driver/profile_rows.c
$(B)/tests/unit/test_thread_names: grader/driver/thread_names.c
$(B)/tests/unit/test_profile_openacc: grader/driver/profile_openacc.c grader/driver/profile_rows.c

# Tables with shapes are easier to read with one brace around three numbers. cmocka passes every test
# a state that few use.
$(B)/tests/unit/%: tests/unit/%.c $(LIB)
	@mkdir -p $(@D)
	$(call say,TEST,$@)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(UNIT_OPT) -Wno-missing-braces -Wno-unused-parameter $(LDFLAGS) $(UNIT_LINK) -o $@ $(filter %.c,$^) $(LIB) -lcmocka $(LDLIBS)

# Fuzzing: one program for each parser. clang builds the library for it with all its checks. With
# FUZZ_OPT=-O0 that takes a third of the time, and the programs are slower.
FUZZ_OPT     := -O1
FUZZ_SECONDS := 3600
FUZZ_JOBS    := $(shell nproc)
FUZZ_FLAGS := -std=c11 -D_GNU_SOURCE $(FUZZ_OPT) -gline-tables-only -fno-omit-frame-pointer \
              -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_SOURCES := $(FRONT) grader/supervise/outcome.c grader/supervise/device_errors.c grader/build/pragmas.c grader/build/source_line_read.c tests/fuzz/support.c
FUZZ_OBJ := $(patsubst %.c,build/fuzz/obj/%.o,$(FUZZ_SOURCES))

fuzz-programs: $(patsubst tests/fuzz/%.c,build/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))

build/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,FUZZ,$<)
	$(Q)clang -Igrader -Itests/fuzz -MMD -MP $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link -c -o $@ $<

build/fuzz/obj/product.o: reference/gemm/simd.c $(wildcard reference/gemm/*.h)
	@mkdir -p $(@D)
	$(Q)clang -Igrader/abi -std=c11 -D_GNU_SOURCE -O1 -mavx2 -fwrapv -c -o $@ $<

build/fuzz/obj/libfuzz.a: $(FUZZ_OBJ) build/fuzz/obj/product.o
	@rm -f $@
	$(Q)ar qcs $@ $^

build/fuzz/fuzz_%: tests/fuzz/fuzz_%.c tests/fuzz/fuzz.h build/fuzz/obj/libfuzz.a
	$(call say,FUZZ,$@)
	$(Q)clang -Igrader -Itests/fuzz $(WARN) $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $< \
	  build/fuzz/obj/libfuzz.a $(LDLIBS)

# The rules of measuring in worlds whose truth is known: see tests/simulate/simulate.c. And those that
# find changes in the history: tests/simulate/nights.c
GRADINGS := 2000
NIGHTS   := 1000

simulate: $(B)/tests/simulate/simulate $(B)/tests/simulate/nights
	@$(B)/tests/simulate/simulate --gradings $(GRADINGS)
	@$(B)/tests/simulate/nights --nights $(NIGHTS)

$(B)/tests/simulate/simulate $(B)/tests/simulate/nights: $(B)/tests/simulate/%: tests/simulate/%.c $(LIB)
	@mkdir -p $(@D)
	$(call say,TEST,$@)
	$(Q)$(CC) -Igrader $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.c,$^) $(LIB) $(LDLIBS)

# Careful floating-point products in many orders: is an element ever called wrong?
ELEMENTS := 1e9

soak: $(B)/tests/soak/honest_sums
	@$(B)/tests/soak/honest_sums f32 $(ELEMENTS)
	@$(B)/tests/soak/honest_sums f64 $(ELEMENTS)

# Changed references against the shipped cases: see tests/rehearse/proof
rehearse: all
	@PARAGRADE_BUILD=$(B) tests/rehearse/proof

# The compiler must not fuse or reorder what sums.h writes out.
$(B)/tests/soak/honest_sums: tests/soak/honest_sums.c tests/soak/sums.h $(LIB)
	@mkdir -p $(@D)
	$(call say,TEST,$@)
	$(Q)$(CC) -Igrader $(CFLAGS) -O3 -mavx2 -ffp-contract=off $(LDFLAGS) -o $@ $(filter %.c,$^) $(LIB) $(LDLIBS)

# Writes the traces of the simulator
$(B)/tests/simulate/record: tests/simulate/record.c $(LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) -Igrader $(CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(LDLIBS) -ldl

fuzz:
	@.ci/deps fuzz
	@$(MAKE) --no-print-directory -j2 fuzz-programs
	@tests/fuzz/run --seconds $(FUZZ_SECONDS) --jobs $(FUZZ_JOBS) $(T)

check:
	@.ci/deps test
	@$(MAKE) --no-print-directory -j2 all unit
	@tests/run $(if $(T),'$(T)')

# --- on a machine with a GPU ------------------------------------------------------------------

# Everything that can be built without a GPU, for a machine that has a GPU and few libraries.
portable:
	@.ci/deps test
	@mkdir -p build/portable/ffi
	@cp "$$($(CC) -print-file-name=libffi.a)" build/portable/ffi/
	@echo '#include <ffi.h>' | $(CC) -M -x c - | tr ' ' '\n' | grep '/ffi[a-z]*\.h$$' | xargs -I '{}' cp '{}' build/portable/ffi/
	@$(MAKE) --no-print-directory -j2 PORTABLE=1 all
	@mkdir -p build/portable/bats
	@cd / && cp -r --parents usr/bin/bats usr/lib/bats-core usr/libexec/bats-core usr/lib/bats $(CURDIR)/build/portable/bats/
	@rm -rf build/portable/obj
	@echo 'copy this directory with build/portable to the GPU node; there: make check-gpu'

gpu-parts:
	@test -n '$(CUDA)' || { echo 'no nvcc on PATH: install the CUDA Toolkit' >&2; exit 2; }
	@test -n '$(HOST_PARTS)' || test -x build/portable/bin/paragrade || { echo 'libyaml and other libraries are missing here: run `make portable` on a machine that has them, and copy build/portable to this one' >&2; exit 2; }
	@$(MAKE) --no-print-directory -j4 all

check-gpu: gpu-parts
	@PARAGRADE_BUILD=$(B) tests/run gpu $(if $(T),'$(T)')

# --- use --------------------------------------------------------------------------------------

deps:
	@.ci/deps build

demo:
	@.ci/deps build
	@$(MAKE) --no-print-directory -j2 all
	@$(B)/bin/paragrade grade --assignment testcases/gemm-i32.yaml --profile quick student_impls

demo-cluster:
	@.ci/deps test
	@$(MAKE) --no-print-directory -j2 all
	@sbatch/demo-cluster

selftest: all
	@test -n "$(S)" || { echo 'usage: make selftest S=student_impls/alice' >&2; exit 2; }
	@$(B)/bin/paragrade check "$(S)" || test $$? = 1 # something is wrong, but not with make

# Rounds of the benchmark. More rounds give better results and take longer.
ROUNDS := 9

bench:
	@.ci/deps bench
ifdef K
	@$(MAKE) --no-print-directory -j2 all
	@PARAGRADE_BUILD=$(B) bench/reference '$(K)' $(if $(P),--profile '$(P)')
else
	@$(MAKE) --no-print-directory -j2 all $(B)/bench/gemm_i32 $(B)/bench/spmm_f64 $(BENCH_SPMM)
	@$(B)/bench/gemm_i32 --rounds $(ROUNDS)
	@echo
	@$(B)/bench/spmm_f64 --rounds $(ROUNDS) $(B)/bench/spmm
endif

# The sparse products on the host, and Eigen's, compiled for this processor.
BENCH_SPMM := $(patsubst %,$(B)/bench/spmm/%.so,csr_serial csr_simd csr_openmp ell_simd ell_openmp eigen_spmm)

$(B)/bench/spmm_f64: override CFLAGS += -fopenmp
$(B)/bench/spmm_f64: bench/spmm_matrix.h

$(B)/bench/spmm/csr_serial.so: reference/spmm/csr_serial.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) -std=c11 -O2 -fPIC -shared -Igrader/abi -o $@ $<

$(B)/bench/spmm/eigen_spmm.so: bench/eigen_spmm.cpp grader/abi/spmm.h
	@mkdir -p $(@D)
	$(call say,CXX,$@)
	$(Q)$(CXX) -std=c++17 -DNDEBUG -O3 -march=native -fopenmp -fPIC -shared -Igrader/abi -I/usr/include/eigen3 -o $@ $<

$(B)/bench/spmm/%.so: reference/spmm/%.c $(wildcard reference/spmm/*.h) grader/abi/spmm.h
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) -std=c11 -O3 -mavx2 -mfma -fopenmp -fPIC -shared -Igrader/abi -o $@ $<

$(B)/bench/%: bench/%.c $(LIB)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(LDLIBS)

# The CUDA references beside cuBLAS, on a machine with a GPU. `global` is first, because the others are
# compared with it.
BENCH_CUDA := $(patsubst %,build/bench/cuda/%.so,global shared merged register cuda)
CUBLAS  := $(wildcard $(CUDA)/include/cublas_v2.h)
BENCH_REAL := $(if $(CUBLAS),build/bench/gemm_f32_gpu build/bench/gemm_f64_gpu)
BENCH_SPARSE := $(if $(wildcard $(CUDA)/include/cusparse.h),build/bench/spmm_gpu)
# As in grader/build/gencode.c: since Hopper, some instructions exist for exactly one architecture.
# A machine without a GPU builds for some architecture.
NATIVE   = $(or $(shell nvidia-smi --id=0 --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | awk -F. '{ print $$1 $$2 ($$1 >= 9 ? "a" : "") }'),80)
BENCH_GPU := $(if $(CUDA),build/bench/gemm_i32_gpu $(BENCH_CUDA) $(BENCH_REAL) $(BENCH_SPARSE))

# Everything here that can be built on this machine, with or without a GPU: for .ci/run. But what
# tests/cli/gpu_tiers.bats and bench.bats compile, as submissions: references in CUDA, and peers.
bench-programs: $(B)/bench/gemm_i32 $(B)/bench/spmm_f64 $(BENCH_SPMM) $(filter-out $(BENCH_CUDA),$(BENCH_GPU))

bench-harness:
	@.ci/deps test
	@$(MAKE) --no-print-directory -j2 all
	@PARAGRADE_BUILD=$(B) bench/harness $(if $(FULL),--full)

bench-regrade-gpu: gpu-parts
	@PARAGRADE_BUILD=$(B) bench/regrade-gpu

bench-regrade:
	@.ci/deps test
	@$(MAKE) --no-print-directory -j2 all
	@PARAGRADE_BUILD=$(B) bench/regrade

# Submissions x tiers, and where ReFrame is installed (from PyPI).
CLASS   := 200x5
REFRAME := $(B)/reframe

bench-scale: $(REFRAME)/bin/reframe
	@.ci/deps test
	@$(MAKE) --no-print-directory -j2 all
	@PARAGRADE_BUILD=$(B) bench/scale --reframe $(REFRAME) $(subst x, ,$(CLASS))

# Students.
bench-class: CLASS := 2000
bench-class:
	@.ci/deps test
	@$(MAKE) --no-print-directory -j2 all
	@PARAGRADE_BUILD=$(B) bench/class $(CLASS)

$(REFRAME)/bin/reframe:
	@.ci/deps bench
	python3 -m venv $(REFRAME)
	$(REFRAME)/bin/pip install --quiet ReFrame-HPC

bench-gpu:
	@test -n '$(CUDA)' || { echo 'no nvcc on PATH: install the CUDA Toolkit' >&2; exit 2; }
	@$(MAKE) --no-print-directory -j4 $(BENCH_GPU)
	@build/bench/gemm_i32_gpu --rounds $(ROUNDS) $(BENCH_CUDA)
	@for peers in $(BENCH_REAL) $(BENCH_SPARSE); do $$peers $(ROUNDS) || exit 1; done

build/bench/cuda/%.so: reference/gemm/%.cu grader/abi/gemm.h
	@mkdir -p $(@D)
	$(call say,NVCC,$<)
	$(Q)$(NVCC) -O3 -std=c++17 -gencode=arch=compute_$(NATIVE),code=sm_$(NATIVE) --cudart=shared -Xcompiler -fPIC -shared -DPARAGRADE_CUDA -Igrader/abi -o $@ $<

# Only the C files that print tables: a GPU node may lack the libraries that other files need.
build/bench/gpu/%.o: grader/base/%.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

build/bench/gemm_i32_gpu: bench/gemm_i32_gpu.cu $(B)/obj/cuda/gpu_ceiling.o $(patsubst %,build/bench/gpu/%.o,term term_progress term_table term_table_print term_wrap stats strbuf clock)
	$(call say,NVCC,$<)
	$(Q)$(NVCC) -Igrader -O2 -std=c++17 -gencode=arch=compute_$(NATIVE),code=sm_$(NATIVE) --cudart=shared -Xlinker -rpath=$(CUDA)/lib64 $(if $(CUBLAS),-DHAVE_CUBLAS) -o $@ $^ -ldl $(if $(CUBLAS),-lcublas)

build/bench/gemm_f%_gpu: bench/gemm_real_gpu.cu $(wildcard reference/gemm/cuda_*.cuh) reference/gemm/element.h grader/abi/gemm.h
	@mkdir -p $(@D)
	$(call say,NVCC,$@)
	$(Q)$(NVCC) -O3 -std=c++17 -gencode=arch=compute_$(NATIVE),code=sm_$(NATIVE) -Xlinker -rpath=$(CUDA)/lib64 -DPARAGRADE_CUDA -DGEMM_F$* -Igrader/abi -Ireference/gemm -o $@ $< -lcublas

build/bench/gpu/csr_serial.o: reference/spmm/csr_serial.c grader/abi/spmm.h
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -O2 -Igrader/abi -c -o $@ $<

build/bench/spmm_gpu: bench/spmm_gpu.cu reference/spmm/csr_cuda.cu reference/spmm/ell_cuda.cu build/bench/gpu/csr_serial.o bench/spmm_matrix.h grader/abi/spmm.h $(wildcard reference/spmm/*.cuh)
	$(call say,NVCC,$@)
	$(Q)$(NVCC) -O3 -std=c++17 -gencode=arch=compute_$(NATIVE),code=sm_$(NATIVE) -Xlinker -rpath=$(CUDA)/lib64 -DPARAGRADE_CUDA -Igrader/abi -o $@ $(filter %.cu %.o,$^) -lcusparse

# --- installing -------------------------------------------------------------------------------

ROOT    := $(DESTDIR)$(PREFIX)
# What share/paragrade has, under the same paths as here. Two pages are about the source alone.
SHARED  := $(wildcard reference/*/*.[ch] reference/*/*.cu reference/*/*.cuh reference/*/*.ispc testcases/*.yaml testcases/*/*.yaml \
             testcases/*/matrices/*.mtx \
             $(shell find testcases/adapters testcases/replay $(dir $(wildcard testcases/*/kernel)) -type f) \
             sbatch/*.sbatch sbatch/*.crontab sbatch/*.scrontab sbatch/*.service sbatch/*.timer student_impls/README.md student_impls/*/*.c student_impls/*/*.cpp \
             student_impls/*/*.cu student_impls/*/*.h) \
           $(filter-out docs/architecture.md docs/measuring-internals.md,$(wildcard docs/*.md))

# A page for each command, made from its section of paragrade.1. Its summary follows the usage in the help.
COMMAND_PAGES := $(shell sed -nE 's/^COMMAND\((.*)\)/paragrade-\1.1/p' grader/cmd/commands.def)

$(B)/man/paragrade-%.1: $(B)/man/paragrade.1 docs/command-page.awk
	$(call say,PAGE,$@)
	$(Q)awk -v command=$* -v summary="$$($(B)/bin/paragrade help $* | sed -n '3p')" -f docs/command-page.awk $< >$@.tmp && mv $@.tmp $@

install: all $(COMMAND_PAGES:%=$(B)/man/%)
	install -D -m 755 -t "$(ROOT)/bin" $(B)/bin/paragrade
	install -D -m 755 -t "$(ROOT)/libexec/paragrade" $(filter $(LIBEXEC)/%,$(PROGRAMS))
	install -D -m 644 -t "$(ROOT)/include/paragrade" $(HEADERS)
	install -D -m 644 -t "$(ROOT)/share/man/man1" $(MANUAL) $(COMMAND_PAGES:%=$(B)/man/%)
	@for shell in bash zsh; do $(B)/bin/paragrade completion $$shell >$(B)/completion.$$shell || exit; done
	install -D -m 644 $(B)/completion.bash "$(ROOT)/share/bash-completion/completions/paragrade"
	install -D -m 644 $(B)/completion.zsh "$(ROOT)/share/zsh/site-functions/_paragrade"
	@for f in $(SHARED); do install -D -m 644 "$$f" "$(ROOT)/share/paragrade/$$f" || exit; done
	install -m 755 -t "$(ROOT)/share/paragrade/sbatch" sbatch/devcluster sbatch/devcluster-node sbatch/with-modules

# Directories that only held what was installed go, too, but never those of the system.
uninstall:
	rm -f "$(ROOT)/bin/paragrade" "$(ROOT)/share/man/man1/paragrade.1" $(COMMAND_PAGES:%="$(ROOT)/share/man/man1/%")
	rm -f "$(ROOT)/share/bash-completion/completions/paragrade" "$(ROOT)/share/zsh/site-functions/_paragrade"
	rm -rf "$(ROOT)/libexec/paragrade" "$(ROOT)/include/paragrade" "$(ROOT)/share/paragrade"
ifeq ($(filter /usr /usr/local,$(ROOT)),)
	@for d in bin libexec include share/man/man1 share/man share/bash-completion/completions share/bash-completion \
	  share/zsh/site-functions share/zsh share; do \
	  rmdir --ignore-fail-on-non-empty "$(ROOT)/$$d" 2>/dev/null || true; done
	@rmdir --ignore-fail-on-non-empty "$(ROOT)" 2>/dev/null || true
endif

# A package for Debian: build/paragrade_VERSION_ARCHITECTURE.deb
deb:
	@.ci/deps deb
	@$(MAKE) --no-print-directory -j2 all
	@packaging/deb $(B)

FORMATTED := $(shell git ls-files '*.c' '*.h' '*.cu' 2>/dev/null)

format:
	@clang-format -i $(FORMATTED)

fields: $(B)/tests/unit/test_field
	@PARAGRADE_WRITE_FIELDS=1 $<

lint:
	tests/lint $(if $(DEEP),--deep)

clean:
	rm -rf build

-include $(shell find $(B)/obj build/fuzz/obj -name '*.d' 2>/dev/null)

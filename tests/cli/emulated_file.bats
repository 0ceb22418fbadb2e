#!/usr/bin/env bats
# A kernel in a file on a device that is emulated in the driver's own memory (fixtures/emulated/launch.c):
# operands in place, numbers by value, a result. No GPU is needed.

load ../helpers/common

step() { # WHO STATEMENTS: a kernel of the device
    mkdir -p "subs/$1"
    printf '%s\n' '#include <stdint.h>' \
        'void step_cuda(int n, int a, const double *x, uint8_t b, double *y, double *z, int64_t *result, void *stream)' \
        "{ (void)stream; *result = a + b; for (int i = 0; i < n; i++) { $2 } }" >"subs/$1/device.c"
}

setup_file() {
    load ../helpers/common
    load ../helpers/emulated
    cd "$BATS_FILE_TMPDIR" || exit 1
    mkdir -p emulated reference subs kernel
    cp -r "${PARAGRADE%/bin/*}"/{bin,libexec,include} emulated/
    emulated_driver emulated/libexec/paragrade/driver-cuda
    cat >kernel/step.yaml <<'YAML'
function: int64_t step(int n, int a, const double *x, uint8_t b, double *y, double *z)
operands:
  x: {size: [n]}
  y: {size: [n], inout: true}
  z: {size: [n], inout: true}
values:
  whole: {a: uniform -9 9, b: uniform 0 200, all: whole 20}
edges: [0]
trusted: {source: step.c}
YAML
    cat >kernel/step.c <<'C'
#include "step.h"
int64_t step(int n, int a, const double *x, uint8_t b, double *y, double *z)
{
    for (int i = 0; i < n; i++) {
        y[i] += a * x[i];
        z[i] = z[i] * b + y[i];
    }
    return a + b;
}
C
    cp kernel/step.c reference/naive.c
    step right 'y[i] += a * x[i]; z[i] = z[i] * b + y[i];'
    step forgets 'y[i] += a * x[i]; z[i] = b + y[i] + 0 * z[i];'
    step beyond 'y[i] += a * x[i]; z[i] = z[i] * b + y[i]; if (i == n - 1) y[n] = 0;'
    cp subs/right/device.c reference
    cat >subs/right/acc.c <<'C'
#include "step.h"
void step_acc(int n, int a, const double *x, uint8_t b, double *y, double *z, int64_t *result)
{
#pragma acc parallel loop present(x[0:n], y[0:n], z[0:n])
    for (int i = 0; i < n; i++) {
        y[i] += a * x[i];
        z[i] = z[i] * b + y[i];
    }
#pragma acc parallel present(result[0:1])
    result[0] = a + b;
}
C
    cat >a.yaml <<'YAML'
name: emulated
kernel: kernel/step.yaml
reference: reference
baseline: naive
yardstick: naive
correctness: {random: 6, max: 300}
performance: {sizes: [5000], budget: 20ms, precision: 0.3, quiet_node: false}
submit: {retries: 0}
sanitized: off
tiers:
  - {name: naive, sources: [naive.c], compile: "gcc -O2 -fPIC -shared -I{abi} -o {out} {src}"}
  - {name: device, kind: cuda, sources: [device.c], yardstick: device, compile: "gcc -O2 -fPIC -shared -I{abi} -o {out} {src}"}
  - {name: mapped, kind: cuda, memory: mapped, sources: [device.c], compile: "gcc -O2 -fPIC -shared -I{abi} -o {out} {src}"}
  - {name: acc, kind: openacc, pragmas: allow, sources: [acc.c], compile: "gcc -O2 -fopenacc -DPARAGRADE_OPENACC -fPIC -shared -I{abi} -o {out} {src}"}
YAML
    emulated/bin/paragrade grade -q -a a.yaml --run-id r -t device -t mapped -t acc subs >out.txt 2>err.txt || true
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

expect() { has_verdict reports/r "$@" out.txt err.txt; } # SUBMISSION TIER VERDICT

@test "emulated device: operands in place and numbers by value, with yardsticks on the device and on the host" {
    local tier
    for tier in device mapped; do
        expect reference $tier pass
        expect right $tier pass
        expect forgets $tier wrong-answer
        expect beyond $tier wrote-out-of-bounds
    done
    expect right acc pass # on the host, where OpenACC finds no device
    run -0 grep -c '^right,\(device\|mapped\|acc\),.*,edge,0,' reports/r/cases.csv # no elements
    assert_output 3
    run -0 grep -m 1 '^forgets,device.*expected' reports/r/cases.csv
    assert_output --regexp 'z\[[0-9]+\] \(a = [0-9]+, b = [0-9]+\): expected '
    # Many problems were timed together, and share inputs.
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $1 == "right" { n++; if (!($at["seconds"] > 0 && $at["end_to_end_seconds"] > 0)) exit 1 }
        END { if (n != 2) exit 1 }' reports/r/speedup.csv
}

# What the exported program needs of CUDA, in the memory of the host.
emulate_cuda() { # DIRECTORY
    cat >"$1/include/cuda_runtime_api.h" <<'C'
#pragma once
#include <stdlib.h>
#include <string.h>
typedef int cudaError_t;
typedef void *cudaStream_t;
enum { cudaSuccess, cudaMemcpyHostToDevice = 0, cudaMemcpyDeviceToHost };
static inline int cudaMalloc(void **p, size_t n) { return *p = malloc(n), !*p; }
static inline int cudaFree(void *p) { return free(p), 0; }
static inline int cudaMemcpy(void *to, const void *from, size_t n, int way) { return memcpy(to, from, n), way & 0; }
static inline int cudaStreamCreate(cudaStream_t *s) { return *s = NULL, 0; }
static inline int cudaStreamSynchronize(cudaStream_t s) { return s != NULL; }
static inline int cudaStreamDestroy(cudaStream_t s) { return s != NULL; }
static inline int cudaGetLastError(void) { return 0; }
static inline const char *cudaGetErrorString(int e) { return e ? "error" : ""; }
static inline const char *cudaGetErrorName(int e) { return e ? "error" : ""; }
C
}

@test "emulated file: a case of a device tier is exported, and the program finds what is wrong" {
    local unit
    mkdir -p emulated/share/paragrade/testcases
    cp -r "$REPO/testcases/replay" emulated/share/paragrade/testcases
    for unit in right.device forgets.device right.acc; do
        emulated/bin/paragrade replay r "$unit" 9 --export "out-$unit"
    done
    emulate_cuda out-right.device
    emulate_cuda out-forgets.device
    run -0 make -s -C out-right.device FLAGS='-O2 -DPARAGRADE_CUDA' LINES=
    assert_output '0 of 1 runs failed'
    run -2 make -s -C out-forgets.device FLAGS='-O2 -DPARAGRADE_CUDA' LINES=
    assert_line --regexp '^z\[[0-9]+\]: expected -?[0-9.e+]+, got '
    refute_output --regexp 'elements of (y|return) wrong'
    run -0 make -s -C out-right.acc
    assert_output '0 of 1 runs failed'
}

# Few cases and the shortest times, on the host and on a device.
short_assignment() { # NAME KERNEL
    printf 'name: %s\nkernel: kernel/%s.yaml\n' "$1" "$2"
    cat <<'YAML'
reference: reference
baseline: naive
yardstick: naive
correctness: {random: 2, max: 100, edges: false, stress_threads: [], smallest_time: 100ms}
performance: {sizes: [5000], budget: 1ms, precision: 0.5, min_sample: 1ms, quiet_node: false}
submit: {retries: 0}
sanitized: off
tiers:
  - {name: naive, sources: [naive.c], compile: "gcc -O2 -fPIC -shared -I{abi} -o {out} {src}"}
  - {name: device, kind: cuda, sources: [device.c], compile: "gcc -O2 -fPIC -shared -I{abi} -o {out} {src}"}
YAML
}

@test "emulated file: a check of the exercise and values of a C function, on a device and in ranks" {
    local kind who dir compare
    mkdir -p any/{kernel,reference,subs/{last,far}}
    cd any
    cat >kernel/top.yaml <<'YAML'
function: int32_t top(int n, const int32_t *x, int16_t *sign)
operands: {x: {size: [n]}, sign: {size: [n]}}
values: {made: {x: call}}
compare: {return: check}
trusted: {source: top.c, check: check.c, values: values.c}
YAML
    top() { # SUFFIX, MORE PARAMETERS, FIRST STATEMENT, COMPARISON, WHAT IS WRITTEN
        printf '#include <stdint.h>\n%s\nint32_t top%s(int n, const int32_t *x, int16_t *sign%s)\n{ %s int32_t best = 0; for (int i = 0; i < n; i++) { sign[i] = x[i] < 0; best = x[i] %s x[best] ? i : best; } %s; return 0; }\n' \
            "${6:-}" "$1" "$2" "$3" "$4" "$5"
    }
    top '' '' '' '>' 'return best' >kernel/top.c
    printf '#include "top.h"\nint top_check(int n, const int32_t *x, const int16_t *sign, const int32_t *result, const int16_t *right_sign, const int32_t *right_result, char why[200])\n{ (void)sign; (void)right_sign; (void)why; return *result >= 0 && *result < n && x[*result] == x[*right_result]; }\n' >kernel/check.c
    printf '#include "top.h"\nvoid top_values(const char *kind, uint64_t key, int n, int32_t *x)\n{ for (int i = 0; i < n; i++) x[i] = (int32_t)(next_random(&key) %% 5) - kind[0] %% 3; }\n' >kernel/values.c
    cp kernel/top.c reference/naive.c
    while read -r dir compare; do
        top _cuda ', int32_t *result, void *stream' '(void)stream;' "$compare" '*result = best' >"$dir/device.c"
        top _mpi ', MPI_Comm comm' 'int rank; MPI_Comm_rank(comm, &rank); if (rank) return 0;' "$compare" 'return best' '#include <mpi.h>' >"$dir/mpi.c"
    done <<<$'reference >\nsubs/last >=\nsubs/far <'
    short_assignment any top >a.yaml
    cat >>a.yaml <<'YAML'
  - {name: mpi, kind: mpi, sources: [mpi.c], ranks: [2], compile: "mpicc -O2 -fPIC -shared -I{abi} -o {out} {src}", launcher: "mpirun --mca mpi_yield_when_idle 1 --oversubscribe -n {ranks}"}
YAML
    run ../emulated/bin/paragrade grade --no-wait -q -a a.yaml --run-id any -t naive -t device -t mpi subs
    for kind in device mpi; do
        for who in 'reference pass' 'last pass' 'far wrong-answer'; do
            grep -qx "${who% *} $kind ${who#* }" <(verdicts reports/any) || fail "$kind: $output"
        done
    done
    run -0 grep '^far,' reports/any/units.csv
    assert_output --partial 'return is not right'
}

@test "emulated file: inputs that a C function makes together stay together on a device" {
    mkdir -p both/{kernel,reference}
    cd both
    cat >kernel/undo.yaml <<'YAML'
function: void undo(int n, const int32_t *p, const int32_t *inverse, int32_t *out)
operands: {p: {size: [n]}, inverse: {size: [n]}, out: {size: [n]}}
values: {made: {all: call}}
trusted: {source: undo.c, values: values.c}
YAML
    cat >kernel/values.c <<'C'
#include "undo.h"
void undo_values(const char *kind, uint64_t key, int n, int32_t *p, int32_t *inverse)
{
    for (int i = 0; i < n; i++) {
        const int k = (int)(next_random(&key) % (unsigned)(i + 1));
        p[i] = p[k];
        p[k] = i;
    }
    for (int i = 0; i < n; i++)
        inverse[p[i]] = i + kind[0] * 0;
}
C
    printf '#include <stdint.h>\nvoid undo(int n, const int32_t *p, const int32_t *inverse, int32_t *out) { for (int i = 0; i < n; i++) out[i] = inverse[p[i]] + p[0]; }\n' >kernel/undo.c
    cp kernel/undo.c reference/naive.c
    printf '#include <stdint.h>\nvoid undo_cuda(int n, const int32_t *p, const int32_t *inverse, int32_t *out, void *stream) { (void)inverse; (void)stream; for (int i = 0; i < n; i++) out[i] = i + p[0]; }\n' >reference/device.c
    short_assignment both undo >a.yaml
    run ../emulated/bin/paragrade grade --no-wait -q -a a.yaml --run-id both --reference
    has_verdict reports/both reference device pass <(echo "$output")
    run -0 awk -F, '/,device,/ { n++ } END { print n }' reports/both/speedup.csv
    assert_output 1
}

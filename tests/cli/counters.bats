#!/usr/bin/env bats
# Counters of the processor and the system: in counters.csv, only where they are asked for.

load ../helpers/common

# Threads that are created in the call, ranks, and a run without counters.
assignment() { # COUNTERS
    cat <<YAML
name: counted
kernel: gemm
type: i32
reference: $REPO/reference/gemm
baseline: naive
yardstick: simd
correctness: {random: 1, max: 20, edges: false, stress_threads: []}
performance: {sizes: [128, 256], precision: 0.5, budget: 1ms, quiet_node: false, counters: $1}
pragmas: allow
sanitized: off
tiers:
  - name: naive
    sources: [naive.c]
    compile: gcc -O2 -fwrapv -fPIC -shared -I{abi} -o {out} {src}
    points: {correct: 1}
  - name: simd
    sources: [simd.c]
    compile: gcc -O3 -mavx2 -fwrapv -fPIC -shared -I{abi} -o {out} {src}
    points: {correct: 1}
  - name: openmp
    sources: [openmp.c]
    compile: gcc -O3 -mavx2 -fwrapv -fopenmp -fPIC -shared -I{abi} -o {out} {src}
    threads: [1, 2]
    points: {correct: 1}
  - name: mpi
    kind: mpi
    launcher: mpirun --oversubscribe --bind-to none -n {ranks}
    sources: [mpi.c]
    compile: mpicc -O3 -mavx2 -fwrapv -fopenmp -fPIC -shared -DPARAGRADE_MPI -I{abi} -o {out} {src}
    ranks: [2]
    points: {correct: 1}
YAML
}

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    assignment true >a.yaml
    "$PARAGRADE" grade -q -a a.yaml --run-id r --reference >out.txt 2>err.txt || {
        cat err.txt out.txt
        return 1
    }
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

# A field of counters.csv, for a tier, ranks, threads and a size.
field() { # NAME TIER RANKS THREADS SIZE
    # shellcheck disable=SC2016 # awk's own
    awk -F, -v name="$1" -v key="$2 $3 $4 $5" '
        NR == 1 { for (i = 1; i <= NF; i++) { sub(/\r/, "", $i); at[$i] = i }; next }
        $2 " " $3 " " $4 " " $5 == key { sub(/\r/, "", $at[name]); print $at[name] }' reports/r/counters.csv
}

# Of the size 256 over 128: eight times the operations.
ratio() { # NAME TIER RANKS THREADS
    awk -v a="$(field "$@" 256)" -v b="$(field "$@" 128)" 'BEGIN { print (b > 0 ? a / b : 0) }'
}

counting_here() { [ -n "$(field task_clock_seconds naive 1 1 256)" ] || skip "no counting here: $(field counters_reason naive 1 1 256)"; }

@test "counters: a row for each tier, launch and size; what is unknown is empty, with the reason" {
    assert_equal "$(tail -n +2 reports/r/counters.csv | wc -l)" "$(tail -n +2 reports/r/speedup.csv | wc -l)"
    for tier in naive simd mpi; do
        ranks=1
        [ $tier != mpi ] || ranks=2
        if [ -z "$(field cycles $tier $ranks 1 128)" ]; then
            [ -n "$(field counters_reason $tier $ranks 1 128)" ]
            [ -z "$(field instructions $tier $ranks 1 128)" ]
        else
            [ "$(field cycles $tier $ranks 1 128 | cut -d. -f1)" != 0 ]
        fi
    done
}

@test "counters: processor time of one call, of all threads and ranks" {
    counting_here
    for launch in 'naive 1 1' 'openmp 1 1' 'openmp 1 2' 'mpi 2 1'; do
        # shellcheck disable=SC2086 # words
        set -- $launch
        # The fastest run is the one that other processes disturbed least.
        awk -F, -v t="$1" -v r="$2" -v n="$3" -v clock="$(field task_clock_seconds "$1" "$2" "$3" 256)" '
            NR == 1 { for (i = 1; i <= NF; i++) { sub(/\r/, "", $i); at[$i] = i }; next }
            $at["tier"] == t && $at["size"] == 256 && $at["ranks"] == r && $at["threads"] == n {
                if (!wall || $at["seconds"] < wall) wall = $at["seconds"] }
            END { print t, r, n, "clock", clock, "of", wall
                  exit !(wall && clock > 0.2 * wall && clock < 8 * r * n * wall) }' reports/r/samples.csv
    done
    assert [ "$(awk -v x="$(ratio task_clock_seconds naive 1 1)" 'BEGIN { print (x > 4 && x < 20) }')" = 1 ]
}

@test "counters: the run can be verified, and other runs have none" {
    run -0 "$PARAGRADE" verify r
    assignment false >off.yaml
    run -0 "$PARAGRADE" grade -q -a off.yaml --run-id off --tier simd --reference
    assert [ ! -e reports/off/counters.csv ]
    run -0 jq -s 'map(.cases[].counters) | unique' reports/off/units/*/result.json
    assert_output "$(printf '[\n  null\n]')"
    assignment perhaps >bad.yaml
    run -2 "$PARAGRADE" cases bad.yaml
    assert_output --partial "bad.yaml:8: field 'performance.counters'"
}

@test "counters: a unit that is stopped while it is counted has no result" {
    # Instead of the one of the C library: a signal comes with the first call that counts.
    cat >stop.c <<'C'
#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/syscall.h>

long syscall(long number, ...)
{
    long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    long x[6];
    va_list more;
    va_start(more, number);
    for (int i = 0; i < 6; i++)
        x[i] = va_arg(more, long);
    va_end(more);
    if (number == SYS_perf_event_open)
        raise(SIGTERM);
    return real(number, x[0], x[1], x[2], x[3], x[4], x[5]);
}
C
    gcc -D_GNU_SOURCE -shared -fPIC -o stop.so stop.c
    cat >proctor <<SH
#!/bin/sh
LD_PRELOAD=$PWD/stop.so exec "$REPO/${PARAGRADE_BUILD:-build}/libexec/paragrade/proctor" "\$@"
SH
    chmod +x proctor
    PARAGRADE_PROCTOR=$PWD/proctor run "$PARAGRADE" grade -q -a a.yaml --run-id stopped --tier naive --reference
    assert_failure
    assert [ ! -e reports/stopped/units/reference.naive/result.json ]
    run -0 jq -r .reason reports/stopped/units/reference.naive/infra-*.json
    assert_line 'the grader was told to stop'
}

#!/usr/bin/env bats
# What runs too long is ended in time.

load ../helpers/common

# A right product of a submission, with statements before and after it.
make_kernel() { # SUBMISSION TIER BEFORE [AFTER]
    mkdir -p "subs/$1"
    cat >"subs/$1/$2.c" <<CODE
#include "gemm.h"
#include <stddef.h>
#include <omp.h>
void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    $3
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[(size_t)i * K + k] * B[(size_t)k * N + j];
            C[(size_t)i * N + j] = sum;
        }
    ${4:-}
}
CODE
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    sed -e "s|\.\./\.\./|$REPO/|" -e 's/sizes: \[128\]/sizes: [16]/' \
        -e 's/limits: {case: 2s, unit: 60s/limits: {case: 3s, unit: 200s/' -e 's/failures: 2/failures: 1/' \
        "$REPO/tests/fixtures/small.yaml" >a.yaml
}

# After one limit of a case, not one for each call of the batch.
ends_in_time() { # TIER
    # It never returns from its 41st call with a matrix of 16 x 16.
    make_kernel hangs "$1" 'static int calls; if (M == 16 && N == 16 && calls++ == 40) for (volatile int on = 1; on;);'
    run "$PARAGRADE" grade -q -a a.yaml -t "$1" --run-id r subs
    local result=reports/r/units/hangs.$1/result.json
    run -0 jq -r '[.verdict, .message] | join(": ")' "$result"
    assert_output --regexp '^timeout: case [0-9]+ \(16x16x16, .*ran longer than 3 s, the limit for one case'
    run -0 jq -e '.total_seconds < 60' "$result"
}

@test "limits: a call that hangs among many that are timed together" { ends_in_time naive; }

@test "limits: a call that hangs among many that are made to find races" {
    sed -i -e 's/{random: 3, max: 64, edges: yes,/{random: 1, min: 16, max: 16, edges: no,/; s/stress_time: 1ms/stress_time: 5ms/' \
        -e 's/threads: \[1, 2\]/threads: [2]/' a.yaml
    ends_in_time openmp
}

@test "limits: an endless loop costs the limit of one case, once" {
    mkdir -p subs/endless
    printf '#include "gemm.h"\nvoid gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)\n{\n    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C;\n    for (volatile int on = 1; on;)\n        ;\n}\n' >subs/endless/naive.c
    sed -i 's/failures: 1/failures: 3/' a.yaml
    "$PARAGRADE" grade -q -a a.yaml -t naive --run-id r subs >out 2>&1 || { cat out && false; }
    run -0 jq -r '.verdict, ([.cases[] | select(.verdict == "timeout")] | length)' reports/r/units/endless.naive/result.json
    assert_output $'timeout\n1'
    run -0 jq -r .message reports/r/units/endless.naive/result.json
    assert_output --regexp 'its first thread was in gemm_i32 \(naive.c:[0-9]+\)'
}

# A spinning barrier, for example, is a hundred times slower with more threads than cores.
@test "limits: a kernel that is slow with more threads than cores passes: the checks with these end early" {
    make_kernel spins openmp 'const double end = omp_get_wtime() + (omp_get_max_threads() == 16 ? 0.2 : 0);
#pragma omp parallel for' 'while (omp_get_wtime() < end);'
    sed -i -e 's/^correctness:.*/correctness: {random: 60, max: 16, edges: no, stress_threads: [16], stress_repeat: 1}/' \
        -e 's/threads: \[1, 2\]/threads: [2]/' -e 's/unit: 200s/unit: 8s/' a.yaml
    run -0 "$PARAGRADE" grade -q -a a.yaml -t openmp --run-id r subs
    run -0 jq -r '.verdict, .message, ([.cases[].threads] | unique | tostring), (.cases | length < 121)' \
        reports/r/units/spins.openmp/result.json
    assert_output $'pass\n\n[2,16]\ntrue'
    run -0 "$PARAGRADE" verify r
}

@test "limits: a timeout with more threads than cores says so" {
    make_kernel waits openmp 'for (volatile int on = omp_get_max_threads() == 50; on;);'
    [ "$(nproc)" -lt 50 ] || skip "50 threads have a core each here"
    sed -i -e 's/^correctness:.*/correctness: {random: 1, max: 16, edges: no, stress_threads: [50], stress_repeat: 1}/' \
        -e 's/threads: \[1, 2\]/threads: [2]/' a.yaml
    run -0 "$PARAGRADE" grade -q -a a.yaml -t openmp --run-id r subs
    run -0 jq -r .message reports/r/units/waits.openmp/result.json
    assert_output --regexp 'ran longer than 3 s, the limit for one case; .*50 workers shared [0-9]+ cores?: a worker that waits in a busy loop'
}

# The limit of a case is for what students write.
@test "limits: a baseline that is slower than the limit of a case is timed" {
    cp -r "$REPO/reference/gemm" reference
    make_kernel slow naive 'if (M == 16 && N == 16) nanosleep(&(struct timespec){1, 300000000}, NULL);'
    sed 's/#include <omp.h>/#include <time.h>/' subs/slow/naive.c >reference/naive.c
    rm -r subs
    make_kernel fine simd ''
    sed -i -e "s|reference: .*|reference: reference|; s/case: 3s/case: 1s/; s/yardstick: naive/yardstick: simd/" -e 's/edges: yes/edges: no/' -e "s/submit: {/&retries: 0, /" a.yaml
    run "$PARAGRADE" grade -q -a a.yaml -t simd --run-id r subs
    run -0 jq -r .verdict reports/r/units/fine.simd/result.json
    assert_output pass
    run -0 jq -e '.calibrations | length == 1 and ([.[0].samples[].unit | numbers] | min) > 0.3' reports/r/nodes/*.json
}

# A kernel that uses so much processor time in each of 12 cases.
make_busy() { # SECONDS
    make_kernel busy naive "const double end = omp_get_wtime() + $1; while (omp_get_wtime() < end);"
    sed -i -e 's/^correctness:.*/correctness: {random: 12, max: 16, edges: no}/' \
        -e 's/gcc -std=c11/gcc -fopenmp -std=c11/' a.yaml
}

@test "limits: a soft limit of the login shell is raised (ulimit -S)" {
    make_busy 0.2
    ulimit -S -t 1 -n 40 -v 2000000
    run -0 "$PARAGRADE" check --no-timing -a a.yaml --tier naive --reports reports subs/busy
    run -0 jq -r .verdict reports/*/units/busy.naive/result.json
    assert_output pass
}

@test "limits: a hard limit of processor time is the machine's fault, also when it ends the code again" {
    make_busy 0.4
    sed -i 's/max_concurrent: 8/&, retries: 1/' a.yaml
    ulimit -t 2
    run "$PARAGRADE" check --no-timing -a a.yaml --tier naive --reports reports subs/busy
    run -0 find reports -path '*busy.naive/result.json'
    assert_output ''
    run -0 jq -r .reason reports/*/units/busy.naive/infra-*.json
    assert_line --index 0 --partial 'limit of 2 s of processor time'
    assert_line --index 0 --partial 'ulimit -t'
    refute_output --partial 'attempt before'
}

@test "limits: a compiler that the machine's limit ends is no build error" {
    mkdir bin
    cat >bin/slowcc <<'CC'
#!/bin/bash
case "$*" in *empty*) ;; *) while :; do :; done ;; esac
exec gcc "$@"
CC
    chmod +x bin/slowcc
    PATH=$PWD/bin:$PATH
    make_busy 0
    sed -i -e '/name: naive/,/compile:/s/compile: gcc/compile: slowcc/' -e 's/max_concurrent: 8/&, retries: 0/' a.yaml
    ulimit -t 2
    run "$PARAGRADE" check --no-timing -a a.yaml --tier naive --reports reports subs/busy
    run -0 find reports -path '*busy.naive/result.json'
    assert_output ''
    run -0 jq -r .reason reports/*/units/busy.naive/infra-*.json
    assert_line --index 0 --partial 'the compiler was ended by a limit of 2 s of processor time'
}

@test "limits: too much output of a quick call is found in that call" {
    sed -i 's/output: 100K/output: 10K/' a.yaml
    make_kernel chatty naive 'static int calls; if (!calls++) for (int i = 0; i < 11; i++) printf("%1023d\n", i);'
    sed -i '1i #include <stdio.h>' subs/chatty/naive.c
    "$PARAGRADE" grade -q -a a.yaml -t naive --run-id r subs >out 2>&1 || { cat out && false; }
    run -0 jq -r '[.verdict, .message] | join(": ")' reports/r/units/chatty.naive/result.json
    assert_output --regexp '^output-limit: case 0 \(.*printed more than 10240 bytes'
}

#!/usr/bin/env bats
# paragrade replay --export: a case as a program of its own. The run is planned only: nothing in it
# has been graded.

load ../helpers/common

# A kernel that begins with a statement, writes so many columns, and may have one more parameter.
kernel() { # STATEMENT COLUMNS [SUFFIX PARAMETER]
    cat <<SOURCE
#include "gemm.h"
#include <stdio.h>
void gemm_i32${3:-}(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C${4:+, $4})
{
    $1;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < $2; j++) {
            int32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[i * K + k] * B[k * N + (j < N ? j : 0)];
            C[i * N + j] = sum;
        }
}
SOURCE
}

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    mkdir -p subs/mine
    cp -r "$REPO/student_impls/carol" subs/
    kernel '' N+1 >subs/mine/naive.c
    { kernel '' N && echo 'static int *p = new int(1);'; } >subs/mine/locality.cpp
    kernel '
    #pragma omp parallel
    #pragma omp single
    { extern int omp_get_num_threads(void); printf("threads: %d\n", omp_get_num_threads()); }' N >subs/mine/openmp.c
    kernel 'int n; MPI_Comm_size(comm, &n); if (!C) return; printf("ranks: %d\n", n)' N _mpi \
        'MPI_Comm comm' >subs/mine/mpi.c
    echo '#include "gemm.h"' >subs/mine/cuda.cu
    PARAGRADE_PROCTOR=$REPO/tests/fixtures/fake-proctor "$PARAGRADE" grade -q -a "$REPO/testcases/gemm-i32.yaml" \
        --profile quick --run-id r subs >out.txt 2>&1
}

setup() {
    cd "$BATS_FILE_TMPDIR" || exit 1
    D=$BATS_TEST_TMPDIR/program
}

export_case() { # UNIT CASE [OPTION...]
    run -0 "$PARAGRADE" replay --export "$D" r "$@"
    assert_output --partial "make -C"
}

@test "replay --export: a directory that is not empty is refused and stays" {
    mkdir "$D"
    echo mine >"$D/case.h"
    run -2 "$PARAGRADE" replay --export "$D" r carol.simd 6
    assert_output --partial 'is not empty'
    assert_equal "$(ls -A "$D")" case.h
    assert_equal "$(cat "$D/case.h")" mine
    run -2 "$PARAGRADE" replay --export "$D/case.h" r carol.simd 6
    assert_output --partial 'is not a directory'
    assert_equal "$(cat "$D/case.h")" mine
}

@test "replay --export: bad arguments write nothing" {
    run -2 "$PARAGRADE" replay --export "$D" r carol.simd 99999
    run -2 "$PARAGRADE" replay --export "$D" r carol.simd 6 --launch 2x1
    run -2 "$PARAGRADE" replay --export "$D" r nobody.simd 6
    assert [ ! -e "$D" ]
}

@test "replay --export: after a failure, nothing of the program is left" {
    cp -r reports/r "$BATS_TEST_TMPDIR/r"
    rm -r "$BATS_TEST_TMPDIR/r/sources/carol"
    run ! "$PARAGRADE" replay --export "$D" "$BATS_TEST_TMPDIR/r" carol.simd 6
    assert_output --partial 'sources/carol'
    assert [ ! -e "$D" ]
    mkdir "$D"
    run ! "$PARAGRADE" replay --export "$D" "$BATS_TEST_TMPDIR/r" carol.simd 6
    assert_equal "$(ls -A "$D")" ''
}

@test "replay --export: the program shows the first wrong element that replay shows" {
    run -1 "$PARAGRADE" replay r carol.simd 6
    local want
    want=$(grep -oE 'C\[[0-9]+\]\[[0-9]+\]: expected -?[0-9]+' <<<"$output" | head -n 1)
    assert [ -n "$want" ]
    export_case carol.simd 6
    mv "$D" "$BATS_TEST_TMPDIR/elsewhere" # it needs nothing of the grader
    run ! make -C "$BATS_TEST_TMPDIR/elsewhere" run RUNS=2
    assert_output --partial "$want"
    assert_output --partial '17 of 561 elements wrong'
    assert_output --partial '2 of 2 runs failed'
}

@test "replay --export: a right kernel passes, also in C++" {
    export_case mine.locality 17
    assert_line "  make -C $D run"
    [ "$(wc -L <"$D/README.txt")" -le 80 ]
    run -0 make -C "$D" run
    assert_output --partial 'g++'
    assert_output --partial '0 of 1 runs failed'
}

@test "replay --export: a compile command of several steps" {
    sed -e "s|^reference: .*|reference: $REPO/reference/gemm|; /^template:/d" \
        -e 's|^    compile: gcc -std=c11 -O2 .*$|    compile: gcc -O2 -fwrapv -fPIC -I{abi} -c -o {dir}/k.o {src} \&\& gcc -shared -o {out} {dir}/k.o -lm|' \
        "$REPO/testcases/gemm-i32.yaml" >"$BATS_TEST_TMPDIR/a.yaml"
    cd "$BATS_TEST_TMPDIR"
    mkdir -p subs
    cp -r "$REPO/student_impls/alice" subs/
    PARAGRADE_PROCTOR=$REPO/tests/fixtures/fake-proctor run -0 "$PARAGRADE" grade -q -a a.yaml \
        --profile quick --run-id two subs
    run -0 "$PARAGRADE" replay --export "$D" two alice.naive 7
    run -0 make -C "$D" run
    assert_output --partial 'cd src && gcc -O2 -fwrapv -fPIC -I../include -c -o ./k.o naive.c'
    assert_output --partial '0 of 1 runs failed'
}

@test "replay --export: asan names the line of a write past the end" {
    export_case mine.naive 7
    assert_line "Some mistakes leave the result right. To find them: make -C $D asan"
    run ! make -C "$D" asan
    assert_output --partial 'heap-buffer-overflow'
    assert_output --regexp 'in gemm_i32 .*src/naive.c:11'
}

@test "replay --export: asan has nothing to say about right code" {
    local unit
    for unit in carol.naive mine.openmp; do
        rm -rf "$D"
        export_case $unit 17
        run -0 make -C "$D" asan RUNS=2
        assert_output --partial '0 of 2 runs failed'
        refute_output --partial 'Sanitizer'
    done
}

@test "replay --export: perf shows its lines for a case that fails, too" {
    export_case carol.simd 6
    mkdir "$BATS_TEST_TMPDIR/bin"
    # shellcheck disable=SC2016
    printf '#!/bin/sh\n[ "$1" = report ] && echo lines || { shift 3; exec "$@"; }\n' >"$BATS_TEST_TMPDIR/bin/perf"
    chmod +x "$BATS_TEST_TMPDIR/bin/perf"
    PATH=$BATS_TEST_TMPDIR/bin:$PATH run -0 make -C "$D" perf
    assert_output --partial '1 of 1 runs failed'
    assert_line lines
}

@test "replay --export: threads as in the launch" {
    export_case mine.openmp 13 --launch 1x3
    run -0 make -C "$D" run
    assert_output --partial 'threads: 3'
}

@test "replay --export: ranks as in the launch" {
    command -v mpirun || skip 'no mpirun'
    [ -x "$REPO/${PARAGRADE_BUILD:-build}/libexec/paragrade/driver-mpi" ] || skip 'no driver-mpi'
    export_case mine.mpi 13 --launch 2x1
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 run -0 make -C "$D" run
    assert_output --partial 'ranks: 2'
    assert_output --partial '0 of 1 runs failed'
}

@test "replay --export: a GPU's case names the four tools of compute-sanitizer" {
    local tool
    export_case mine.cuda 6
    assert_line "Some mistakes leave the result right. To find them: make -k -C $D memcheck racecheck synccheck initcheck"
    for tool in memcheck racecheck synccheck initcheck; do
        run -0 make -n -C "$D" $tool RUNS=2
        assert_output --regexp "compute-sanitizer --error-exitcode 1 --tool $tool ./program 2"
        assert_output --partial ' -lineinfo '
    done
}

@test "replay --export: no seed is in the files" {
    local seed
    seed=$("$PARAGRADE" cases --profile quick --json "$REPO/testcases/gemm-i32.yaml" | jq -r '.[6].seed')
    assert [ -n "$seed" ]
    export_case carol.simd 6
    for word in 20261121 "$seed" "${seed#0x}" seed; do
        run -1 grep -rail -- "$word" "$D"
    done
}

#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# SIGKILL from outside, at any moment: to the front end, the proctor, the driver, an MPI rank. Real
# proctors; on this machine.

load ../helpers/common
load ../helpers/sound

write_class() {
    local s
    mkdir -p subs/good subs/wrong subs/suicide ref
    cp "$REPO"/reference/gemm/*.[ch] ref/
    cp ref/{naive.c,mpi.c} ref/*.h subs/good/
    for s in wrong suicide; do
        cat >subs/$s/naive.c <<C
#include "gemm.h"
#include <signal.h>
void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    (void)K, (void)A, (void)B;
    for (int i = 0; i < M * N; i++)
        C[i] = 1;
    $([ $s = wrong ] || echo 'raise(SIGKILL);')
}
C
    done
    local mpi=''
    command -v mpirun >/dev/null && mpi='
  - name: mpi
    kind: mpi
    sources: [mpi.c]
    compile: mpicc -std=gnu11 -O1 -fwrapv -fopenmp -fPIC -shared -DPARAGRADE_MPI -I{abi} -o {out} {src}
    launcher: mpirun --mca mpi_yield_when_idle 1 --oversubscribe --bind-to none -n {ranks}
    ranks: [2]
    points: {correct: 10}'
    cat >a.yaml <<YAML
name: kill
kernel: gemm
type: i32
seed: 7
reference: ref
baseline: naive
yardstick: naive
sanitized: off
correctness: {random: 4, max: 64, edges: no}
performance: {sizes: [128], budget: 40ms, precision: 0.001, min_sample: 2ms, quiet_node: false}
limits: {case: 5s, unit: 30s, memory: 300M, output: 64K, failures: 2}
submit: {retries: 3}
allow: [standard, raise]
tiers:
  - name: naive
    sources: [naive.c]
    compile: gcc -std=gnu11 -O1 -fwrapv -fPIC -shared -I{abi} -o {out} {src}
    points: {correct: 10, speed: [{points: 10, curve: [[0, 0], [0.01, 1]]}]}$mpi
YAML
}

setup_file() {
    load ../helpers/common
    load ../helpers/sound
    cd "$BATS_FILE_TMPDIR" || return 1
    write_class
    "$PARAGRADE" grade -q -a a.yaml --run-id uninterrupted subs >out 2>err || {
        cat out err
        return 1
    }
    verdicts reports/uninterrupted >undisturbed
    # A submission whose killing is its own has its verdict all the same.
    grep -x 'suicide naive crash' undisturbed || {
        cat undisturbed
        return 1
    }
    cp undisturbed undisturbed.all
    rm -r subs/suicide # the others are quicker without
    sed -i '/^suicide /d' undisturbed
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    cp -r "$BATS_FILE_TMPDIR"/{subs,ref,a.yaml} .
    own_scratch
}

# The processes of this test by program name: those whose directory or command line is in it.
processes() { # NAME
    local p
    for p in $(pgrep -f "$1"); do
        [[ $(readlink "/proc/$p/exe") == */"$1" ]] || continue
        [[ $(readlink "/proc/$p/cwd") == "$BATS_TEST_TMPDIR"* ]] && echo "$p"
    done
    return 0
}

kill_one() { # NAME: at once when there is one, after the moment; 1: there was none in 10 s
    local end=$((SECONDS + 10)) list
    sleep "$MOMENT"
    while [ "$SECONDS" -lt "$end" ]; do
        mapfile -t list < <(processes "$1")
        if [ ${#list[@]} -gt 0 ]; then
            pick "${list[@]}"
            kill -9 "$PICKED" 2>/dev/null && return 0
        fi
        kill -0 "$front" 2>/dev/null || return 1
    done
    return 1
}

@test "kill: a submission that kills itself is a crash, at once" {
    local unit=$BATS_FILE_TMPDIR/reports/uninterrupted/units/suicide.naive
    assert_equal "$(find "$unit" -name 'infra-*.json' | wc -l)" 0
    run jq -r .message "$unit/result.json"
    assert_output --partial 'it sent itself signal 9'
}

# Kill each driver that has the library of the second unit loaded.
kill_slow() {
    local p
    for p in $(processes driver-cpu); do
        ! grep -q unit-1/kernel.so "/proc/$p/maps" 2>/dev/null || kill -9 "$p" || true
    done
}

@test "kill: a signal from outside is never the code's, however often it comes" {
    grep -q '^oom_kill ' /proc/vmstat || skip "this kernel does not count processes that it ends"
    mkdir -p only/slow
    cp subs/good/*.h only/slow/
    sed 's/^    for (int i = 0/    nanosleep(\&(struct timespec){1, 0}, 0);\n&/; s/#include "gemm.h"/&\n#include <time.h>/' \
        subs/good/naive.c >only/slow/naive.c
    sed -i 's/retries: 3/retries: 1/' a.yaml
    "$PARAGRADE" grade -q -a a.yaml --tier naive --run-id r only >out 2>err 3>&- &
    front=$!
    while kill -0 $front 2>/dev/null; do
        kill_slow
        sleep 0.1
    done
    status=0
    wait $front || status=$?
    [ "$status" = 1 ] || fail "$(cat out err)"
    run find reports/r/units/slow.naive -name 'infra-*.json'
    assert_equal "${#lines[@]}" 2
    run cat reports/r/units/slow.naive/infra-*.json
    assert_output --partial 'neither by the grader nor by itself'
    refute_output --partial unexplained
}

# Grade a submission with a minute of work for the compiler, until that compiles.
grade_slow_source() {
    {
        echo '#define F(n) int f##n(int x) { for (int i = 0; i < x; i++) x = x * 3 + i / (x + n); return x; }'
        echo '#define F1(n) F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7) F(n##8) F(n##9)'
        printf '#define F%d(n) F%d(n##0) F%d(n##1) F%d(n##2) F%d(n##3) F%d(n##4) F%d(n##5)\n' \
            2 1 1 1 1 1 1 3 2 2 2 2 2 2 4 3 3 3 3 3 3 5 4 4 4 4 4 4
        echo 'F5(1)'
    } >>subs/good/naive.c
    "$PARAGRADE" grade -q -a a.yaml --tier naive --run-id r subs/good >out 2>err 3>&- &
    front=$!
    compiling() { [ "$(cc1 | wc -l)" = 1 ] && sleep 0.5 && [ "$(cc1 | wc -l)" = 1 ]; }
    wait_until 60 compiling
}

# The compilers of this test.
cc1() { pgrep -f "^[^ ]*/cc1 .*naive.c .*$BATS_TEST_TMPDIR"; }

@test "kill: a signal that ends the compiler as well is no build error" {
    grade_slow_source
    kill -TERM $front
    # shellcheck disable=SC2046
    kill -TERM $(cc1) || true # the grader may have been quicker
    status=0
    wait $front || status=$?
    assert_equal $status 3
    assert [ ! -e reports/r/units/good.naive/result.json ]
}

@test "kill: a request to stop ends the compiler as well" {
    grade_slow_source
    local compiler
    compiler=$(cc1)
    compiler_ended() { ! ps -o stat= -p "$compiler" | grep -qv Z; }
    kill -TERM $front
    status=0
    wait $front || status=$?
    assert_equal $status 3
    wait_until 10 compiler_ended # it was killed; its parent may not know yet
    run jq -r .reason reports/r/units/good.naive/infra-*.json
    assert_output 'the grader was told to stop' # it was not killed
}

@test "kill: the proctor or the driver, at any moment" {
    schedule kill
    for victim in driver-cpu driver-cpu proctor; do
        moment 0 800
        "$PARAGRADE" grade -q -a a.yaml --tier naive --run-id "r" subs >out 2>err 3>&- &
        front=$!
        kill_one $victim || echo "none of $victim any more"
        wait $front || fail "status $?: $(cat err reports/r/units.csv)"
        grep -v ' mpi ' "$BATS_FILE_TMPDIR/undisturbed" >wanted
        sound reports/r wanted
        rm -r reports
    done
}

@test "kill: a rank, or its launcher" {
    command -v mpirun >/dev/null || skip "no mpirun here"
    schedule rank
    for victim in driver-mpi orterun; do
        moment 0 700
        "$PARAGRADE" grade -q -a a.yaml --tier mpi --run-id r subs >out 2>err 3>&- &
        front=$!
        kill_one $victim || echo "none of $victim any more"
        wait $front || fail "status $?: $(cat err reports/r/units.csv)"
        grep ' mpi ' "$BATS_FILE_TMPDIR/undisturbed" >wanted
        sound reports/r wanted
        rm -r reports
    done
}

@test "kill: the front end, and resume" {
    schedule front
    for _ in 1 2; do
        moment 50 1500
        "$PARAGRADE" grade -q -a a.yaml --tier naive --run-id r subs >out 2>err 3>&- &
        front=$!
        sleep "$MOMENT"
        kill -9 $front 2>/dev/null || true
        wait $front || true
        [ -e reports/r/plan.json ] || continue
        run -0 "$PARAGRADE" resume -q r
        grep -v ' mpi ' "$BATS_FILE_TMPDIR/undisturbed" >wanted
        sound reports/r wanted
        rm -r reports
    done
}

@test "kill: the record of a node is cut off or lost: timed again, and no points are lost" {
    cp -r "$BATS_FILE_TMPDIR/reports" .
    for how in cut lost; do
        if [ $how = cut ]; then
            truncate -s 50 reports/uninterrupted/nodes/*.json
        else
            rm reports/uninterrupted/nodes/*.json
        fi
        run -0 "$PARAGRADE" resume -q uninterrupted
        assert_output --partial 'such units run again'
        sound reports/uninterrupted "$BATS_FILE_TMPDIR/undisturbed.all"
        run -0 awk -F, '$1 == "good" && $2 == "naive" { print $5 + 0 }' reports/uninterrupted/units.csv
        refute_output 0
    done
}

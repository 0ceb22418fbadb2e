#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# paragrade grade --slurm on a real Slurm, when all is well. The proctor is a fake except where a
# test says otherwise.

load ../helpers/cluster
load ../helpers/class

setup_file() {
    cluster_start 2 --gpus 2
}

setup() {
    needs_cluster
    make_class
}

@test "a partition that does not exist: Slurm's words, nothing in the queue, and a way on" {
    run "$PARAGRADE" grade -a a.yaml --partition nope --run-id p subs
    assert_failure 2
    assert_output --partial 'Invalid partition name specified'
    assert_output --partial 'paragrade resume --slurm reports/p'
    assert queue_is_empty
    run ls reports/p/slurm
    assert_output ''
    run "$PARAGRADE" resume -q --partition cpu p
    assert_success
    assert_graded reports/p
}

@test "a wrapper of sbatch prints a date, a greeting and a number: no unit runs twice, no other job ends" {
    mkdir bin
    local other
    other=$(sbatch --parsable --job-name other --output /dev/null --wrap 'sleep 300')
    printf '#!/bin/sh\necho "2026-11-26 09:00:00 [info] credential added"\necho "   Welcome to the Hill3 system"\n%q "$@"\nrc=$?\n[ ! -e number ] || { echo "jobs of yours that wait:"; cat number; }\nexit $rc\n' \
        "$(command -v sbatch)" >bin/sbatch
    chmod +x bin/sbatch
    for what in words number; do
        if [ $what = number ]; then echo "$other" >number; fi
        PATH=$PWD/bin:$PATH FAKE_SLEEP=1 run "$PARAGRADE" grade -q -a a.yaml --slurm --run-id $what subs
        assert_graded reports/$what
        run find reports/$what/units -name 'infra-*'
        assert_output ''
    done
    # Also when it is refused.
    sed -i 's/slurm: {cpus: 2}/slurm: {cpus: 2, constraint: no-such-feature}/' a.yaml
    PATH=$PWD/bin:$PATH run "$PARAGRADE" grade -q -a a.yaml --slurm --run-id refused subs
    assert_failure 2
    run squeue --noheader --jobs "$other" --format=%T
    assert_output RUNNING
    scancel "$other"
    wait_until 10 queue_is_empty
}

@test "refused for the second shape: the first one does not stay" {
    sed -i 's/slurm: {cpus: 2}/slurm: {cpus: 2, constraint: no-such-feature}/' a.yaml
    FAKE_SLEEP=20 run "$PARAGRADE" grade -a a.yaml --slurm --run-id p subs
    assert_failure 2
    assert_output --partial "tier 'openmp'"
    refute_output --partial 'on in Slurm'
    wait_until 10 queue_is_empty
}

@test "a class: one array for the same resources, the verdicts of a local run, an empty queue" {
    FAKE_UNTIL=$PWD/go "$PARAGRADE" grade -a a.yaml --slurm --run-id c subs >out 2>err 3>&- &
    # At once, and then how far it is.
    wait_until 60 grep -E '^0/11.*  [0-9]+ running, [0-9]+ queued' err
    touch go
    wait $!
    assert_graded reports/c
    assert_regex "$(<err)" $'\n0/11  submitting\n'
    assert_equal "$(find reports/c/slurm -name 'array-*.json' | wc -l)" 2
    wait_until 10 queue_is_empty
    run "$PARAGRADE" grade -q -a a.yaml --run-id local subs
    assert_success
    cut -d, -f1-3 reports/local/units.csv | sort >local.csv
    cut -d, -f1-3 reports/c/units.csv | sort | diff - local.csv
    for f in reports/c/*.csv; do
        diff <(head -n 1 "$f") <(head -n 1 "reports/local/${f##*/}")
    done
}

@test "--no-wait: the report job writes the tables" {
    FAKE_SLEEP=1 run "$PARAGRADE" grade -a a.yaml --slurm --no-wait --run-id w subs
    assert_success
    assert_output --partial 'a job that waits for them writes the reports'
    run "$PARAGRADE" status w
    assert_failure 3
    assert_output --partial 'a job that waits for the others'
    wait_until 60 test -e reports/w/grades.csv
    assert_graded reports/w
    run "$PARAGRADE" status --json w
    assert_success
    assert_output --partial '"slurm": "answers"'
}

@test "arrays with the same resources share max_concurrent" {
    local real
    real=$(command -v sbatch)
    mkdir bin
    printf '#!/bin/sh\necho "$@" >>%s/asked\nexec %s "$@"\n' "$PWD" "$real" >bin/sbatch
    chmod +x bin/sbatch
    sed -i 's/^submit: .*/submit: {poll: 500ms, retries: 2, max_array_size: 2, max_concurrent: 4}/' a.yaml
    PATH=$PWD/bin:$PATH FAKE_SLEEP=0 run "$PARAGRADE" grade -q -a a.yaml --slurm --tier naive --tier simd --run-id m subs
    assert_success
    grep -oE 'array=[0-9]+-[0-9]+%[0-9]+' asked >arrays
    run -0 awk -F% '{ sum += $2 } END { exit !(NR == 4 && sum <= 4) }' arrays
}

@test "stopped: jobs go on, and resume waits for them without running anything twice" {
    FAKE_SLEEP=3 "$PARAGRADE" grade -a a.yaml --slurm --run-id s subs 2>err &
    pid=$!
    wait_until 20 compgen -G 'reports/s/units/*/attempt-*.json'
    kill -TERM $pid
    status=0
    wait $pid || status=$?
    assert_equal $status 3
    run cat err
    assert_output --partial 'units go on in Slurm'
    assert_output --regexp 'scancel [0-9]+'
    run "$PARAGRADE" status s
    assert_failure 3
    assert_output --regexp 'running +[1-9]'
    run "$PARAGRADE" resume -q s
    assert_success
    assert_graded reports/s
    assert_equal "$(find reports/s/units -name 'attempt-*.json' | wc -l)" 11
    assert_equal "$(find reports/s/units -name 'infra-*.json' | wc -l)" 0
}

@test "resume --local: jobs that would do the same units are named, and nothing runs; without them it runs here" {
    "$PARAGRADE" grade -q -a a.yaml --slurm --partition down --no-wait --run-id l subs
    run "$PARAGRADE" resume --local l
    assert_failure 2
    assert_output --regexp "jobs of this run are in Slurm's queue \(job [0-9]+\)"
    assert_equal "$(find reports/l/units -name result.json | wc -l)" 0
    cancel_jobs
    wait_until 10 queue_is_empty
    run "$PARAGRADE" resume -q --local l
    assert_success
    assert_graded reports/l
}

@test "resume with a wrong partition, while other jobs of the run wait: they are not said to be gone" {
    "$PARAGRADE" grade -q -a a.yaml --slurm --partition down --no-wait --run-id v subs
    scancel "$(cat reports/v/slurm/array-2.job)"
    rm reports/v/slurm/array-2.*
    run "$PARAGRADE" resume --partition nope v
    assert_failure 2
    assert_output --partial '7 units go on in Slurm'
    assert_output --partial 'No job of this call was left in the queue.'
    assert_equal "$(squeue -h --name="$(jq -r .name reports/v/slurm/array-1.json)" -o %T)" PENDING
    cancel_jobs
    wait_until 10 queue_is_empty
}

n1_is_idle() { sinfo -h -n n1 -o %T | grep -qx idle; }

@test "a bad node: units go to another, and the failure is on record" {
    wait_until 60 n1_is_idle # else no unit comes to it
    FAKE_INFRA_NODE=n1 run "$PARAGRADE" grade -q -a a.yaml --slurm --run-id b subs
    assert_success
    assert_graded reports/b
    run grep -rh reason reports/b/units --include 'infra-*.json'
    assert_output --partial 'a bad node'
}

@test "every node is bad: bounded, and nobody loses a point" {
    sed -i 's/retries: 2/retries: 1/' a.yaml
    FAKE_STATUS='*:75' run "$PARAGRADE" grade -a a.yaml --slurm --tier naive --run-id b subs
    assert_failure 1
    assert_output --partial 'have no verdict'
    assert_equal "$(find reports/b/units/alice.naive -name 'infra-*.json' | wc -l)" 2
    run grep alice.naive reports/b/units.csv
    assert_output --partial infra-error
}

@test "a partition that is down: said once, and nothing is believed about the units" {
    FAKE_SLEEP=0 "$PARAGRADE" grade -a a.yaml --partition down --run-id d subs 2>err &
    pid=$!
    wait_until 20 grep -q 'keeps jobs of this run waiting' err
    sleep 2
    assert_equal "$(grep -c 'keeps jobs' err)" 1
    kill -TERM $pid
    wait $pid || true
    assert_equal "$(find reports/d/units -name 'infra-*.json' | wc -l)" 0
    scancel --user="$(id -u)"
    wait_until 10 queue_is_empty
}

@test "resume with another partition: jobs that wait with the old one are named" {
    "$PARAGRADE" grade -q -a a.yaml --partition down --no-wait --tier naive --run-id o subs
    waits() { [ "$("$PARAGRADE" status --json o | jq -r '.arrays[].reason')" = PartitionDown ]; }
    wait_until 20 waits
    run "$PARAGRADE" status o
    assert_output --partial 'keeps jobs waiting: PartitionDown'
    run "$PARAGRADE" resume --no-wait o
    refute_output --partial 'stay in the queue'
    run "$PARAGRADE" resume --no-wait --slurm --partition main o
    assert_output --partial '4 units stay in the queue with the options of their submission'
    way=$(grep -oE 'scancel --state=PENDING [0-9 ]+[0-9]' <<<"${output//$'\n'/ }")
    $way
    wait_until 10 queue_is_empty
    run "$PARAGRADE" resume -q --partition main o
    assert_success
    refute_output --partial 'stay in the queue'
    assert_equal "$(result_verdicts reports/o)" "$(expected_verdicts | grep naive)"
}

@test "run directories with blanks, signs and a percent" {
    reports="my \$(touch pwned) 50%j 'x'"
    run "$PARAGRADE" grade -q -a a.yaml --slurm --reports "$reports" --run-id n subs
    assert_success
    assert [ ! -e pwned ]
    assert_graded "$reports/n"
    assert [ -e "$reports/n/slurm/array-1-0.log" ]
}

@test "personal defaults and the surrounding job do not disturb" {
    export SQUEUE_STATES=COMPLETED SQUEUE_FORMAT=%i SBATCH_ARRAY_INX=7 SBATCH_WAIT=1
    export SLURM_MEM_PER_NODE=1 SLURM_NTASKS=99 SLURM_JOB_ID=1 SBATCH_TEST_ONLY=1
    run "$PARAGRADE" grade -q -a a.yaml --slurm --run-id e subs
    assert_success
    assert_graded reports/e
}

@test "the settings of the site reach the node, and stay with the report job" {
    mkdir -p modules/init
    echo 'module() { export LOADEDMODULES=$2; }' >modules/init/bash
    printf '#!/bin/sh\necho "$TMPDIR $(nice) $LOADEDMODULES" >>"%s/seen"\nexec "%s" "$@"\n' "$PWD" "$PARAGRADE_PROCTOR" >spy
    chmod +x spy
    printf 'partition: main\nmodules: gcc/13\nscratch: %s\nnice: 4\n' "$PWD" >site.yaml
    export MODULESHOME=$PWD/modules PARAGRADE_PROCTOR=$PWD/spy PARAGRADE_SITE=$PWD/site.yaml
    run "$PARAGRADE" grade -q -a a.yaml --slurm --no-wait --run-id s subs
    assert_success
    rm site.yaml # the report job may run where there is none
    wait_until 60 test -s reports/s/grades.csv
    assert_graded reports/s
    run sort -u seen
    assert_output "$PWD $(($(nice) + 4)) gcc/13"
    wait_until 10 queue_is_empty
}

# Real proctors from here on.

real_class() {
    mkdir -p real/ok real/loops real/hungry real/chatty real/wrong
    cp "$REPO"/reference/gemm/{naive.c,element.h} real/ok/
    head='#include "gemm.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C) {
    (void)M; (void)N; (void)K; (void)A; (void)B; (void)C;'
    printf '%s\n    for (;;) ;\n}\n' "$head" >real/loops/naive.c
    printf '%s\n    for (;;) memset(malloc(1 << 24), 1, 1 << 24);\n}\n' "$head" >real/hungry/naive.c
    printf '%s\n    for (;;) { puts("mud"); fflush(stdout); }\n}\n' "$head" >real/chatty/naive.c
    printf '%s\n    memset(C, 0, sizeof(int32_t) * M * N);\n}\n' "$head" >real/wrong/naive.c
    real_assignment 'budget: 200ms' \
        'case: 2s, unit: 20s, memory: 300M, output: 64K, failures: 1' 'retries: 3'
}

@test "time, memory and output limits are the proctor's: the same verdicts as locally" {
    real_class
    run "$PARAGRADE" grade -q -a real.yaml --tier naive --slurm --run-id s real
    assert_success
    run result_verdicts reports/s
    assert_line 'chatty.naive output-limit'
    assert_line 'hungry.naive out-of-memory'
    assert_line 'loops.naive timeout'
    assert_line 'ok.naive pass'
    assert_line 'reference.naive pass'
    assert_line 'wrong.naive wrong-answer'
    run "$PARAGRADE" grade -q -a real.yaml --tier naive --run-id l real
    assert_success
    assert_equal "$(result_verdicts reports/l)" "$(result_verdicts reports/s)"
}

@test "a tier that asks for a GPU: an array of its own, and each unit sees one GPU" {
    real_class
    mkdir -p gpu/a gpu/b ref
    cp "$REPO"/reference/gemm/{naive,simd}.c "$REPO"/reference/gemm/*.h ref/
    cat - <(sed 's/^{$/{ tell();/' ref/naive.c) >gpu/a/naive.c <<'C'
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static void tell(void)
{
    static int told;
    const char *gpu = getenv("CUDA_VISIBLE_DEVICES");
    if (!told++)
        fprintf(stderr, "sees GPU %s.\n", gpu ? gpu : "none");
}
C
    cp ref/element.h gpu/a/
    cp gpu/a/{naive.c,element.h} gpu/b/
    for d in gpu/a gpu/b ref; do cp gpu/a/naive.c $d/gpu.c; done
    sed -i "s|^reference: .*|reference: ref|; /^template:/d" real.yaml
    cat >>real.yaml <<'YAML'
  - name: gpu
    sources: [gpu.c]
    compile: gcc -std=c11 -O2 -fwrapv -fPIC -shared -I{abi} -o {out} {src}
    slurm: {gres: "gpu:1"}
YAML
    run "$PARAGRADE" grade -q -a real.yaml --slurm --run-id g gpu
    assert_success
    assert_equal "$(find reports/g/slurm -name 'array-*.json' | wc -l)" 2
    # What Slurm was asked for: one array with a GPU, the other without.
    for job in reports/g/slurm/array-*.job; do
        scontrol --oneliner show job "$(cat "$job")" >shown
        grep -o 'TresPerNode=[^ ]*' shown || echo none
    done | sort -u >asked
    assert_equal "$(cat asked)" $'TresPerNode=gres:gpu:1\nnone'
    for u in a.gpu b.gpu; do
        run jq -r .output "reports/g/units/$u/result.json"
        assert_output --regexp '^sees GPU [0-9]\.'
    done
    # Without one of its own, it would see the first at most.
    run jq -r .output reports/g/units/a.naive/result.json
    assert_output --partial 'sees GPU 0.'
}

@test "doctor in a job finds what the tiers find there" {
    command -v mpicc >/dev/null || skip "no MPI"
    run srun -n 1 "$PARAGRADE" doctor
    assert_line --regexp '^MPI[[:space:]]+ok[[:space:]]'
}

@test "regrade: of a run in Slurm, only what has changed is sent; all others keep their results" {
    printf 'submission,name\nalice,Alice\nwrong,Wim\nc d,Carl\nzoe,Zoe\n' >roster.csv
    FAKE_SLEEP=0 run "$PARAGRADE" grade -q -a a.yaml --slurm --roster roster.csv --run-id g subs
    assert_success
    wait_until 30 queue_is_empty # the last elements of the arrays end after their units
    touch -d '2001-01-01' reports/g/units/*/*.json
    touch -d '2002-01-01' mark
    cp subs/alice/openmp.c before.c
    echo 'int y;' >subs/alice/openmp.c
    # Interrupted, and run again: the result is the same.
    FAKE_SLEEP=3 "$PARAGRADE" regrade -q g >out 2>&1 3>&- &
    pid=$!
    wait_until 60 eval '[ -n "$(find reports/g/units/alice.openmp -name "attempt-*.json" -newer mark)" ]' || {
        cat out
        false
    }
    kill -TERM $pid
    wait $pid || true
    FAKE_SLEEP=0 run "$PARAGRADE" resume -q g
    assert_success
    run find reports/g/units -name result.json -newer mark
    assert_output reports/g/units/alice.openmp/result.json
    assert_equal "$(find reports/g/units -name 'attempt-*.json' -newer mark | wc -l)" 1
    run cut -d, -f1-3 reports/g/grades.csv
    assert_line --partial 'zoe,Zoe,zoe'
    assert_equal "$(cat reports/g/earlier/1/sources/alice/openmp.c)" "$(cat before.c)"
    run "$PARAGRADE" verify g
    assert_success
    wait_until 10 queue_is_empty
    FAKE_SLEEP=0 run "$PARAGRADE" regrade -q g
    assert_success
    assert_output --partial 'nothing has changed'
}

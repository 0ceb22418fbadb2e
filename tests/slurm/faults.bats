#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# paragrade grade --slurm while things break: front ends, nodes, the controller, limits. Whatever
# happens, every unit ends with the verdict it must have, and with none of the cluster's making.

load ../helpers/cluster
load ../helpers/class

setup_file() {
    # Soon after its start, a job that its node does not know is taken for one that is not there yet.
    # That lasts for the sum of the last two (in seconds). Commands wait as long for a lost controller.
    cluster_start 2 --max-array 6 --slurmd-timeout 6 --cpus 8 --mem 16000 \
        --set BatchStartTimeout=1 --set MessageTimeout=6
}

setup() {
    needs_cluster
    make_class 'poll: 500ms, retries: 2, max_concurrent: 12'
    "$DEVCLUSTER" ctld-start
    "$DEVCLUSTER" node-start n1
    scontrol update nodename=n1,n2 state=resume 2>/dev/null || true
    wait_until 30 nodes_idle
}

teardown() {
    [ "$(id -u)" = 0 ] || return 0
    "$DEVCLUSTER" ctld-start
    cancel_jobs
}

attempts() { find "$1/units" -name 'attempt-*.json' | wc -l; }
# Slurm repeats a job that was just being launched when its node died, but only after two minutes.
all_begun() { [ "$(attempts "$1")" = 11 ]; }
n1_works() { grep -qs '"n1"' "$1"/units/*/attempt-*.json; }
# Real Slurm commands, for wrappers that stand before them on PATH.
wrap() { # COMMAND < BODY
    mkdir -p bin
    { printf '#!/bin/bash\nreal=%q\n' "$(command -v "$1")" && cat; } >"bin/$1"
    chmod +x "bin/$1"
    PATH=$PWD/bin:$PATH
}

@test "the front end is killed at any moment: no unit is lost, none runs twice" {
    # Not all at once: after the last unit, the report job takes the run over.
    sed -i 's/max_concurrent: 12/max_concurrent: 4/' a.yaml
    for round in 1 2 3 4 5 6; do
        run_id=k$round # the report job of the round before may still be writing
        FAKE_SLEEP=0.4 "$PARAGRADE" grade -q -a a.yaml --slurm --run-id "$run_id" subs >/dev/null 2>&1 &
        pid=$!
        sleep 0.$((RANDOM % 80 + 10))
        kill -9 $pid
        wait $pid || true
        [ -e "reports/$run_id/plan.json" ] || continue
        for _ in 1 2 3; do
            FAKE_SLEEP=0.4 "$PARAGRADE" resume -q "$run_id" >/dev/null 2>&1 &
            pid=$!
            sleep 0.$((RANDOM % 80 + 10))
            kill -9 $pid 2>/dev/null || true
            wait $pid || true
        done
        for _ in {1..60}; do
            run "$PARAGRADE" resume -q "$run_id"
            [[ $output == *'is working on this run'* ]] || break # the report job
            sleep 0.5
        done
        assert_success
        assert_graded "reports/$run_id"
        assert_equal "$(attempts "reports/$run_id")" 11
        assert_equal "$(find "reports/$run_id/units" -name 'infra-*.json' | wc -l)" 0
    done
}

@test "a job that got in without being noted is found by its name" {
    FAKE_SLEEP=2 "$PARAGRADE" grade -q -a a.yaml --slurm --no-wait --run-id u subs
    rm reports/u/slurm/*.job
    run "$PARAGRADE" resume -q u
    assert_success
    assert_graded reports/u
    assert_equal "$(attempts reports/u)" 11
}

@test "a job that was noted and never got in is submitted again" {
    "$PARAGRADE" grade -q -a a.yaml --slurm --no-wait --partition down --run-id u subs
    scancel --user="$(id -u)"
    wait_until 10 queue_is_empty
    rm reports/u/slurm/*.job
    run "$PARAGRADE" resume -q --partition main u
    assert_success
    assert_graded reports/u
    assert_equal "$(find reports/u/slurm -name '*.void' | wc -l)" 4
}

@test "sbatch gets the job in and loses the answer: it is found, not sent twice" {
    wrap sbatch <<'BODY'
"$real" "$@" >/dev/null || exit
echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >&2
exit 1
BODY
    FAKE_SLEEP=2 run "$PARAGRADE" grade -a a.yaml --slurm --run-id t subs
    assert_success
    assert_graded reports/t
    assert_equal "$(attempts reports/t)" 11
}

@test "a node loses its power and comes back: its units run elsewhere" {
    FAKE_SLEEP=8 "$PARAGRADE" grade -a a.yaml --slurm --run-id n subs 2>err &
    pid=$!
    wait_until 20 all_begun reports/n
    "$DEVCLUSTER" node-kill n1
    sleep 10 # so that Slurm misses its jobs as soon as it is back
    "$DEVCLUSTER" node-start n1
    wait $pid
    assert_graded reports/n
    run grep -rh reason reports/n/units --include 'infra-*.json'
    assert_output --partial 'NODE_FAIL'
    assert_output --partial 'on n1'
}

@test "slurmd alone dies: its jobs go on, and their results count" {
    FAKE_SLEEP=4 "$PARAGRADE" grade -q -a a.yaml --slurm --run-id d subs 2>err &
    pid=$!
    wait_until 20 n1_works reports/d
    read -r slurmd _ <"$DEVCLUSTER_DIR/pid/slurmd.n1"
    kill -9 "$slurmd"
    sleep 1
    "$DEVCLUSTER" node-start n1
    wait $pid
    assert_graded reports/d
}

@test "node and front end die: the report job sees to it all" {
    FAKE_SLEEP=8 "$PARAGRADE" grade -q -a a.yaml --slurm --run-id f subs 2>err &
    pid=$!
    wait_until 20 all_begun reports/f
    wait_until 20 compgen -G 'reports/f/slurm/report-*.job'
    kill -9 $pid
    wait $pid || true
    "$DEVCLUSTER" node-kill n1
    sleep 10 # as above
    "$DEVCLUSTER" node-start n1
    wait_until 240 test -e reports/f/grades.csv # Slurm repeats a job whose launch was cut off after two minutes
    assert_graded reports/f
}

@test "the controller is away for a while: said plainly, and nothing is believed" {
    FAKE_UNTIL=$PWD/again "$PARAGRADE" grade -a a.yaml --slurm --run-id c subs 2>err &
    pid=$!
    wait_until 20 compgen -G 'reports/c/units/*/attempt-*.json'
    sleep 3 # the controller saves what it knows every few seconds
    "$DEVCLUSTER" ctld-kill
    run "$PARAGRADE" status c
    assert_failure 3
    assert_output --partial 'Slurm does not answer'
    wait_until 30 grep -q 'Slurm does not answer' err
    "$DEVCLUSTER" ctld-start
    wait_until 60 grep -q 'Slurm answers again' err
    touch again
    wait $pid
    assert_graded reports/c
}

@test "the controller is away at submission, and forgets what it knew" {
    "$DEVCLUSTER" ctld-kill
    "$PARAGRADE" grade -a a.yaml --slurm --run-id c subs 2>err &
    pid=$!
    sleep 3
    "$DEVCLUSTER" ctld-start
    wait $pid
    assert_graded reports/c
}

@test "more units than MaxArraySize allows: several arrays" {
    # Seven units of one shape, indices up to 5.
    run "$PARAGRADE" grade -q -a a.yaml --slurm --run-id m subs
    assert_success
    assert_graded reports/m
    assert_equal "$(find reports/m/slurm -name 'array-*.json' | wc -l)" 3
}

@test "a limit on submitted jobs: in pieces, as places become free" {
    wrap sbatch <<'BODY'
new=1
for a; do case $a in --array=0-*) new=${a#--array=0-} new=$((${new%\%*} + 1)) ;; esac; done
if [ $((new + $(squeue -h -r | wc -l))) -gt 5 ]; then
    echo 'sbatch: error: AssocMaxSubmitJobLimit' >&2
    echo "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)" >&2
    exit 1
fi
exec "$real" "$@"
BODY
    run "$PARAGRADE" grade -a a.yaml --slurm --run-id l subs
    assert_success
    assert_output --partial 'AssocMaxSubmitJobLimit'
    assert_graded reports/l
    assert_equal "$(attempts reports/l)" 11
}

@test "a damaged result is made again" {
    FAKE_DAMAGE=$PWD/once run "$PARAGRADE" grade -q -a a.yaml --slurm --run-id d subs
    assert_success
    assert_graded reports/d
}

@test "a proctor that vanishes: Slurm is asked why" {
    sed -i 's/retries: 2/retries: 1/' a.yaml
    FAKE_DIE='alice.simd' run "$PARAGRADE" grade -q -a a.yaml --slurm --run-id v subs
    assert_failure 1
    run grep -h reason reports/v/units/alice.simd/infra-*.json
    assert_output --partial 'Slurm: the job failed on n'
    assert_equal "$(find reports/v/units/alice.simd -name 'infra-*.json' | wc -l)" 2
}

@test "one squeue for all jobs, not more often than submit.poll" {
    wrap squeue <<'BODY'
date +%s%N >>"${0%/*}/asked"
exec "$real" "$@"
BODY
    wrap sacct <<'BODY'
touch "${0%/*}/sacct-asked"
exec "$real" "$@"
BODY
    FAKE_SLEEP=1 run "$PARAGRADE" grade -q -a a.yaml --slurm --run-id o subs
    assert_success
    run awk 'NR > 1 && $1 - last < 480000000 { early++ } { last = $1 } END { print early + 0 }' bin/asked
    assert_output 0
    # Every result is there: nothing needs an explanation.
    assert [ ! -e bin/sacct-asked ]
}

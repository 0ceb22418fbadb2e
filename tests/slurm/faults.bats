#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# paragrade grade --slurm while things break: front ends, nodes, the controller, limits. Whatever
# happens, every unit ends with the verdict it must have, and with none of the cluster's making.

bats_require_minimum_version 1.5.0

setup_file() {
    [ "$(id -u)" = 0 ] || return 0 # setup skips
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    # munged wants every directory above its socket to be open to all.
    DEVCLUSTER_DIR=$(mktemp -d /tmp/paragrade-faults.XXXXXX) && chmod 755 "$DEVCLUSTER_DIR"
    export DEVCLUSTER_DIR DEVCLUSTER_PORT=auto DEVCLUSTER_MAX_ARRAY=6
    export DEVCLUSTER_SLURMD_TIMEOUT=6 DEVCLUSTER_CPUS=8 DEVCLUSTER_MEM=16000
    # Soon after its start, a job that its node does not know is taken for one that is not there yet.
    # That lasts for the sum of these two (in seconds). Commands wait as long for a lost controller.
    "$root/sbatch/devcluster" start 2 --set BatchStartTimeout=1 --set MessageTimeout=6 >&3 || return 1
    export SLURM_CONF=$DEVCLUSTER_DIR/etc/slurm.conf
}

teardown_file() {
    [ "$(id -u)" = 0 ] || return 0
    "$(cd "$BATS_TEST_DIRNAME/../.." && pwd)/sbatch/devcluster" stop
}

setup() {
    [ "$(id -u)" = 0 ] || skip "a test cluster needs root"
    bats_load_library bats-support
    bats_load_library bats-assert
    load ../helpers/class
    load ../helpers/cluster
    make_class 'poll: 500ms, retries: 2, max_concurrent: 12'
    devcluster=$root/sbatch/devcluster
    "$devcluster" ctld-start
    "$devcluster" node-start n1
    scontrol update nodename=n1,n2 state=resume 2>/dev/null || true
    wait_for 30 nodes_idle
}

teardown() {
    [ "$(id -u)" = 0 ] || return 0
    "$devcluster" ctld-start
    scancel --user="$(id -u)" || true
}

nodes_idle() { [ "$(sinfo --noheader -N -p main -o %T | sort -u)" = idle ]; }
empty_queue() { [ -z "$(squeue --noheader)" ]; }
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
        FAKE_SLEEP=0.4 "$paragrade" grade -q -a a.yaml --slurm --run-id "$run_id" subs >/dev/null 2>&1 &
        pid=$!
        sleep 0.$((RANDOM % 80 + 10))
        kill -9 $pid
        wait $pid || true
        [ -e "reports/$run_id/plan.json" ] || continue
        for _ in 1 2 3; do
            FAKE_SLEEP=0.4 "$paragrade" resume -q "$run_id" >/dev/null 2>&1 &
            pid=$!
            sleep 0.$((RANDOM % 80 + 10))
            kill -9 $pid 2>/dev/null || true
            wait $pid || true
        done
        for _ in {1..60}; do
            run "$paragrade" resume -q "$run_id"
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
    FAKE_SLEEP=2 "$paragrade" grade -q -a a.yaml --slurm --no-wait --run-id u subs
    rm reports/u/slurm/*.job
    run "$paragrade" resume -q u
    assert_success
    assert_graded reports/u
    assert_equal "$(attempts reports/u)" 11
}

@test "a job that was noted and never got in is submitted again" {
    "$paragrade" grade -q -a a.yaml --slurm --no-wait --partition down --run-id u subs
    scancel --user="$(id -u)"
    wait_for 10 empty_queue
    rm reports/u/slurm/*.job
    run "$paragrade" resume -q --partition main u
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
    FAKE_SLEEP=2 run "$paragrade" grade -a a.yaml --slurm --run-id t subs
    assert_success
    assert_graded reports/t
    assert_equal "$(attempts reports/t)" 11
}

@test "a node loses its power and comes back: its units run elsewhere" {
    FAKE_SLEEP=8 "$paragrade" grade -a a.yaml --slurm --run-id n subs 2>err &
    pid=$!
    wait_for 20 all_begun reports/n
    "$devcluster" node-kill n1
    sleep 10 # so that Slurm misses its jobs as soon as it is back
    "$devcluster" node-start n1
    wait $pid
    assert_graded reports/n
    run grep -rh reason reports/n/units --include 'infra-*.json'
    assert_output --partial 'NODE_FAIL'
    assert_output --partial 'on n1'
}

@test "slurmd alone dies: its jobs go on, and their results count" {
    FAKE_SLEEP=4 "$paragrade" grade -q -a a.yaml --slurm --run-id d subs 2>err &
    pid=$!
    wait_for 20 n1_works reports/d
    read -r slurmd _ <"$DEVCLUSTER_DIR/pid/slurmd.n1"
    kill -9 "$slurmd"
    sleep 1
    "$devcluster" node-start n1
    wait $pid
    assert_graded reports/d
}

@test "node and front end die: the report job sees to it all" {
    FAKE_SLEEP=8 "$paragrade" grade -q -a a.yaml --slurm --run-id f subs 2>err &
    pid=$!
    wait_for 20 all_begun reports/f
    wait_for 20 compgen -G 'reports/f/slurm/report-*.job'
    kill -9 $pid
    wait $pid || true
    "$devcluster" node-kill n1
    sleep 10 # as above
    "$devcluster" node-start n1
    wait_for 240 test -e reports/f/grades.csv # Slurm repeats a job whose launch was cut off after two minutes
    assert_graded reports/f
    assert [ "$(find reports/f/slurm -name 'report-*.log' | wc -l)" -gt 1 ]
}

@test "the controller is away for a while: said plainly, and nothing is believed" {
    FAKE_SLEEP=15 "$paragrade" grade -a a.yaml --slurm --run-id c subs 2>err &
    pid=$!
    wait_for 20 compgen -G 'reports/c/units/*/attempt-*.json'
    sleep 3 # the controller saves what it knows every few seconds
    "$devcluster" ctld-kill
    run "$paragrade" status c
    assert_failure 3
    assert_output --partial 'Slurm does not answer'
    wait_for 30 grep -q 'Slurm does not answer' err
    "$devcluster" ctld-start
    resume_drained $pid
    wait $pid
    assert_graded reports/c
    run cat err
    assert_output --partial 'Slurm does not answer'
    assert_output --partial 'Slurm answers again'
}

@test "the controller is away at submission, and forgets what it knew" {
    "$devcluster" ctld-kill
    "$paragrade" grade -a a.yaml --slurm --run-id c subs 2>err &
    pid=$!
    sleep 3
    "$devcluster" ctld-start
    resume_drained $pid
    wait $pid
    assert_graded reports/c
}

@test "more units than MaxArraySize allows: several arrays" {
    # Seven units of one shape, indices up to 5.
    run "$paragrade" grade -q -a a.yaml --slurm --run-id m subs
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
    run "$paragrade" grade -a a.yaml --slurm --run-id l subs
    assert_success
    assert_output --partial 'AssocMaxSubmitJobLimit'
    assert_graded reports/l
    assert_equal "$(attempts reports/l)" 11
}

@test "a damaged result is made again" {
    FAKE_DAMAGE=$PWD/once run "$paragrade" grade -q -a a.yaml --slurm --run-id d subs
    assert_success
    assert_graded reports/d
}

@test "a proctor that vanishes: Slurm is asked why" {
    sed -i 's/retries: 2/retries: 1/' a.yaml
    FAKE_DIE='alice.simd' run "$paragrade" grade -q -a a.yaml --slurm --run-id v subs
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
    FAKE_SLEEP=1 run "$paragrade" grade -q -a a.yaml --slurm --run-id o subs
    assert_success
    run awk 'NR > 1 && $1 - last < 480000000 { early++ } { last = $1 } END { print early + 0 }' bin/asked
    assert_output 0
    # Every result is there: nothing needs an explanation.
    assert [ ! -e bin/sacct-asked ]
}

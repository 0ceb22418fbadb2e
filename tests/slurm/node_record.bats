#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# The record of a node in a run through Slurm: measured before the units that are timed there.
# Proctors are real.

load ../helpers/cluster
load ../helpers/class
load ../helpers/sound

setup_file() {
    cluster_start 2 --prefix nr
}

setup() {
    needs_cluster
    make_class
    export PARAGRADE_CACHE=
    own_scratch
    mkdir -p real/ann real/ben
    cp "$REPO"/reference/gemm/{naive.c,element.h} real/ann/
    cp "$REPO"/reference/gemm/{naive.c,element.h} real/ben/
    # The record takes some seconds: two budgets for the baseline.
    real_assignment 'budget: 2s, precision: 0.0001, min_sample: 20ms, quiet_node: false' \
        'build: 19s, case: 5s, unit: 40s' 'retries: 0'
    printf '%s naive pass\n' ann ben reference >real.verdicts
}

teardown() {
    [ "$(id -u)" = 0 ] || return 0
    scontrol update nodename=nr2 state=resume 2>/dev/null || true
    cancel_jobs
}

records() { find "$1/nodes" -name '*.json' 2>/dev/null; }
# The moments, to the second, at which the record of a unit's node was begun and the unit was.
begun_in_order() { # RUN UNIT
    local result=$1/units/$2/result.json record
    record=$1/nodes/$(jq -r .host "$result").simd.json
    [[ $(jq -r .started "$record") < $(jq -r .started "$result") ]]
}
measuring_or_over() { measuring "$1" || ! kill -0 $pid; }
# Build and unit may take all of the minute but half a second.
short_jobs() {
    sed -i -e 's/time: 5m/time: 1m/' -e 's/unit: 40s/unit: 40500ms/' -e 's/budget: 2s/budget: 300ms/' real.yaml
}
measuring() { "$PARAGRADE" status --json "$1" | jq -r '.measuring[].node' | grep -q nr; }

@test "each node is measured once, before its units begin, and people are told" {
    "$PARAGRADE" grade -a real.yaml --tier naive --slurm --run-id m real >/dev/null 2>err &
    pid=$!
    wait_until 60 measuring m
    run "$PARAGRADE" status m
    assert_failure 3
    assert_line --regexp '^node nr[12] is being measured \(job [0-9]+_[0-9]+, since 2.*Z\); then its units start$'
    wait $pid
    assert_equal "$(grep -c 'measured first' err)" 1
    sound reports/m "$PWD/real.verdicts"
    local unit
    for unit in ann.naive ben.naive reference.naive; do
        begun_in_order reports/m $unit || fail "$unit began before its node was measured"
        assert_equal "$(find reports/m/units/$unit -name 'infra-*.json' -o -name 'attempt-*.json' |
            wc -l)" 1
    done
    run "$PARAGRADE" status --json m
    assert_equal "$(jq -c .measuring <<<"$output")" '[]'
    assert_equal "$(find reports/m/nodes -name 'measuring-*')" ''
}

@test "a job that has no time left after the record: the unit gets another one, and no failure counts" {
    short_jobs
    rm -r real/ben
    sed -i '/ben/d' real.verdicts
    scontrol update nodename=nr2 state=drain reason=test
    run "$PARAGRADE" grade -q -a real.yaml --tier naive --slurm --no-wait --run-id p real
    assert_success
    wait_until 200 test -e reports/p/grades.csv # the report job sends the units again
    sound reports/p "$PWD/real.verdicts"
    run cat reports/p/units/*/infra-*.json
    assert_output --partial '"postponed": true'
    assert_output --partial 'the unit gets another job'
    assert_equal "$(records reports/p | wc -l)" 1
    # Not repeated for a fault of the node: nothing counts as a retry, and the node is used again.
    assert_equal "$(tail -n +2 reports/p/units.csv | tr -d '\r' | cut -d, -f"$(
        head -n 1 reports/p/units.csv | tr -d '\r' | tr , '\n' | grep -nx retries | cut -d: -f1)" |
        sort -u)" 0
    assert_equal "$(jq -r .host reports/p/units/*/result.json | sort -u)" nr1
}

@test "no time left once more: the unit does not wait for a third job" {
    short_jobs
    run "$PARAGRADE" grade -q -a real.yaml --tier naive --partition nope --run-id o real
    assert_failure 2
    local unit
    for unit in ann.naive ben.naive reference.naive; do
        mkdir -p reports/o/units/$unit
        echo '{"reason": "", "host": "nr1", "when": "2026-01-01T00:00:00Z", "postponed": true}' \
            >reports/o/units/$unit/infra-0_0.json
    done
    run "$PARAGRADE" resume -q --partition main o
    assert_success
    sound reports/o "$PWD/real.verdicts"
    assert_equal "$(find reports/o/units -name 'infra-*.json' | wc -l)" 3
    assert_equal "$(find reports/o/slurm -name 'array-*.json' | wc -l)" 1
}

@test "killed while a node is measured: measured again, and the notice that was left says nothing" {
    sed -i 's/retries: 0/retries: 2/' real.yaml
    "$PARAGRADE" grade -q -a real.yaml --tier naive --slurm --run-id k real >/dev/null 2>&1 &
    pid=$!
    wait_until 60 measuring k
    kill -KILL $pid
    wait $pid || true
    local proctor
    for proctor in $(pgrep -f -- "proctor --run $PWD/reports/k "); do kill -KILL "$proctor"; done
    scancel --user="$(id -u)"
    wait_until 60 queue_is_empty
    assert [ -n "$(find reports/k/nodes -name 'measuring-*')" ]
    run "$PARAGRADE" status --json k
    assert_equal "$(jq -c .measuring <<<"$output")" '[]'
    run "$PARAGRADE" resume -q k
    assert_success
    sound reports/k "$PWD/real.verdicts"
    local unit
    for unit in ann.naive ben.naive reference.naive; do
        begun_in_order reports/k $unit || fail "$unit began before its node was measured"
    done
    assert_equal "$(find reports/k/nodes -name 'measuring-*')" ''
}

@test "proctors are killed at any moment: the run is sound, and no unit begins before its node is measured" {
    sed -i -e 's/retries: 0/retries: 9/' -e 's/budget: 2s/budget: 500ms/' real.yaml
    schedule "proctors killed"
    "$PARAGRADE" grade -q -a real.yaml --tier naive --slurm --run-id r real >/dev/null 2>&1 &
    pid=$!
    local proctor round unit
    for round in 1 2 3; do
        wait_until 120 measuring_or_over r
        moment 0 3000
        [ "$round" = 1 ] || sleep "$MOMENT"
        for proctor in $(pgrep -f -- "proctor --run $PWD/reports/r "); do
            kill -KILL "$proctor" 2>/dev/null || true
        done
    done
    wait $pid
    assert [ -n "$(find reports/r/units -name 'infra-*.json')" ]
    sound reports/r "$PWD/real.verdicts"
    for unit in ann.naive ben.naive reference.naive; do
        begun_in_order reports/r $unit || fail "$unit began before its node was measured"
    done
}

@test "a node whose record cannot be measured: the reason is on record, and nobody loses a point" {
    cp "$REPO"/reference/gemm/{naive,simd}.c "$REPO"/reference/gemm/*.h ref/
    echo '#error broken' >>ref/simd.c
    sed -i "s|^reference: .*|reference: ref|; /^template:/d" real.yaml
    run "$PARAGRADE" grade -q -a real.yaml --tier naive --slurm --run-id x real
    assert_failure 1
    run jq -r .reason reports/x/units/ann.naive/infra-*.json
    assert_output --regexp '^measuring the record of node nr[12]: .*simd does not build'
    run grep -c infra-error reports/x/units.csv
    assert_output 3
}

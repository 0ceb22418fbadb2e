#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# Array elements share the units of their array: each unit is taken once, none is left behind.

load ../helpers/cluster
load ../helpers/class
load ../helpers/sound

setup_file() {
    cluster_start 2 --prefix ba
}

setup() {
    needs_cluster
    make_class 'poll: 300ms, retries: 2, max_concurrent: 2'
    own_scratch
}

teardown() { cancel_jobs; }

count() { find "$1" -name "$2" | wc -l; }
elements() { jq .elements "$1"/slurm/array-*.json | paste -sd ' '; }

@test "few elements do many units, each of them once, and say so" {
    FAKE_SLEEP=0 run "$PARAGRADE" grade -q -a a.yaml --slurm --run-id f subs
    assert_success
    sound reports/f
    assert_equal "$(elements reports/f)" '4 4'
    assert_equal "$(count reports/f/units 'attempt-*.json')" 11
    assert_equal "$(cat reports/f/slurm/units-*.log | awk '{ print $5 }' | sort | uniq -c | xargs)" \
        '11 begins 9 pass 2 wrong-answer'
}

@test "the announcements are lost: results are found all the same" {
    FAKE_SLEEP=0.3 "$PARAGRADE" grade -q -a a.yaml --slurm --no-wait --run-id l subs
    # Nobody can append to a directory.
    for node in ba1 ba2; do
        rm -f reports/l/slurm/units-$node.log
        mkdir reports/l/slurm/units-$node.log
    done
    run timeout 60 "$PARAGRADE" resume -q l
    assert_success
    rmdir reports/l/slurm/units-*.log
    sound reports/l
    assert_equal "$(count reports/l/units 'infra-*.json')" 0
}

# Side by side, since each has to wait until Slurm has surely forgotten nothing.
@test "proctors die, end early, or do nothing" {
    sed 's/retries: 2/retries: 0/' a.yaml >never.yaml
    # It dies at one unit, once.
    sed 's|^    case \$unit in \${FAKE_DIE.*|    [ "$unit" != alice.naive ] \|\| ! mkdir "$FAKE_ONCE" \|\| kill -9 $$|' \
        "$PARAGRADE_PROCTOR" >fake
    grep -q FAKE_ONCE fake
    chmod +x fake
    FAKE_ONCE=$PWD/once FAKE_SLEEP=0.3 PARAGRADE_PROCTOR=$PWD/fake \
        "$PARAGRADE" grade -q -a a.yaml --slurm --run-id dies subs >dies.out 2>&1 3>&- &
    dies=$!
    FAKE_MOST=1 FAKE_SLEEP=0 \
        "$PARAGRADE" grade -q -a a.yaml --slurm --run-id ends subs >ends.out 2>&1 3>&- &
    ends=$!
    PARAGRADE_PROCTOR=/bin/false \
        "$PARAGRADE" grade -q -a never.yaml --slurm --run-id never subs >never.out 2>&1 3>&- &
    never=$!

    # Its unit is tried again, and no other one.
    wait $dies || fail "$(cat dies.out)"
    sound reports/dies
    assert_equal "$(count reports/dies/units 'infra-*.json')" 1
    assert_equal "$(count reports/dies/units 'attempt-*.json')" 12
    assert [ -e reports/dies/units/alice.naive/infra-a1.json ]

    # What elements have left goes into another array, and nothing has failed. 7 units have one shape;
    # 4 elements did one unit each.
    wait $ends || fail "$(cat ends.out)"
    sound reports/ends
    assert_equal "$(elements reports/ends)" '4 4 3'
    assert_equal "$(count reports/ends/units 'infra-*.json')" 0
    assert_equal "$(count reports/ends/units 'attempt-*.json')" 11

    # Nobody took anything: that is a failure, and its repetition is bounded.
    status=0
    wait $never || status=$?
    assert_equal $status 1
    assert_equal "$(count reports/never/slurm 'array-*.json')" 2
    run jq -r .reason reports/never/units/alice.naive/infra-a1.json
    assert_output --partial 'Slurm: the job failed on ba'
}

@test "real proctors: several units in one job; elements that have nothing to do leave the queue" {
    mkdir -p real/ann real/ben bin
    cp "$REPO"/reference/gemm/{naive.c,element.h} real/ann/
    cp "$REPO"/reference/gemm/{naive.c,element.h} real/ben/
    real_assignment 'budget: 50ms, precision: 0.5, quiet_node: false' 'case: 5s, unit: 40s' \
        'retries: 0, max_concurrent: 1'
    # The jobs have the PATH of who submits them.
    printf '#!/bin/sh\necho "${SLURM_JOB_ID:-front end} $@" >>%q\nexec %q "$@"\n' "$PWD/cancelled" "$(command -v scancel)" >bin/scancel
    chmod +x bin/scancel
    PATH=$PWD/bin:$PATH run "$PARAGRADE" grade -q -a real.yaml --tier naive --slurm --run-id r real
    assert_success
    printf '%s naive pass\n' ann ben reference >real.verdicts
    sound reports/r "$PWD/real.verdicts"
    assert_equal "$(elements reports/r)" 2
    assert_equal "$(jq -r .job reports/r/units/*/result.json | sort -u | wc -l)" 1
    assert_equal "$(grep -cE -- '^[0-9]+ .*--state=PENDING' cancelled)" 1
}

#!/usr/bin/env bats
# shellcheck disable=SC2314
# What is kept between runs: the record of a node, which is measured anew when it does not hold any
# more, and results of the reference, for self-tests.

load ../helpers/common

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    mkdir -p subs/s
    cp "$REPO/student_impls/alice/naive.c" subs/s/
    export PARAGRADE_CACHE=$PWD/cache
    sed -e 's/random: 3, max: 64, edges: yes/random: 1, max: 8, edges: no/' \
        -e 's|\.\./\.\./reference|'"$REPO"'/reference|' "$PARAGRADE_ASSIGNMENT" >a.yaml
    export PARAGRADE_ASSIGNMENT=$PWD/a.yaml
}

grade() { "$PARAGRADE" grade -q --tier naive --run-id "$1" subs >out 2>&1 || { cat out; false; }; }
kept() { echo cache/node-*.json; }
measured() { jq -r .started "$1"; }
sleep_a_second() { until [ "$(date +%s)" != "$1" ]; do sleep 0.1; done; }

@test "kept record: a later run uses it" {
    grade r0
    # A busy node may have changed meanwhile: then it is measured anew, and the next run uses that.
    for try in 1 2 3 4 5; do
        before=$(measured "$(kept)")
        sleep_a_second "$(date +%s)"
        grade "r$try"
        assert_equal "$(measured "reports/r$try"/nodes/*.json)" "$(measured "$(kept)")"
        [ "$(measured "$(kept)")" != "$before" ] || break
    done
    assert_equal "$(measured "$(kept)")" "$before"
    "$PARAGRADE" verify "reports/r$try" >/dev/null
}

@test "kept record: measured anew when the node is faster or slower now" {
    grade r0
    for factor in 0.2 5; do # a node that is slower, and one that is faster than the record
        jq "(.started = \"before\") | .calibrations[].yardstick |=
            (.median *= $factor | .low *= $factor | .high *= $factor)" "$(kept)" >x
        cp x "$(kept)"
        grade "r$factor"
        [ "$(measured "$(kept)")" != before ]
        [ "$(measured "reports/r$factor"/nodes/*.json)" != before ]
    done
}

@test "kept record: a rough time of the baseline is measured again, and the rest of the record used" {
    grade r0
    # So rough that what is measured on a busy node is less rough.
    for width in 1.1 1000; do
        jq "(.started = \"before\") | .calibrations[].baseline |=
            (.n = 999 | .low = .median / $width | .high = .median * $width)" "$(kept)" >x
        cp x "$(kept)"
        grade "r$width"
        [ "$(measured "$(kept)")" = before ] || skip "the node has changed meanwhile"
        jq -e ".calibrations[0].baseline.n $([ "$width" = 1000 ] && echo '<' || echo '==') 999" "$(kept)"
        assert_equal "$(jq -c .calibrations "reports/r$width"/nodes/*.json)" "$(jq -c .calibrations "$(kept)")"
    done
}

@test "kept record: measured anew when the file is damaged, or what is timed is other" {
    grade r0
    echo '{' >"$(kept)"
    grade r1
    jq -e .started "$(kept)" >/dev/null
    # One that others may write.
    jq '.started = "before"' "$(kept)" >x && cat x >"$(kept)"
    chmod o+w "$(kept)"
    grade r3
    [ "$(measured reports/r3/nodes/*.json)" != before ]
    sed -i 's/sizes: \[128\]/sizes: [96]/' a.yaml
    grade r2
    run -0 ls cache
    assert_equal "${#lines[@]}" 2
    sed -i 's/min_sample: 2ms/min_sample: 1ms/' a.yaml
    grade r4
    run -0 ls cache
    assert_equal "${#lines[@]}" 3
}

@test "kept record: no cache, or one that cannot be written" {
    PARAGRADE_CACHE='' grade r0
    [ ! -e cache ]
    touch file
    PARAGRADE_CACHE=$PWD/file/cache grade r1
    HOME=$PWD XDG_CACHE_HOME='' PARAGRADE_CACHE=$PWD/c2 grade r2
    [ -e c2 ] && [ ! -e .cache ]
    (unset PARAGRADE_CACHE && HOME=$PWD/home XDG_CACHE_HOME='' grade r3)
    ls home/.cache/paragrade/node-*.json
}

reference_started() { jq -r .started "$1"/*/units/reference.simd/result.json; }

self_test() { # REPORTS
    "$PARAGRADE" check -q --tier simd --reports "$1" subs/s >out 2>&1 || { cat out; false; }
}

check() { # REPORTS
    self_test "$1"
    "$PARAGRADE" verify "$1"/*
}

@test "kept reference: a later self-test uses it, and only that" {
    local try
    cp "$REPO/reference/gemm/simd.c" "$REPO"/reference/gemm/*.h subs/s/
    sed -i -e 's/budget: 20ms, precision: 0.2/budget: 100ms, precision: 0.1/' -e 's/^      speed:.*/      metric: fraction\n      speed: [{points: 5, curve: [[0, 0], [1, 1]]}]/' a.yaml
    check first
    kept=$(echo cache/reference-*.json)
    jq '.started = "before"' "$kept" >x
    cp x "$kept"
    record=$(measured "$(kept)")
    check second
    [ "$(measured "$(kept)")" = "$record" ] || skip "the node has changed meanwhile"
    assert_equal "$(reference_started second)" before
    # A rough one, for an hour.
    jq '.cases |= map(if .relative.high then .relative.high *= 3 else . end)' x >rough
    rm -f "$kept" && cp rough "$kept"
    self_test soon
    [ "$(measured "$(kept)")" = "$record" ] || skip "the node has changed meanwhile"
    assert_equal "$(reference_started soon)" before
    rm -f "$kept" && cp rough "$kept" && touch -d '2 hours ago' "$kept"
    self_test later
    [ "$(reference_started later)" != before ]
    rm -f "$kept" && cp x "$kept"
    # Not one that others may write, and not in a class run.
    chmod o+w "$kept"
    check third
    [ "$(reference_started third)" != before ]
    rm -f "$kept" && cp x "$kept"
    "$PARAGRADE" grade -q --tier simd --run-id class subs >out 2>&1
    [ "$(jq -r .started reports/class/units/reference.simd/result.json)" != before ]
    # Not with a record of the node that was measured anew.
    rm -f "$kept" && cp x "$kept"
    jq '.calibrations[].yardstick |= (.median *= 5 | .low *= 5 | .high *= 5)' "$(kept)" >y
    cp y "$(kept)"
    check anew
    [ "$(reference_started anew)" != before ]
    # Not for another assignment.
    sed -i 's/random: 1,/random: 2,/' a.yaml
    check fourth
    [ "$(reference_started fourth)" != before ]
}

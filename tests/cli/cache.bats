#!/usr/bin/env bats
# shellcheck disable=SC2314,SC2016
# What is kept between runs: the record of a node, which only gets better, and results of the
# reference, for self-tests.

load ../helpers/common

# A first run, r0, and what it has kept: every test begins with a copy.
setup_file() {
    load ../helpers/common
    mkdir "$BATS_FILE_TMPDIR/first"
    cd "$BATS_FILE_TMPDIR/first" || exit 1
    mkdir -p subs/s
    cp "$REPO/student_impls/alice/naive.c" subs/s/
    sed -e 's/random: 3, max: 64, edges: yes/random: 1, max: 8, edges: no/; s/^yardstick: .*/yardstick: naive/' \
        -e 's|\.\./\.\./|'"$REPO"'/|' "$PARAGRADE_ASSIGNMENT" >a.yaml
    PARAGRADE_CACHE=$PWD/cache PARAGRADE_ASSIGNMENT=$PWD/a.yaml grade r0
}

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    cp -r "$BATS_FILE_TMPDIR/first/." .
    export PARAGRADE_CACHE=$PWD/cache PARAGRADE_ASSIGNMENT=$PWD/a.yaml
}

grade() { "$PARAGRADE" grade -q --tier naive --run-id "$1" subs >out 2>&1 || { cat out; false; }; }
kept() { echo cache/node-*.json; }
measured() { jq -r .started "$1"; }
column() { # FILE COLUMN: its values
    tr -d '\r' <"$1" | awk -F, -v c="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print $at[c] }' | sort -u
}

# Made-up times take the place of the kept ones, in seconds: of the yardstick, in an earlier run and at
# each of four starts, and of the baseline at each start.
made_up() { # KNOWN YARDSTICK BASELINE...
    jq --argjson known "$1" --argjson y "$2" --jsonargs '.started = "before" |
        .calibrations[] |= (.known = $known | .samples = [range(4) | {start: ., reps: 1, alone: $y, other: 0,
            yardstick: $y, unit: $ARGS.positional[.], cores: 1, busiest: 1, end_to_end: 0, device: 0}])' \
        "${@:3}" <"$(kept)" >made_up
    cp made_up "$(kept)"
}
# Without the best time of the yardstick, which later units may improve.
calibrations() { jq -c "[.calibrations[] | {shape, samples}]" "$1"; }

@test "cached record: a later run uses it, and times the baseline no further if it is confirmed" {
    assert_equal "$(calibrations reports/r0/nodes/*.json)" "$(calibrations "$(kept)")"
    made_up null 1e-9 5e-8 5e-8 5e-8 5e-8
    grade r1
    assert_equal "$(measured reports/r1/nodes/*.json)" before
    assert_equal "$(calibrations reports/r1/nodes/*.json)" "$(calibrations made_up)"
    assert_equal "$(calibrations "$(kept)")" "$(calibrations made_up)"
    "$PARAGRADE" verify reports/r1
    # The node was never as fast again, so no time is confirmed.
    run -0 column reports/r1/speedup.csv confirmed
    assert_output no
}

@test "cached record: a baseline that is not confirmed is timed anew, and the yardstick's best time stays" {
    made_up null 1e-9 5e-8 7e-8 9e-8 11e-8
    grade r1
    assert_equal "$(measured reports/r1/nodes/*.json)" before
    jq -e --argjson old "$(calibrations made_up)" \
        '.calibrations[0] | (.samples | length >= 3 and .[0] != $old[0].samples[0]) and .known == 1e-9' "$(kept)"
    assert_equal "$(calibrations reports/r1/nodes/*.json)" "$(calibrations "$(kept)")"
}

@test "cached record: a better time of the yardstick is kept, and no worse one" {
    made_up 1e-9 1000 1000 1000 1000 1000 # an earlier run saw it at its best
    grade r1
    jq -e '.calibrations[0].known == 1e-9' "$(kept)"
    jq -e '.calibrations[0].known == 1e-9' reports/r1/nodes/*.json
    made_up null 1000 1000 1000 1000 1000 # a record that was made under interference
    grade r2
    assert_equal "$(measured "$(kept)")" before
    jq -e '.calibrations[0].known < 1' "$(kept)"
}

@test "cached record: measured anew when the file is damaged, or what is timed is other" {
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
    run -0 ls cache/node-*
    assert_equal "${#lines[@]}" 2
    sed -i 's/min_sample: 2ms/min_sample: 1ms/' a.yaml
    grade r4
    run -0 ls cache/node-*
    assert_equal "${#lines[@]}" 3
}

# Files that say which ceilings there are: .gops and .gbs of one core.
ceiling() { jq -c "[.ceilings[0].gops, .ceilings[0].gbs]" "$@"; }
other_size() { sed -i "s/sizes: .*\], budget/sizes: [$1], budget/" a.yaml; }

@test "cached ceilings: other sizes use them; after a minute there is another sample, which only raises them" {
    local file made_up='.ceilings[0] |= (.gops = $gops | .type_gops.i32 = $gops | .gbs = 777)'
    file=$(echo cache/ceilings-*.json)
    jq --argjson gops 999999 "$made_up" "$file" >x && cp x "$file"
    other_size 96
    grade r1
    assert_equal "$(ceiling reports/r1/nodes/*.json)" '[999999,777]'
    touch -d '2 minutes ago' "$file"
    other_size 97
    grade r2
    assert_equal "$(ceiling reports/r2/nodes/*.json "$file" | sort -u)" '[999999,777]'
    jq --argjson gops 0.001 "$made_up | .ceilings |= .[:1]" "$file" >x && cp x "$file"
    touch -d '2 minutes ago' "$file"
    other_size 98
    grade r3
    jq -e '.ceilings[0] | .gops > 1 and .gops < 99999 and .gbs == 777' "$file" reports/r3/nodes/*.json
    # One that others may write.
    chmod o+w "$file"
    other_size 99
    grade r4
    jq -e '.ceilings[0].gbs != 777' "$file" reports/r4/nodes/*.json
}

# Of the yardstick, which is the baseline here, with the number of the file.
libraries() { stat -c '%i %n' cache/library-*; }

@test "cached library: the reference is compiled once, for a source and a command" {
    libraries >first
    assert_equal "$(wc -l <first)" 1
    grade r1
    assert_equal "$(libraries)" "$(cat first)"
    # Damaged: the unit is tried again, with one that is built.
    local f
    for f in cache/library-*; do truncate -s 100 "$f"; done
    grade r2
    assert_equal "$(libraries | wc -l)" 1
    assert_equal "$(stat -c %s cache/library-* | sort -u | grep -cx 100)" 0
    cp -r "$REPO/reference/gemm" ref
    sed -i "s|^reference: .*|reference: $PWD/ref|" a.yaml
    echo '/* other */' >>ref/naive.c
    grade r3
    assert_equal "$(libraries | wc -l)" 2
}

# The yardstick is another one here.
@test "cached library: one of the baseline that is damaged is built again" {
    local f
    rm cache/library-* cache/node-*
    sed -i 's/^yardstick: .*/yardstick: simd/' a.yaml
    grade yardstick
    assert_equal "$(libraries | wc -l)" 2
    rm cache/node-*
    for f in cache/library-*; do truncate -s 9000 "$f"; done
    grade r1
    assert_equal "$(stat -c %s cache/library-* | grep -cx 9000)" 0
}

@test "cached record: no cache, or one that cannot be written" {
    rm -r cache reports
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

@test "cached reference: a later self-test uses it, and only that" {
    cp "$REPO/reference/gemm/simd.c" "$REPO"/reference/gemm/*.h subs/s/
    sed -i -e 's/budget: 20ms, precision: 0.2/budget: 100ms, precision: 0.1/' -e 's/^      speed:.*/      metric: fraction\n      speed: [{points: 5, curve: [[0, 0], [1, 1]]}]/' a.yaml
    check first
    kept=$(echo cache/reference-*.json)
    # A confirmed one: its starts agree, and the yardstick was as fast as never before.
    jq '.started = "before" | .cases[].samples |= if . == [] then . else [range(4) | {start: ., reps: 1, other: 0,
        alone: 1e-9, yardstick: 1e-9, unit: 1e-5, cores: 1, busiest: 1, end_to_end: 0, device: 0}] end' \
        "$kept" >x
    rm "$kept" && cp x "$kept" && touch -d '2 hours ago' "$kept"
    check second
    assert_equal "$(reference_started second)" before
    # One that is not, for an hour.
    jq '.cases[].samples |= map(.unit *= 1 + .start)' x >unconfirmed
    rm -f "$kept" && cp unconfirmed "$kept"
    self_test soon
    assert_equal "$(reference_started soon)" before
    rm -f "$kept" && cp unconfirmed "$kept" && touch -d '2 hours ago' "$kept"
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
    rm -f "$kept" && cp x "$kept"
    # Not for another assignment.
    sed -i 's/random: 1,/random: 2,/' a.yaml
    check fourth
    [ "$(reference_started fourth)" != before ]
}

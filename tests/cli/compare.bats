#!/usr/bin/env bats
# shellcheck disable=SC2094 # f and $f are two files
# Two runs side by side. One run is real; the second one is a copy, with other times and facts.

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    mkdir -p subs/s subs/other
    cp "$REPO/student_impls/alice/naive.c" subs/s/
    cp "$REPO/student_impls/alice/naive.c" subs/other/
    sed -e 's/random: 3, max: 64, edges: yes/random: 1, max: 8, edges: no/' \
        -e 's|\.\./\.\./|'"$REPO"'/|' "$PARAGRADE_ASSIGNMENT" >a.yaml
    "$PARAGRADE" grade -q -a a.yaml --tier naive --run-id r subs >/dev/null
    # Times and intervals that do not depend on how busy this machine is.
    local f
    for f in reports/r/units/*/result.json; do
        jq '.cases[].samples |= if . == [] then . else [range(4) | {start: ., reps: 1, alone: 0.0000675, other: 0,
            yardstick: 0.0000675, unit: 0.0027, cores: 1, busiest: 1, end_to_end: 0, device: 0}] end' "$f" >f
        cp f "$f"
    done
    # What the node can do: so that all times are confirmed.
    for f in reports/r/nodes/*.json; do
        jq '.calibrations[] |= (.known = null | .samples = [range(4) | {start: ., reps: 1, alone: 0.0000675, other: 0,
            yardstick: 0.0000675, unit: 0.0027, cores: 1, busiest: 1, end_to_end: 0, device: 0}])' "$f" >f
        cp f "$f"
    done
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

# second FACTOR FACTOR-OF-RATIO: reports/x, with times that are FACTOR as long.
second() {
    rm -rf reports/x
    cp -r reports/r reports/x
    local f
    for f in reports/x/units/*/result.json; do
        jq --argjson t "$1" --argjson r "$2" '.cases[].samples[] |=
            (.unit *= $t | .yardstick *= $t * $r | .alone *= $t * $r)' "$f" >f
        cp f "$f"
    done
    for f in reports/x/nodes/*.json; do
        jq --argjson y "$(jq -n "$1 * $2")" '.calibrations[].samples[] |=
            (.yardstick *= $y | .alone *= $y)' "$f" >f
        cp f "$f"
    done
}

# change FILTER FILE...: edit JSON
change() {
    local filter=$1 f
    shift
    for f; do
        jq "$filter" "$f" >f
        cp f "$f"
    done
}


@test "compare: a run with itself is the same, and nothing is different" {
    run -0 "$PARAGRADE" compare --tsv r reports/r
    refute_output --partial 'What is different'
    assert_line --regexp "^submission	tier	launch	size	first	second	by time	by yardstick	second is$"
    assert_equal "$(grep -c '	same$' <<<"$output")" 3
    assert_line --regexp '^s	naive	1 thread	128	2\.70 ms	2\.70 ms	1\.00 ±.*%	1\.00 ±.*%	same$'
}

@test "compare: a slower node changes the time alone, a slower compiler both" {
    second 2 1
    run -0 "$PARAGRADE" compare --tsv r x
    assert_equal "$(grep -c '	slower$' <<<"$output")" 3
    assert_line --regexp '^s	.*	0\.500 ±.*%	1\.00 ±.*%	slower$'
    second 0.5 2
    run -0 "$PARAGRADE" compare --tsv r x
    assert_line --regexp '^s	.*	2\.00 ±.*%	2\.00 ±.*%	faster$'
}

@test "compare: a number that is not confirmed has the mark, in one run and in the ratio" {
    second 1 1
    change '.cases[].samples |= .[:2]' reports/x/units/s.naive/result.json
    run -0 "$PARAGRADE" compare --tsv r x
    assert_line --regexp '^s	naive	1 thread	128	2\.70 ms	~2\.70 ms	~1\.00 ±.*%	~1\.00 ±.*%	same$'
    assert_line --regexp '^other	naive	1 thread	128	2\.70 ms	2\.70 ms	1\.00 ±.*%	1\.00 ±.*%	same$'
}

@test "compare: names the nodes and compilers that are different" {
    second 1 1
    change '.compiler = "gcc 99"' reports/x/units/*/result.json
    change '.host = "n7"' reports/x/units/*/result.json
    change '.host = "n7" | .kernel = "9.9"' reports/x/nodes/*.json
    for f in reports/x/nodes/*.json; do mv "$f" reports/x/nodes/n7.simd.json; done
    run -0 "$PARAGRADE" compare --tsv r x
    assert_line --regexp "^node	.*	n7$"
    assert_line --regexp "^Linux kernel	$(uname -r).*	9\.9$"
    assert_line --regexp '^compiler	gcc .*	gcc 99$'
    refute_line --regexp '^(processor|GPU driver|microcode)	'
    change '.kernel = ""' reports/x/nodes/*.json # nobody could find it out
    run -0 "$PARAGRADE" compare --tsv r x
    assert_line --regexp "^Linux kernel	.*	unknown$"
}

@test "compare: other yardsticks are not compared; nothing in common; mistakes" {
    second 1 1
    change '.yardstick = "other"' reports/x/units/*/result.json
    run -0 "$PARAGRADE" compare --tsv r x
    assert_line --regexp '^s	.*	-	same$'
    rm -r reports/x/units/*/result.json
    run -1 "$PARAGRADE" compare r x
    assert_output --partial 'no time in common'
    run -2 "$PARAGRADE" compare r
    run -2 "$PARAGRADE" compare r nowhere
    assert_output --partial 'no such run'
}

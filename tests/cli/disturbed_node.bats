#!/usr/bin/env bats
# shellcheck disable=SC2016
# A node that is slower than it can be: times are not confirmed, which is said, and timing ends. How
# busy this machine is does not matter here: the record says that the node can be much faster.

load ../helpers/common

setup_file() {
    load ../helpers/common
    local i
    cd "$BATS_FILE_TMPDIR" || return 1
    sed "s|^reference: .*|reference: $REPO/reference/gemm|" "$PARAGRADE_ASSIGNMENT" >a.yaml
    for i in 1 2 3 4 5 6; do
        mkdir -p "subs/s$i"
        cp "$REPO/student_impls/alice/simd.c" "subs/s$i/"
    done
    # A record that an earlier run has left.
    export PARAGRADE_CACHE=$PWD/cache
    "$PARAGRADE" grade -q -a a.yaml --tier simd --run-id first --reference >out 2>&1 || {
        cat out
        return 1
    }
    jq '.calibrations[].known = 1e-9' cache/node-*.json >record
    cp record cache/node-*.json
    "$PARAGRADE" grade -q -a a.yaml --tier simd --run-id r subs >out 2>&1 || {
        cat out
        return 1
    }
}

setup() { cd "$BATS_FILE_TMPDIR" || return 1; }

column() { # TABLE COLUMN: the values of it
    tr -d '\r' <"reports/r/$1" | awk -F, -v c="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at[c] != "" { print $at[c] }' | sort -u
}

@test "disturbed node: all times are there, and none is confirmed" {
    assert_equal "$(column units.csv verdict)" pass
    assert_equal "$(column cases.csv confirmed)" no
    assert_equal "$(column speedup.csv confirmed)" no
    assert_equal "$(column speedup.csv size)" 128
    run -0 "$PARAGRADE" verify r
}

@test "disturbed node: timing ends, after three starts at least" {
    local f
    for f in reports/r/units/*/result.json; do
        jq -e '[.cases[] | select(.samples | length > 0) | [.samples[].start] | unique | length] |
            length == 1 and .[0] >= 3 and .[0] < 200' "$f"
    done
}

@test "disturbed node: the interval says by how much the node was slower" {
    # The speed is that of the yardstick beside the unit; the other one is the record's.
    tr -d '\r' <reports/r/speedup.csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { n++; if (!($at["speedup_ci_high"] > 1000 * $at["speedup"])) exit 1 } END { exit n != 7 }'
}

@test "disturbed node: reports mark the numbers, and say why" {
    run -0 "$PARAGRADE" report r
    assert_output --regexp '[0-9]+ times are not confirmed\. A number with ~ comes from such a time'
    assert_output --regexp 'the[[:space:]]+node was[[:space:]]+slower than it can be'
    assert_line --regexp '^s1 +simd .*~[0-9]'
    run -0 "$PARAGRADE" report --student s1 r
    assert_output --partial 'A number with ~ is not confirmed'
}

@test "disturbed node: of a quiet one, reports do not say that it was slower" {
    local f
    cp -r reports/r reports/quiet
    # The yardstick is always as fast, and no two starts of a unit agree.
    for f in reports/quiet/nodes/*.json reports/quiet/units/*/result.json; do
        jq '(.. | .yardstick?, .alone?, .known? | numbers) |= 1e-4
            | (.cases[]?.samples[]) |= (.unit *= 1 + .start)' "$f" >changed
        cp changed "$f"
    done
    run -0 "$PARAGRADE" report quiet
    assert_output --partial 'not confirmed'
    refute_output --partial 'slower'
}

@test "disturbed node: some units are timed further at the end, and what was found out before stays" {
    local first result
    # A quarter of the time of seven units is enough for one of them; not for all.
    run -0 ls -d reports/r/units/*/first.json
    assert [ "${#lines[@]}" -ge 1 ]
    assert [ "${#lines[@]}" -lt 7 ]
    for first in "${lines[@]}"; do
        result=${first%first.json}result.json
        # All cases, and all samples of the first result before the others.
        jq -e --slurpfile first "$first" '
            ([.cases[].case] | sort) == ([$first[0].cases[].case] | sort) and
            ([.cases[] | select(.samples | length > 0)] | length) == 1 and
            (.cases[] | select(.samples | length > 0) | .samples) as $all |
            ($first[0].cases[] | select(.samples | length > 0) | .samples) as $old |
            ($all | length) > ($old | length) and $all[:($old | length)] == $old' "$result"
    done
    # None is chosen twice.
    cp -r reports/r reports/more
    run -0 "$PARAGRADE" resume -q more
    for result in reports/r/units/*/result.json; do
        [ ! -e "${result%result.json}first.json" ] ||
            diff "$result" "reports/more/${result#reports/r/}"
    done
}

@test "disturbed node: a unit is timed further although the record from before it confirms its times" {
    local f
    cp -a reports/r reports/stale
    cd reports/stale
    for f in units/*/first.json; do mv "$f" "${f%first.json}result.json"; done
    # The node was measured while it was slow; s1 has seen how fast it can be, and left that in the cache.
    jq '.calibrations[] |= (.known = null | .samples[].alone *= 10)' nodes/*.json >changed
    cp changed nodes/*.json
    jq '.cases[].samples[] |= (.alone *= 0.1 | .yardstick *= 0.1)' units/s1.simd/result.json >changed
    cp changed units/s1.simd/result.json
    jq '.calibrations[].known *= 1e4' "$PARAGRADE_CACHE"/node-*.json >changed
    cp changed "$PARAGRADE_CACHE"/node-*.json
    rm changed
    run -0 "$PARAGRADE" resume -q .
    run -0 ls -d units/*/first.json
    for f in "${lines[@]}"; do
        jq -e --slurpfile first "$f" '([.cases[].samples[]?] | length) > ([$first[0].cases[].samples[]?] | length)' \
            "${f%first.json}result.json"
    done
}

@test "disturbed node: told to end while units are timed further: first results count, and verify agrees" {
    local f
    cp -r reports/r reports/cut
    for f in reports/cut/units/*/first.json; do rm "${f%first.json}result.json"; done
    rm reports/cut/{receipts.json,*.csv}
    run -3 "$PARAGRADE" verify cut # not reported yet
    refute_output --partial 'was removed'
    run -0 "$PARAGRADE" report --csv-only cut
    run -3 "$PARAGRADE" verify cut # unfinished
    for f in reports/cut/units/*/first.json; do cp "reports/r/${f#reports/cut/}" "${f%first.json}result.json"; done
    run -3 "$PARAGRADE" verify cut # finished, and not reported yet
    run -0 "$PARAGRADE" report --csv-only cut
    run -0 "$PARAGRADE" verify cut
    jq '.cases[].samples[]?.unit *= 2' "$f" >changed
    cp changed "$f"
    run -1 "$PARAGRADE" verify cut
}

@test "disturbed node: told to end while units are timed further: a regrade keeps their first results" {
    local f unit other=s6
    cp -r reports/r reports/kept
    for f in reports/kept/units/*/first.json; do rm "${f%first.json}result.json"; done
    unit=$(basename "${f%/first.json}")
    [ "$unit" != s6.simd ] || other=s5
    run -0 "$PARAGRADE" regrade -n kept
    assert_output --partial 'nothing has changed'
    run "$PARAGRADE" regrade -q --only $other kept
    diff "reports/r/units/$unit/first.json" "reports/kept/units/$unit/first.json"
    assert [ -e "reports/kept/units/$unit/result.json" ]
}

@test "disturbed node: who is not regraded is not timed further either" {
    cp -r reports/r reports/only
    rm reports/only/units/*/first.json
    run "$PARAGRADE" regrade -q --only s6 only
    run find reports/only/units -name first.json -not -path '*/s6.*'
    assert_output ''
    diff reports/r/units/s5.simd/result.json reports/only/units/s5.simd/result.json
    assert [ -e reports/only/units/s6.simd/result.json ]
}

@test "disturbed node: a self-test promises to be quick, and times nothing further" {
    run -0 "$PARAGRADE" check -q -a a.yaml --tier simd --reports c subs/s1
    run -0 find c -name first.json
    assert_output ''
}

# The unit has the same time in each of five starts, the baseline in each of its own, and the yardstick is nine
# times slower than its record in all but so many of them.
recorded() { # RUN UNDISTURBED-STARTS
    local f
    cp -r reports/r "reports/$1"
    for f in "reports/$1"/nodes/*.json "reports/$1"/units/*/result.json; do
        jq --argjson undisturbed "$2" '(.. | .yardstick?, .alone?, .other?, .known? | numbers | select(. > 0)) |= 1e-4
            | (.calibrations[]?.samples[].unit | numbers) |= 3e-3
            | (.cases[]? | select(.samples | length > 0).samples) |= (.[0] as $s
                | [range(5) as $start | range(4) | $s | .start = $start | .unit = 1e-4
                    | if $start < $undisturbed then . else .yardstick = 9e-4 | .alone = 9e-4 end])' "$f" >changed
        cp changed "$f"
    done
}

@test "disturbed node: a speed-up by a yardstick that was undisturbed once only is not confirmed" {
    recorded once 1
    run -0 "$PARAGRADE" report once
    assert_line --regexp '^s1 +simd .*~[0-9]'
    assert_output --partial 'not confirmed'
    recorded four 4
    run -0 "$PARAGRADE" report four
    assert_line --regexp '^s1 +simd +[0-9]'
    refute_output --partial 'not confirmed'
}

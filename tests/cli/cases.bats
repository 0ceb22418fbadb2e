#!/usr/bin/env bats

load ../helpers/common

@test "cases: the same list every time, another one for another seed" {
    run -0 "$PARAGRADE" cases "$REPO/testcases/gemm-i32.yaml"
    local first=$output
    run -0 "$PARAGRADE" cases "$REPO/testcases/gemm-i32.yaml"
    assert_equal "$output" "$first"
    run -0 "$PARAGRADE" cases --seed 99 "$REPO/testcases/gemm-i32.yaml"
    refute [ "$output" = "$first" ]
    echo 99 >"$BATS_TEST_TMPDIR/seed"
    local with_seed=$output
    run -0 "$PARAGRADE" cases --seed-file "$BATS_TEST_TMPDIR/seed" "$REPO/testcases/gemm-i32.yaml"
    assert_equal "$output" "$with_seed"
}

@test "cases: 30 random ones, all edges, five sizes of its own for a tier" {
    run -0 bash -c "'$PARAGRADE' cases --tsv --tier simd '$REPO/testcases/gemm-i32.yaml' | cut -f2 | sort | uniq -c"
    assert_line --regexp ' 30 random'
    assert_line --regexp ' 5 performance'
    assert_line --regexp ' (3[0-9]|40) edge'
}

@test "cases: as JSON" {
    run -0 bash -c "'$PARAGRADE' cases --json '$PARAGRADE_ASSIGNMENT' | jq length"
    run -0 bash -c "'$PARAGRADE' cases --json '$PARAGRADE_ASSIGNMENT' | jq -r '.[0].kind'"
    assert_output edge
}

@test "cases: bad input is refused with file, line and field" {
    run -2 "$PARAGRADE" cases /nowhere.yaml
    assert_output --partial "/nowhere.yaml"
    printf 'name: x\nkernel: gemm\ntype: i33\n' >"$BATS_TEST_TMPDIR/a.yaml"
    run -2 "$PARAGRADE" cases "$BATS_TEST_TMPDIR/a.yaml"
    assert_output --partial "a.yaml:3: field 'type'"
    run -2 "$PARAGRADE" cases --tier none "$PARAGRADE_ASSIGNMENT"
    assert_output --partial "no tier 'none'"
    run -2 "$PARAGRADE" cases --seed -1 "$PARAGRADE_ASSIGNMENT"
    run -2 "$PARAGRADE" cases --nonsense "$PARAGRADE_ASSIGNMENT"
    assert_output --partial "usage: paragrade cases"
}

@test "cases: wrong use" {
    run -2 "$PARAGRADE" cases "$PARAGRADE_ASSIGNMENT" more
    assert_output --partial "give one assignment file"
    run -2 "$PARAGRADE" cases --seed
    run -2 "$PARAGRADE" cases --seed 1 --seed 2 "$PARAGRADE_ASSIGNMENT"
    assert_output --partial "give one seed"
    run -2 "$PARAGRADE" cases --seed-file /nowhere "$PARAGRADE_ASSIGNMENT"
    assert_output --partial "/nowhere"
    run -2 "$PARAGRADE" cases --profile none "$REPO/testcases/gemm-i32.yaml"
    assert_output --partial "it has: quick"
    run -2 "$PARAGRADE" cases --tier none "$PARAGRADE_ASSIGNMENT"
    assert_output --partial "it has: naive, simd, openmp"
    run -2 "$PARAGRADE" cases "$BATS_TEST_TMPDIR"
    assert_output --partial "is a directory, and holds no assignment file"
}

@test "cases: errors go to stderr, one line, and nothing to stdout" {
    printf 'name: x\nlimits: {case: \xff}\n' >"$BATS_TEST_TMPDIR/a.yaml"
    run -2 --separate-stderr "$PARAGRADE" cases "$BATS_TEST_TMPDIR/a.yaml"
    assert_equal "$output" ''
    # shellcheck disable=SC2154
    assert_equal "${#stderr_lines[@]}" 1
    # shellcheck disable=SC2154
    assert_regex "$stderr" 'a.yaml:2: not UTF-8 text'
}

@test "cases: aligned in a pipe and on a terminal, columns for cut on request" {
    run -0 bash -c "'$PARAGRADE' cases --tsv '$PARAGRADE_ASSIGNMENT' | head -n 2"
    assert_line --index 0 $'case\tkind\tm\tn\tk\tvalues\tseed\toperations\tshapes'
    assert_line --index 1 --regexp $'^0\tedge\t1\t1\t1\tfull\t0x[0-9a-f]{16}\t2\t$'
    run -0 script -qec "'$PARAGRADE' cases '$PARAGRADE_ASSIGNMENT'" /dev/null
    refute_output --partial $'\t'
    run -0 "$PARAGRADE" cases "$PARAGRADE_ASSIGNMENT"
    refute_output --partial $'\t'
    assert_line --index 0 --regexp '^case  kind +m +n +k +values +seed +operations$'
}

@test "cases: a profile has fewer and smaller ones, with the same seeds" {
    local all few
    all=$("$PARAGRADE" cases --tsv "$REPO/testcases/gemm-i32.yaml" | grep random | cut -f7)
    few=$("$PARAGRADE" cases --tsv --profile quick "$REPO/testcases/gemm-i32.yaml" | grep random | cut -f7)
    assert [ "$(wc -l <<<"$few")" -lt "$(wc -l <<<"$all")" ]
    assert_equal "$(head -n "$(wc -l <<<"$few")" <<<"$all")" "$few"
}

@test "cases: a tier that takes squares only has cases of its own" {
    cp "$PARAGRADE_ASSIGNMENT" "$BATS_TEST_TMPDIR/a.yaml"
    sed -i "s|\.\./\.\./|$REPO/|; /- name: naive/a \    shapes: square" \
        "$BATS_TEST_TMPDIR/a.yaml"
    run -0 "$PARAGRADE" cases --tsv --tier naive "$BATS_TEST_TMPDIR/a.yaml"
    assert_output --partial 'squares only'
    # shellcheck disable=SC2016
    run -0 awk -F'\t' 'NR > 1 && ($3 != $4 || $4 != $5)' <<<"$output"
    refute_output
    run -0 "$PARAGRADE" cases --tier simd "$BATS_TEST_TMPDIR/a.yaml"
    refute_output --partial 'squares only'
}

@test "cases: a tier with one thread, where races will not be looked for, is named" {
    run -0 --separate-stderr "$PARAGRADE" cases "$PARAGRADE_ASSIGNMENT"
    assert_equal "$stderr" ''
    sed "s|\.\./\.\./|$REPO/|; s/^    threads: .*//" \
        "$PARAGRADE_ASSIGNMENT" >"$BATS_TEST_TMPDIR/a.yaml"
    run -0 --separate-stderr "$PARAGRADE" cases "$BATS_TEST_TMPDIR/a.yaml"
    assert_equal "${#stderr_lines[@]}" 1
    assert_regex "$stderr" "warning: .*/a.yaml: the tier 'openmp' runs with one thread only, so correctness.stress_threads does not"
    sed -i 's/-fopenmp//' "$BATS_TEST_TMPDIR/a.yaml"
    run -0 --separate-stderr "$PARAGRADE" cases "$BATS_TEST_TMPDIR/a.yaml"
    assert_regex "$stderr" 'a.yaml: correctness.stress_threads applies to no tier'
}

@test "cases: a full disk is an error" {
    run -1 bash -c "'$PARAGRADE' cases '$PARAGRADE_ASSIGNMENT' >/dev/full"
    assert_output --partial "No space left on device"
}

@test "cases: every whole example in docs/*.md is an assignment" {
    cat "$REPO"/docs/*.md | awk '/^```yaml/ {n++; f = sprintf("%s/doc%d.yaml", dir, n); next}
         /^```/ {f = ""} f {print > f}' dir="$BATS_TEST_TMPDIR"
    local whole=0
    for f in "$BATS_TEST_TMPDIR"/doc*.yaml; do
        grep -q '^name:' "$f" || continue
        whole=$((whole + 1))
        run -0 "$PARAGRADE" cases "$f"
    done
    assert [ $whole -ge 1 ]
}

@test "cases: points for the speed of several workers in calls that are surely short" {
    local rule='{size: 32, points: 5, curve: [[1, 0], [2, 1]]}'
    sed "s|\.\./\.\./|$REPO/|; s/sizes: \[128\]/sizes: [32, 256]/" \
        "$PARAGRADE_ASSIGNMENT" >"$BATS_TEST_TMPDIR/a.yaml"
    cd "$BATS_TEST_TMPDIR" || return 1
    run -0 --separate-stderr "$PARAGRADE" cases a.yaml # one worker has points for 32, too
    assert_equal "$stderr" ''
    sed "s|points: {correct: 10}|points: {correct: 10, speed: [$rule]}|" a.yaml >short.yaml
    run -0 --separate-stderr "$PARAGRADE" cases short.yaml
    assert_equal "${#stderr_lines[@]}" 1
    assert_regex "$stderr" "warning: short.yaml: tier 'openmp' gives points for speed at size 32, where .* on 2 threads\..*tiers\[2\].points.speed"
    sed 's/size: 32/size: 256/' short.yaml >long.yaml
    run -0 --separate-stderr "$PARAGRADE" cases long.yaml
    assert_equal "$stderr" ''
}

@test "cases: the help's example with cut has the columns that it cuts" {
    local example
    example=$("$PARAGRADE" help cases | sed -n 's/^ *paragrade \(cases .*| cut .*\)/\1/p')
    cd "$REPO" && run -0 bash -c "'$PARAGRADE' $example"
    assert_line --index 0 $'case\tm\tn\tk'
}

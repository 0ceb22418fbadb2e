#!/usr/bin/env bats
# Do the cases of an assignment find mistakes in the reference?

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    sed "s|../../|$REPO/|" "$PARAGRADE_ASSIGNMENT" >small.yaml
    run "$PARAGRADE" rehearse --tsv -q -a small.yaml --tier naive --mutants 12 -j 2
    echo "$output" >out.txt
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

runs() { find reports -maxdepth 1 -name 'rehearse-*' ! -name '*-reached' -printf '%f\n'; }

@test "rehearse: the cases find the mistakes, and the report says how many" {
    run cat out.txt
    assert_output --regexp 'Killed: ([0-9]+) of \1 mutants \(100.0 %\)'
    assert_output --partial '12 of '
    assert_output --regexp 'edge cases.[0-9]+'
}

@test "rehearse: the same command again gives the same, without running anything" {
    local before
    before=$(find reports -name result.json -printf '%p %T@\n' | sort)
    run "$PARAGRADE" rehearse --tsv -q -a small.yaml --tier naive --mutants 12
    assert_output "$(cat out.txt)"
    assert_equal "$(find reports -name result.json -printf '%p %T@\n' | sort)" "$before"
}

@test "rehearse: what is missing is made up for" {
    local dir
    dir=reports/$(runs)
    rm "$dir"/units/m003.naive/result.json "$dir"/units/m007.naive/result.json
    run "$PARAGRADE" rehearse --tsv -q -a small.yaml --tier naive --mutants 12
    assert_output "$(cat out.txt)"
}

@test "rehearse: another seed gives other mutants, and another assignment another run" {
    echo '# changed' | cat small.yaml - >other.yaml
    run -0 "$PARAGRADE" rehearse --tsv -q -a other.yaml --tier naive --mutants 1 --seed 2
    assert_equal "$(runs | wc -l)" 2
    # A profile has other cases.
    printf 'profiles:\n  - {name: few, random: 1}\n' | cat small.yaml - >other.yaml
    "$PARAGRADE" rehearse --tsv -q -a other.yaml -p few -t naive --mutants 1 || [ $? = 1 ]
    assert_equal "$(jq -r .profile reports/rehearse-*/plan.json | sort -u)" $'\nfew'
    run -2 "$PARAGRADE" rehearse -a other.yaml -p nope -t naive --mutants 1
    assert_output --partial nope
}

@test "rehearse: what the cases miss is listed with file, line and change" {
    # A single case of 8 x 8 x 8 does not show that rows and columns are mixed up.
    sed -E 's/^correctness:.*/correctness: {random: 1, min: 8, max: 8, edges: no}/' small.yaml >poor.yaml
    run -1 "$PARAGRADE" rehearse --tsv -q -a poor.yaml --tier naive --mutants 20 -j 2
    assert_output --partial 'Survived: no case shows these changes'
    assert_output --regexp 'm0[0-9]+  naive  naive.c:[0-9]+  dimension: .* -> .*'
    refute_output --partial '(100.0 %)'
}

@test "rehearse: curves and node-hours come from a run of the reference" {
    "$PARAGRADE" grade -q -a "$PARAGRADE_ASSIGNMENT" --reference --tier naive --tier simd --run-id t >/dev/null 2>&1
    run "$PARAGRADE" rehearse --tsv -q -a small.yaml --tier naive --mutants 12 --run t --class 60
    assert_output --regexp 'A class of 60: about [0-9.e-]+ node-hours'
}

@test "rehearse: wrong arguments are named" {
    run -2 "$PARAGRADE" rehearse -a small.yaml --tier nothing
    assert_output --partial "no tier 'nothing'"
    run -2 "$PARAGRADE" rehearse -a small.yaml --mutants 0
    assert_output --partial '--mutants'
    run -2 "$PARAGRADE" rehearse -a small.yaml student
    assert_output --partial "'student'"
    run -2 "$PARAGRADE" rehearse -a nowhere.yaml
    run -2 "$PARAGRADE" rehearse -q -a small.yaml --tier naive --mutants 12 --run nowhere
}

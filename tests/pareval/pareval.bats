#!/usr/bin/env bats
# shellcheck disable=SC2015,SC2016
# ParEval's 60 problems as kernels in files: README.md.

load ../helpers/common

setup_file() {
    cp "$BATS_TEST_DIRNAME"/*.{yaml,c} "$BATS_FILE_TMPDIR"
    cd "$BATS_FILE_TMPDIR" || exit 1
    local problem
    for problem in [0-9]*.yaml; do
        sed "s/KERNEL/${problem%.yaml}/" assignment.yaml >"assignment-${problem}"
    done
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

# The problems whose turn it is: a third of them each day, or with PAREVAL=all, all of them.
todays() {
    local problem
    for problem in [0-9]*.yaml; do
        problem=${problem%.yaml}
        [ "${PAREVAL:-}" != all ] && [ $((10#${problem%%-*} % 3)) != $((10#$(date +%j) % 3)) ] || echo "$problem"
    done
}

check() { "$PARAGRADE" kernel --tsv check "assignment-$1.yaml" >"$1.txt" 2>&1; }
export -f check

@test "pareval: kernel check finds nothing wrong with its problems, and all 60 are in the table" {
    local problem what
    [ "$(grep -cE '^\| [0-9]{2}-' "$BATS_TEST_DIRNAME/README.md")" = 60 ]
    for problem in "$BATS_TEST_DIRNAME"/[0-9]*.yaml; do
        grep -q "^| $(basename "$problem" .yaml) |" "$BATS_TEST_DIRNAME/README.md" || fail "the table lacks $problem"
    done
    todays >todays.txt
    xargs -P 2 -I% bash -c 'check %' <todays.txt || true
    for problem in $(<todays.txt); do
        for what in runs examples repeats writes memory nothing; do
            grep -qP "^$what\t(ok|note)\t" "$problem.txt" && ! grep -qP '\twrong\t' "$problem.txt" || {
                cat "$problem.txt"
                fail "$problem"
            }
        done
    done
}

grade() { # PROBLEM SUBMISSION=COMMAND OF SED...: each submission is the trusted source, changed
    local one source problem=$1
    source=$(sed -n 's/trusted: {source: \(.*\)}/\1/p' "$problem.yaml")
    mkdir -p "$problem"
    cp "$source" naive.c
    for one in "${@:2}"; do
        mkdir -p "$problem/${one%%=*}"
        sed "${one#*=}" "$source" >"$problem/${one%%=*}/naive.c"
        ! cmp -s "$source" "$problem/${one%%=*}/naive.c" || fail "$one changes nothing"
    done
    "$PARAGRADE" grade -q -a "assignment-$problem.yaml" --run-id "$problem" "$problem" >"$problem.txt" 2>&1 || [ $? = 1 ]
}

expect() { has_verdict "reports/$1" "$2" naive "$3" "$1.txt"; }

@test "pareval: mistakes of its references and of programs are wrong, and another order is right" {
    # Rows beyond the length of a result are not looked at.
    check 10-hull
    grep -P '^examples\tok\t' 10-hull.txt || fail "$(<10-hull.txt)"
    # The corners in another order; one that is none, between two others; coordinates that belong to different ones.
    grade 10-hull 'turned=s/= p\[chain\[i\]\]/= p[chain[corners - 1 - i]]/' 'between=s/<= 0)/< 0)/' \
        'mixed=s/    free(chain);/    if (corners > 1) { double t = corner[0].x; corner[0].x = corner[1].x; corner[1].x = t; }/'
    expect 10-hull turned pass
    expect 10-hull between wrong-answer
    expect 10-hull mixed wrong-answer
    # The sum is never begun again.
    grade 34-largest_segment 'same=s/ending > 0/ending >= 0/' 'never=s/ending > 0/1/'
    expect 34-largest_segment same pass
    expect 34-largest_segment never wrong-answer
    # Equal keys in another order; one of three arrays is not moved.
    grade 43-sort_records 'behind=s/start\[j - 1\] > start\[j\]/start[j - 1] >= start[j]/' 'left=s/duration\[j\] = duration\[j - 1\]/(void)0/'
    expect 43-sort_records behind pass
    expect 43-sort_records left wrong-answer
}

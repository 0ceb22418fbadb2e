#!/usr/bin/env bats
# Complex numbers and truth values in kernels in files.

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    "$PARAGRADE" grade -q -a "$REPO/tests/fixtures/types/assignment.yaml" --run-id types \
        "$REPO/tests/fixtures/types/class" >out 2>err || [ $? = 1 ] || {
        cat err
        return 1
    }
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

@test "types: C and C++ have the same complex numbers, and each part and each truth value counts" {
    local s
    for s in 'reference naive pass' 'cplusplus naive pass' 'conjugate naive wrong-answer' \
        'parts naive wrong-answer' 'other naive wrong-answer'; do
        grep -qx "$s" <(verdicts reports/types) || {
            cat out
            fail "it is not: $s"
        }
    done
    run -0 cat out
    assert_line --regexp '^conjugate.naive .*: out\[[0-9]+\] \(.*\): expected -?[0-9.e-]+[+-][0-9.e-]+i, got '
    assert_line --regexp '^other.naive .*: big\[[0-9]+\] \(.*\): expected [01], got [01];'
}

@test "types: the exercise is right, and an exported program says what is wrong" {
    run -0 "$PARAGRADE" kernel check "$REPO/tests/fixtures/types/assignment.yaml"
    assert_line --partial 'the trusted source gives the result of 1 example'
    local wrong
    wrong=$("$PARAGRADE" replay types conjugate.naive 2>&1 | sed -n 's/.*case \([0-9]*\) .*/\1/p' | head -1)
    "$PARAGRADE" replay types conjugate.naive "${wrong:-17}" --export wrong
    run -2 make -s -C wrong run
    assert_output --regexp 'out\[[0-9]+\]: expected .*i, got .*i'
    refute_output --regexp 'elements of (big|return) wrong'
    "$PARAGRADE" replay types cplusplus.naive "${wrong:-17}" --export right
    run -0 make -s -C right run
}

@test "types: what makes no sense with them is refused" {
    local edit rest
    cp -r "$REPO/tests/fixtures/types" refused
    while IFS='|' read -r edit rest; do
        sed "$edit" "$REPO/tests/fixtures/types/kernel/square.yaml" >refused/kernel/square.yaml
        run -2 "$PARAGRADE" kernel page refused/assignment.yaml
        assert_output --partial "$rest"
    done <<'EDITS'
s/a: uniform -1 1/a: sorted uniform -1 1/|'sorted' is not for complex elements, and these are c64
s/use: full/use: uniform 0 2/|'uniform LOW HIGH': 2 is no bool
s/flip: 0/flip: 2/|2 is not between 0 and 1
s/bool flip/c64 flip/|flip is complex: pass a pointer to it, of size [1]
s/\[0, 0.5\]\]/[0]]/|a has 4 numbers here, and the example gives 3
EDITS
}

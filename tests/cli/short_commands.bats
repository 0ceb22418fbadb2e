#!/usr/bin/env bats
# shellcheck disable=SC2154
# What people need not type: the newest run, the directory they are in, several tiers at once.

setup() {
    load ../helpers/common
    load ../helpers/class
    make_class
    export TMPDIR=$BATS_TEST_TMPDIR/tmp
    mkdir "$TMPDIR"
}

teardown() {
    [ -z "${WATCHER:-}" ] || kill "$WATCHER" 2>/dev/null || true # where a test failed
}

@test "short commands: the newest run is meant where none is named, and it is named then" {
    local command
    for command in status report verify resume regrade rescore 'export --junit x.xml'; do
        # shellcheck disable=SC2086
        run -2 "$PARAGRADE" $command
        assert_output --partial 'there is no run in reports/ here'
    done
    "$PARAGRADE" grade -q -a a.yaml --run-id first subs >/dev/null 2>&1
    "$PARAGRADE" grade -q -a a.yaml --run-id second subs >/dev/null 2>&1
    for command in status report verify resume 'regrade -n' 'rescore -n' 'export --junit x.xml'; do
        # shellcheck disable=SC2086
        run "$PARAGRADE" $command
        [ "$status" -ne 2 ]
        assert_line 'the newest run: second'
    done
    touch reports/first/plan.json
    run "$PARAGRADE" status
    assert_line 'the newest run: first'
    run -2 "$PARAGRADE" status first second
    assert_output --partial 'give one run at most'
}

@test "short commands: a self-test is looked at, but neither changed nor handed on" {
    "$PARAGRADE" grade -q -a a.yaml --run-id graded subs >/dev/null 2>&1
    "$PARAGRADE" check -q -a a.yaml subs/alice >/dev/null 2>&1
    run "$PARAGRADE" status
    assert_line --regexp '^the newest run: demo-'
    run "$PARAGRADE" verify
    assert_line 'the newest run: graded'
}

@test "short commands: the newest run of the directory that one is in, before newer ones of others" {
    cp -r subs/alice elsewhere
    mkdir nothing
    local dir name mine other
    "$PARAGRADE" check -q -a a.yaml subs/alice >/dev/null 2>&1
    mine=$(ls "$TMPDIR/paragrade-$UID")
    "$PARAGRADE" check -q -a a.yaml elsewhere >/dev/null 2>&1
    other=$(ls -I "$mine" "$TMPDIR/paragrade-$UID")
    while read -r dir name; do
        cd "$BATS_TEST_TMPDIR/$dir"
        run "$PARAGRADE" replay simd 0
        assert_line "the newest run: ${!name}"
        run "$PARAGRADE" status
        assert_line "the newest run: ${!name}"
    done <<'TABLE'
subs/alice mine
subs mine
elsewhere other
. other
TABLE
    cd "$BATS_TEST_TMPDIR/nothing"
    run "$PARAGRADE" replay simd 0
    assert_line "the newest run (none is of this directory): $other"
}

@test "short commands: several tiers, with commas or one by one" {
    run "$PARAGRADE" check -q -a a.yaml -t simd,openmp subs/alice
    refute_output --partial naive
    assert_output --partial openmp
    run "$PARAGRADE" check -q -a a.yaml -t simd -t naive subs/alice
    refute_output --partial openmp
    run -2 "$PARAGRADE" check -q -a a.yaml -t simd,nope subs/alice
    assert_output --partial "there is no tier 'nope'"
    run -2 "$PARAGRADE" check -q -a a.yaml -t omp subs/alice
    assert_output --partial "there is no tier 'omp' (did you mean openmp?); the assignment has naive"
    run -2 "$PARAGRADE" cases -a a.yaml -t simd,omp
    assert_output --partial "has no tier 'omp' (did you mean openmp?); it has: naive"
    run -0 "$PARAGRADE" cases -a a.yaml -t simd,openmp -p quick
    run -2 "$PARAGRADE" cases -t simd,nope a.yaml
    assert_output --partial "no tier 'nope'"
    PARAGRADE_ASSIGNMENT=a.yaml run -0 "$PARAGRADE" cases
}

@test "check: without an operand this directory, with a source its tier, and the assignment of last time" {
    run -0 "$PARAGRADE" check -a a.yaml subs/alice
    cd subs/alice
    run -0 "$PARAGRADE" check
    assert_line --partial "the assignment of the last check: $BATS_TEST_TMPDIR/a.yaml"
    assert_output --partial 'openmp'
    run -0 "$PARAGRADE" check -q simd.c
    refute_output --partial 'openmp'
    assert_output --partial 'simd'
    cd ../..
    run -0 "$PARAGRADE" check -q "./subs/alice//simd.c"
    refute_output --partial 'openmp'
    echo 'int x;' >subs/alice/other.c
    run -2 "$PARAGRADE" check -q -a a.yaml subs/alice/other.c
    assert_output --partial 'no tier has a source of that name; they are called naive.c, simd.c, openmp.c'
    run -2 "$PARAGRADE" check -q -a a.yaml -t simd subs/alice/naive.c
    assert_output --partial 'leave out --tier'
    run -2 "$PARAGRADE" check -q -a a.yaml subs/alice/nothing.c
    assert_output 'paragrade check: subs/alice/nothing.c: no such directory or source'
    run -2 "$PARAGRADE" check -q -a a.yaml subs/alice/naive.c subs/alice/simd.c
    assert_output --partial 'Without any, all tiers of this directory are checked. Several tiers: --tier simd,mpi'
}

@test "check: the name of a tier is that tier of this directory, unless a directory has that name" {
    cd subs/wrong
    run -1 "$PARAGRADE" check -q -a ../../a.yaml naive
    assert_output --partial ' 1 failed'
    refute_output --partial openmp
    run -2 "$PARAGRADE" check -q -a ../../a.yaml niave
    assert_output 'paragrade check: niave: no such directory or source, and no tier has that name; did you mean naive?'
    mkdir my_work
    run -2 "$PARAGRADE" check -q -a ../../a.yaml my_wrok
    assert_output --partial '; did you mean my_work?'
    run -2 "$PARAGRADE" check -q -a ../../a.yaml ../wrogn/
    assert_output 'paragrade check: ../wrogn: no such directory or source; did you mean ../wrong?'
    run -2 "$PARAGRADE" check -q -a ../../a.yaml threads
    assert_output --partial 'no tier has that name (naive, simd, openmp)'
    run -2 "$PARAGRADE" check -q -a ../../a.yaml ..
    assert_output --partial 'this takes one submission, such as '
    assert_output --partial '/subs/alice (paragrade grade'
    cp -r ../alice naive
    run -0 "$PARAGRADE" check -q -a ../../a.yaml naive
    assert_output --partial ' 3 passed'
}

@test "check: the assignment of a course is found from below it" {
    mkdir -p testcases subs/alice/deeper
    cp a.yaml testcases/
    sed -i "s|reference: ref|reference: ../ref|" testcases/a.yaml
    cd subs/alice
    run -0 "$PARAGRADE" check
    assert_line 'no --assignment was given: using ../../testcases/a.yaml'
    cd ../..
    local dir
    for dir in testcases testcases/ testcases//; do
        run -2 "$PARAGRADE" check -a "$dir" subs/alice
        assert_output --partial "$dir: is a directory; did you mean testcases/a.yaml?"
    done
    run -2 "$PARAGRADE" check -a subs subs/alice
    assert_output --partial 'subs: is a directory, and holds no assignment file'
    run -0 "$PARAGRADE" cases
    assert_line 'no --assignment was given: using testcases/a.yaml'
}

@test "check: a source with a wrong name is named also beside directories, but not the sources of a run" {
    mkdir -p w/old w/runs/r/sources/reference
    touch w/runs/r/plan.json w/runs/r/sources/reference/naive.c
    run -2 "$PARAGRADE" check -a a.yaml w
    refute_output --partial runs/
    assert_output --partial 'this takes one submission'
    touch w/Naive.c
    run -2 "$PARAGRADE" check -a a.yaml w
    assert_output --partial 'but directories; Naive.c is there: upper and lower case matter'
}

checked() { [ "$(grep -c 'checked at' out.txt)" -ge "$1" ]; }

@test "check: --lf runs what failed last, -x ends with the first failure" {
    run -1 "$PARAGRADE" check -q -x -a a.yaml subs/wrong
    assert_output --partial 'not run: another tier failed first'
    assert_equal "$(grep -c '  wrong-answer' <<<"$output")" 1
    rm -r "$TMPDIR"/paragrade-*
    "$PARAGRADE" check -q -a a.yaml -t naive subs/wrong || true
    "$PARAGRADE" check -q -a a.yaml -t openmp subs/wrong || true
    mv subs/wrong subs/aside
    cp -r subs/alice subs/wrong
    run "$PARAGRADE" check -q --lf subs/wrong
    assert_output --partial naive
    assert_output --partial openmp
    refute_output --partial simd
    "$PARAGRADE" check -q -a a.yaml subs/alice
    run -0 "$PARAGRADE" check -q --lf subs/alice
    assert_output --partial 'nothing failed last: all tiers are checked'
    assert_output --partial simd
}

@test "check: --lf knows a tier that failed before many other checks, until it is checked again" {
    "$PARAGRADE" check -q -a a.yaml -t openmp subs/wrong || true
    local first
    first=$(echo "$TMPDIR"/paragrade-*/*)
    for _ in {1..11}; do "$PARAGRADE" check -q -t naive subs/wrong >/dev/null || true; done
    assert [ -d "$first" ]
    run -1 "$PARAGRADE" check -q --lf subs/wrong
    assert_output --partial ' 2 failed'
    assert_output --partial openmp
    assert [ ! -e "$first" ]
}

@test "check: --watch with -x says what was not run, and its own lines fit a terminal" {
    env --default-signal=INT script -qfec "stty cols 80; '$PARAGRADE' check -x --watch -a a.yaml subs/wrong" \
        out.txt >/dev/null 3>&- &
    WATCHER=$!
    wait_until 20 checked 1
    touch subs/wrong/naive.c
    wait_until 20 checked 2
    kill -INT "$WATCHER"
    wait "$WATCHER" || true
    WATCHER=
    run tr -d '\r' <out.txt
    refute_output --partial '-> skipped'
    assert_equal "$(grep -c 'the assignment of' out.txt)" 0
    run grep -E '^(checked at|  ).{79}' <<<"$output"
    assert_output ''
}

@test "check: --gcc-style gives lines that editors jump to, and nothing else" {
    unset PARAGRADE_PROCTOR
    mkdir me
    cp "$REPO"/reference/gemm/element.h me/
    printf '#include "gemm.h"\n\n%s\n{\n    C[0] = M + nothing;\n}\n' \
        'void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)' >me/naive.c
    local check=("$PARAGRADE" check -a "$REPO/tests/fixtures/small.yaml" --gcc-style --no-timing)
    run --separate-stderr -1 "${check[@]}" me
    assert_line --index 0 --regexp '^me/naive\.c:5:[0-9]+: error: .*nothing'
    # What the compiler could not read is not told of as unused.
    sed -i 's/C.0. = M + nothing;/int i = A[0] for (;;) C[i] = B[i];/' me/naive.c
    run -1 "$PARAGRADE" check -q --no-timing -a "$REPO/tests/fixtures/small.yaml" me
    assert_output --partial 'naive.c:5:'
    refute_output --partial 'not used'
    sed -i 's/int i = .*/C[0] = M + N;/' me/naive.c
    run --separate-stderr -1 "${check[@]}" me/naive.c
    assert_equal "$stderr" ''
    assert_line --index 0 --regexp '^me/naive\.c:3: error: wrong-answer: case [0-9]+ '
    assert_line --index 1 --regexp '^me/naive\.c:3: note: again: paragrade replay .* me\.naive [0-9]+ '
    sed -i 's/C.0. = /*(volatile int *)0 = /' me/naive.c
    cd me
    run --separate-stderr -1 "${check[@]}"
    assert_line --index 0 --regexp '^naive\.c:5: error: crash: .*null pointer'
    # The place is said once in a line.
    run grep -cE '^(naive\.c:[0-9]+):.*\1' <<<"$output"
    assert_output 0
    # vim's own rules find the place.
    command -v vim >/dev/null || skip 'needs vim for the rest'
    "${check[@]}" >../errors.txt || true
    vim -es -u NONE +'cfile ../errors.txt' +'redir! > ../at.txt' +'echo getqflist()[0].lnum' +'redir END' +qa! </dev/null || true
    assert_equal "$(tr -d '\n' <../at.txt)" 5
}

seen() { [ "$(grep -c 'checked at' err.txt)" -ge "$1" ]; }

@test "check: --watch begins with what has changed, and says little else" {
    unset PARAGRADE_PROCTOR
    mkdir me
    cp "$REPO"/reference/gemm/{naive,simd}.c "$REPO"/reference/gemm/*.h me/
    echo '#error not yet' >me/simd.c
    sed -e "s|\.\./\.\./|$REPO/|" "$REPO/tests/fixtures/small.yaml" >own.yaml
    env --default-signal=INT "$PARAGRADE" check -q --watch -a own.yaml -t naive,simd me >out.txt 2>err.txt 3>&- &
    WATCHER=$!
    wait_until 60 seen 1
    : >out.txt
    cp "$REPO"/reference/gemm/simd.c me/
    wait_until 60 seen 2
    kill -INT "$WATCHER"
    wait "$WATCHER"
    run tr -d '\0' <out.txt
    assert_line --index 0 --regexp '^simd: build-error -> pass, \+[0-9.]+ points$'
    assert_equal "$(grep -c . out.txt)" 2
    refute_output --partial Receipt
    assert_equal "$(grep -c 'The next check starts when' err.txt)" 1
}

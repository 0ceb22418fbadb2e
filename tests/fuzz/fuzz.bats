#!/usr/bin/env bats
# Each parser with its corpus and a few thousand inputs made from it. `make fuzz` goes on for hours.

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$REPO" || exit 1
    echo 'int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n) { return p && n > 9; }' \
        >"$BATS_FILE_TMPDIR/probe.c"
    if clang -fsanitize=fuzzer,address -o "$BATS_FILE_TMPDIR/probe" "$BATS_FILE_TMPDIR/probe.c" \
        2>"$BATS_FILE_TMPDIR/probe.log"; then
        make -s -j2 fuzz-programs >&2 || return 1
        touch "$BATS_FILE_TMPDIR/ready"
    fi
}

setup() {
    cd "$REPO" || exit 1
    [ -e "$BATS_FILE_TMPDIR/ready" ] ||
        skip "clang cannot build fuzzers here; install clang and libclang-rt-dev"
    export TMPDIR=$BATS_TEST_TMPDIR
}

fuzz() { # NAME
    run -0 tests/fuzz/run --runs 4000 "$1"
    assert_line "fuzz: $1: nothing found"
    run find "$TMPDIR" -name 'paragrade-fuzz-*'
    assert_output ""
}

@test "fuzz: assignments" { fuzz assignment; }
@test "fuzz: rosters" { fuzz roster; }
@test "fuzz: results" { fuzz result; }
@test "fuzz: node records" { fuzz node; }
@test "fuzz: plans" { fuzz plan; }
@test "fuzz: what Slurm prints" { fuzz slurm; }
@test "fuzz: what people type" { fuzz parse; }
@test "fuzz: what a dying driver says" { fuzz fault; }
@test "fuzz: what addr2line prints" { fuzz source_line; }
@test "fuzz: what a source changes of the options" { fuzz pragmas; }
@test "fuzz: receipts" { fuzz receipts; }
@test "fuzz: kernels in files" { fuzz kernel_file; }
@test "fuzz: sparse matrices" { fuzz matrix_market; }

@test "fuzz: every harness has its corpus and its test here" {
    local f name
    for f in tests/fuzz/fuzz_*.c; do
        name=${f##*/fuzz_}
        name=${name%.c}
        [ -n "$(ls -A "tests/fuzz/corpus/$name")" ] || fail "$name has no corpus"
        grep -q "fuzz $name;" "$BATS_TEST_FILENAME" || fail "$name is not run here"
    done
}

@test "fuzz: a harness that aborts is noticed" {
    mkdir -p "$BATS_TEST_TMPDIR/t/tests/fuzz/corpus/x" "$BATS_TEST_TMPDIR/t/build/fuzz"
    cp tests/fuzz/run "$BATS_TEST_TMPDIR/t/tests/fuzz/"
    echo 'int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n)
        { if (n && p[0] == 33) __builtin_trap(); return 0; }' >"$BATS_TEST_TMPDIR/x.c"
    clang -fsanitize=fuzzer,address -o "$BATS_TEST_TMPDIR/t/build/fuzz/fuzz_x" "$BATS_TEST_TMPDIR/x.c"
    echo fine >"$BATS_TEST_TMPDIR/t/tests/fuzz/corpus/x/seed"
    run -1 "$BATS_TEST_TMPDIR/t/tests/fuzz/run" --runs 100000 x
    assert_output --partial "fuzz: x: FAILED"
    run ls "$BATS_TEST_TMPDIR/t/build/fuzz/found"
    assert_output --partial x-crash-
}

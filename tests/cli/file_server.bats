#!/usr/bin/env bats
# shellcheck disable=SC2154 # bats and helpers set variables
# A file server that fails while a run is planned: that is nobody's missing file. Planning ends.

load ../helpers/common
load ../helpers/class

setup() {
    make_class
    mkdir subs/alice/lib
    touch subs/alice/own.h subs/alice/lib/inner.h
    ln subs/alice/simd.c subs/alice/copy.c # whose link is it? Its directory must be looked at
    export FAKE_SLEEP=0
    gcc -shared -fPIC -o failing.so "$BATS_TEST_DIRNAME/../helpers/failing_server.c" -ldl
}

# CALL PATH [ERRNO] COMMAND...
failing() {
    local call=$1 path=$2 why=116 # ESTALE
    shift 2
    if [[ $1 =~ ^[0-9]+$ ]]; then
        why=$1
        shift
    fi
    env LD_PRELOAD="$PWD/failing.so" ASAN_OPTIONS=verify_asan_link_order=0 \
        FAILING_CALL="$call" FAILING="$path" FAILING_ERRNO="$why" "$@"
}

@test "grade: a file server that fails ends planning, and no run is left" {
    while read -r call path; do
        run -1 failing "$call" "$path" "$PARAGRADE" grade -q -a a.yaml --run-id r subs
        assert_output --partial "Stale file handle"
        assert_output --partial "try again"
        assert_equal "$(ls -A reports)" ''
    done <<'TABLE'
stat subs
open subs
stat subs/alice
stat subs/alice/
stat alice/naive.c
open subs/alice
stat own.h
stat lib
open lib
open naive.c
TABLE
    # EIO, ENOMEM
    for why in 5 12; do
        run -1 failing stat alice/naive.c "$why" "$PARAGRADE" grade -q -a a.yaml --run-id r subs
        assert_output --partial "subs/alice/naive.c: "
    done
}

@test "grade: nor are extensions and times of submission lost" {
    printf 'submission\nalice\n' >roster.csv
    printf 'student,tier,points,delta,deadline,reason\nalice,naive,,1,,late\n' >overrides.csv
    printf 'submission,submitted\nalice,2026-01-01T00:00Z\n' >subs/submitted.csv
    for path in overrides.csv submitted.csv; do
        run -1 failing stat "$path" "$PARAGRADE" grade -q -a a.yaml --roster roster.csv --run-id r subs
        assert_output --partial "/$path: Stale file handle"
        assert_equal "$(ls -A reports)" ''
    done
    run -0 "$PARAGRADE" grade -q -a a.yaml --roster roster.csv --run-id r subs
    run -1 failing stat r/overrides.csv "$PARAGRADE" report r
    assert_output --partial "/overrides.csv: Stale file handle"
}

@test "grade: what cannot be reached is the submission's own matter" {
    # ENOENT, EACCES, ENOTDIR, ELOOP
    for why in 2 13 20 40; do
        rm -rf reports
        run -0 failing stat alice/naive.c "$why" "$PARAGRADE" grade -q -a a.yaml --run-id r subs
        run verdicts reports/r
        assert_line 'alice naive missing'
        assert_line 'alice openmp pass'
    done
}

@test "regrade: a file server that fails leaves the run as it was" {
    "$PARAGRADE" grade -q -a a.yaml --run-id r subs >/dev/null
    verdicts reports/r >before
    while read -r call path; do
        run -1 failing "$call" "$path" "$PARAGRADE" regrade r
        assert_output --partial "Stale file handle"
        assert_output --partial "try again"
        assert_equal "$(ls -A reports)" r
    done <<'TABLE'
stat subs/alice
stat subs/alice/naive.c
open subs/alice
stat own.h
TABLE
    run -0 "$PARAGRADE" verify r
    assert_equal "$(verdicts reports/r)" "$(<before)"
}

#!/usr/bin/env bats
# shellcheck disable=SC2154
# Commands that use one run at the same time: what one has changed, no other one changes back.

setup() {
    load ../helpers/common
    load ../helpers/class
    make_class
    sed -i 's/{name: simd, /&points: {correct: 10}, /' a.yaml
    sed 's/correct: 10/correct: 7/' a.yaml >b.yaml
    "$PARAGRADE" grade -q -a a.yaml --run-id r subs >/dev/null
}

most() { # the column total_max_points of alice
    sed -nE 's/^alice,.*,([0-9]+),100,0,.*/\1/p' reports/r/grades.csv
}

@test "overlap: what another command changes before the run is locked is not lost" {
    gcc -shared -fPIC -O1 -o before_lock.so "$BATS_TEST_DIRNAME/../helpers/before_lock.c"
    mv reports/r whole
    local command
    while IFS='|' read -r command points changes; do
        cp -r whole reports/r
        # shellcheck disable=SC2086 # words
        run -0 env BEFORE_LOCK="'$PARAGRADE' rescore -a b.yaml r >/dev/null 2>&1" \
            LD_PRELOAD="$PWD/before_lock.so" ASAN_OPTIONS=verify_asan_link_order=0 "$PARAGRADE" $command
        echo "$command"
        assert_equal "$(most)" "$points"
        [[ $command != rescore* ]] || assert_line --partial '2 of 3 submissions have other points'
        assert_equal "$(ls -m reports/r/earlier)" "$changes"
        run -0 "$PARAGRADE" verify r
        rm -r reports/r
    done <<'COMMANDS'
resume -q r|7|1
regrade -q --only alice.simd r|7|1, 2
rescore -a a.yaml r|10|1, 2
COMMANDS
}

@test "overlap: regrade holds the lock until the units have run again" {
    command -v strace >/dev/null || skip 'needs strace'
    ASAN_OPTIONS=detect_leaks=0 strace -e trace=unlink -o trace.txt \
        "$PARAGRADE" regrade -q --only alice.simd r
    assert_equal "$(grep -c '/reports/r/lock"' trace.txt)" 1
}

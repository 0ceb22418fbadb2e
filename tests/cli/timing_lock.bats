#!/usr/bin/env bats
# shellcheck disable=SC2016 # the shell in the namespace has its own arguments
# A unit waits for other proctors of the same user. A program of this test takes their part. The
# locked file is one of this test alone.

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || return 1
    # other time|build SECONDS: wait for every domain, as a proctor that times or builds, and keep all.
    cat >other.c <<'C'
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int fd = open("quiet", O_RDWR);
    bool times = argc == 3 && strcmp(argv[1], "time") == 0;
    for (int byte = 0; byte < 256; byte++) { /* a gate, then the lock behind it */
        struct flock f = {.l_type = times ? F_WRLCK : F_RDLCK,
                          .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
        if ((times || byte % 2) && fcntl(fd, F_OFD_SETLKW, &f) != 0)
            return 1;
    }
    close(creat("locked", 0600));
    sleep((unsigned)atoi(argv[2]));
    return 0;
}
C
    gcc -D_GNU_SOURCE -o other other.c
    mkdir subs subs/me
    cp "$REPO"/reference/gemm/{openmp.c,*.h} subs/me/
    cat >a.yaml <<YAML
name: waits
kernel: gemm
type: i32
reference: $REPO/reference/gemm
baseline: simd
yardstick: simd
sanitized: off
correctness: {random: 1, max: 20, edges: false, stress_threads: []}
performance: {sizes: [128], precision: 0.001, budget: 300ms}
limits: {case: 5s, unit: 10s}
pragmas: allow
tiers:
  - name: simd
    sources: [simd.c]
    compile: gcc -O3 -mavx2 -fwrapv -fPIC -shared -I{abi} -o {out} {src}
    points: {correct: 1}
  - name: openmp
    sources: [openmp.c]
    compile: gcc -O3 -mavx2 -fwrapv -fopenmp -fPIC -shared -I{abi} -o {out} {src}
    threads: [1, 2]
    points: {correct: 1}
sweeps:
  - {name: threads, tier: openmp, threads: [1, 2], sizes: [128]}
YAML
}

setup() {
    [ "$(id -u)" = 0 ] || skip 'needs root, to put another file over the locked one'
    unshare --mount true || skip 'no mount namespace can be made here'
    cd "$BATS_TEST_TMPDIR" || return 1
    cp -r "$BATS_FILE_TMPDIR"/{other,subs,a.yaml} .
    (umask 077 && touch quiet /tmp/.paragrade-0.quiet)
}

teardown() {
    local p
    for p in ${other:-} ${front:-}; do
        kill "$p" 2>/dev/null || true
        wait "$p" || true
    done
}

# Run a command in the background, with the locked file of this test.
with_own_lock() { # paragrade's arguments
    unshare --mount sh -c 'mount --bind quiet /tmp/.paragrade-0.quiet && exec "$@"' sh \
        "$PARAGRADE" "$@" >out 2>err 3>&- &
    front=$!
}

other() { # time|build SECONDS
    ./other "$@" 3>&- &
    other=$!
}

one_is_checked() { grep -qsx 'stage: checking results' reports/r/units/*/proctor-*.log; }
# A unit below this directory was checked, and waits to be timed.
waits_to_time() { # DIRECTORY
    grep -rA1 'stage: checking' "$1" | grep -q 'stage: waiting for other timed runs on this node'
}

@test "timing lock: a unit that waits longer than its limit to be timed passes, and all launches are" {
    # Long times: the other program must get the lock before they have all been taken.
    sed 's/unit: 10s/unit: 5s/; s/case: 5s/case: 1s/; s/budget: 300ms/budget: 1s/' a.yaml >short.yaml
    with_own_lock grade -q -a short.yaml --tier openmp --run-id r subs
    # First the record of the node is measured, then one of two units is checked and timed, and the other one follows.
    wait_until 100 one_is_checked
    other build 500
    wait_until 100 waits_to_time reports/r/units || fail "$(tail -n 20 reports/r/units/*/proctor-*.log)"
    sleep 6 # longer than the limit
    kill $other
    wait $front || fail "status $?: $(cat out err)"
    run -0 jq -r .verdict reports/r/units/reference.openmp/result.json reports/r/units/me.openmp/result.json
    assert_output $'pass\npass'
    run -0 jq '[.cases[] | select(.samples | length > 0) | .threads] | unique | length' reports/r/units/me.openmp/result.json
    assert_output 2
}

@test "timing lock: a sweep that waits longer than its limit passes" {
    sed 's/unit: 10s/unit: 3s/; s/case: 5s/case: 1s/' a.yaml >short.yaml
    other build 500
    wait_until 10 [ -e locked ]
    with_own_lock sweep -q -a short.yaml --run-id s subs
    wait_until 300 waits_to_time reports/s/units/me.threads
    sleep 4 # longer than the limit
    kill $other
    wait $front || fail "status $?: $(cat out err)"
    run grep -c '^me,threads,.*,128,pass,' reports/s/sweep.csv
    assert_output 2
}

#!/usr/bin/env bats
# shellcheck disable=SC2016 # the shell in the namespace has its own arguments
# A unit waits for other proctors of the same user. A program of this test takes their part. The
# locked file is one of this test alone.

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || return 1
    # other SECONDS: wait for every domain, as a proctor that wants to time, and keep all of them.
    cat >other.c <<'C'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int fd = open("quiet", O_RDWR);
    (void)argc;
    for (int byte = 0; byte < 256; byte++) { /* a gate, then the lock behind it */
        struct flock f = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
        if (fcntl(fd, F_OFD_SETLKW, &f) != 0)
            return 1;
    }
    sleep((unsigned)atoi(argv[1]));
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

# Grade in the background, with the locked file of this test.
grade() {
    unshare --mount sh -c 'mount --bind quiet /tmp/.paragrade-0.quiet && exec "$@"' sh \
        "$PARAGRADE" grade -q -a a.yaml --tier openmp --run-id r subs >out 2>err 3>&- &
    front=$!
}

stage_is() { grep -qx "stage: $1" reports/r/units/me.openmp/proctor-*.log; }

@test "timing lock: a unit that waits longer than its limit between two launches passes" {
    grade
    wait_until 300 stage_is timing # first, the record of the node is measured
    ./other 11 3>&- &
    other=$!
    wait_until 60 stage_is 'waiting for other timed runs on this node'
    wait $front || fail "status $?: $(cat out err)"
    run -0 jq -r .verdict reports/r/units/me.openmp/result.json
    assert_output pass
    run -0 jq '[.cases[] | select(.blocks) | .threads] | unique | length' reports/r/units/me.openmp/result.json
    assert_output 2
}

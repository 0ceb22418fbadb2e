#!/usr/bin/env bats
# Launchers that leave the start of ranks to somebody else, as srun does: nothing that the grader does
# to its descendants holds there. So no student's code is loaded, and the failure is nobody's fault.

load ../helpers/common

setup() {
    command -v mpirun mpicc >/dev/null || skip "no MPI here"
    cd "$BATS_TEST_TMPDIR" || return 1
    mkdir bin subs home
    PATH=$PWD/bin:$PATH
    cp "$REPO"/reference/gemm/{mpi.c,*.h} subs/
    cat >a.yaml <<YAML
name: launchers
kernel: gemm
type: i32
reference: $REPO/reference/gemm
baseline: naive
yardstick: naive
sanitized: off
correctness: {random: 1, max: 9, edges: no}
performance: {sizes: [64], budget: 10ms, min_sample: 1ms, quiet_node: false}
submit: {retries: 0}
tiers:
  - {name: naive, sources: [naive.c], compile: "gcc -O2 -fwrapv -fPIC -shared -I{abi} -o {out} {src}"}
  - {name: mpi, kind: mpi, sources: [mpi.c], ranks: [2], launcher: "LAUNCHER", requires: [{command: mpicc}],
     compile: "mpicc -O3 -mavx2 -fwrapv -fPIC -shared -fopenmp -DPARAGRADE_MPI -I{abi} -o {out} {src}"}
YAML
}

# Do for each launcher `by-daemon` what it was asked for, until a file named stop is there.
daemon() {
    local pid word environment
    while [ ! -e stop ]; do
        for pid in $(pgrep -x by-daemon); do
            mapfile -d '' word <"/proc/$pid/cmdline"
            mapfile -d '' environment <"/proc/$pid/environ"
            if [[ ${word[1]} != "$PWD"/* ]] || [ -e "home/$pid" ]; then continue; fi
            touch "home/$pid"
            env -i "${environment[@]}" HOME="$PWD/home" TMPDIR="$PWD/home" \
                mpirun --oversubscribe -n "${word[2]}" "${word[3]}" >/dev/null 2>&1 &
        done
        sleep 0.1
    done
    wait
}

grade() { # LAUNCHER
    sed -i "s|LAUNCHER|$1|" a.yaml
    run timeout 100 "$PARAGRADE" check -q -a a.yaml --tier mpi --reports reports subs 3>&-
}

@test "launchers: a daemon that starts the ranks is an infra-error, in words" {
    printf '#!/bin/sh\nsleep 60\n' >bin/by-daemon
    chmod +x bin/by-daemon
    daemon 3>&- &
    grade 'by-daemon {ranks}'
    touch stop
    wait
    [ -d reports ] || fail "$output"
    run cat reports/*/units.csv
    assert_line --partial 'subs,mpi,infra-error,,,'
    assert_output --partial "the launcher (by-daemon {ranks}) started the driver outside the grader's tree of processes"
}

@test "launchers: one that starts fewer ranks here than it was asked for" {
    grade 'mpirun --oversubscribe -x ASKED={ranks} -n 1'
    [ -d reports ] || fail "$output"
    run cat reports/*/units.csv
    assert_line --partial 'subs,mpi,infra-error,,,'
    assert_output --partial "started 1 of 2 ranks in the grader's tree of processes"
}

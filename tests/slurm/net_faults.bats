#!/usr/bin/env bats
# shellcheck disable=SC2016
# Launches over two nodes when something of them dies or is missing: never a student's fault, and
# nothing is left on any node.

setup_file() {
    load ../helpers/common
    load ../helpers/cluster
    cluster_start 2 --prefix nf --cpus 2 --slurmd-timeout 5 --net --share "$REPO"
    [ "$(id -u)" = 0 ] && [ -z "${CLUSTER_REFUSED:-}" ] || return 0
    mkdir -m 1777 "$DEVCLUSTER_DIR/work"
    cd "$DEVCLUSTER_DIR/work" || return 1
    mkdir -p class/zoe class/yan
    cat >a.yaml <<YAML
name: faults
kernel: gemm
type: i32
seed: 7
reference: $REPO/reference/gemm
baseline: naive
yardstick: naive
correctness: {random: 2, max: 20, edges: no, stress_threads: []}
performance: {sizes: [32], budget: 200ms, precision: 0.5, min_sample: 1ms, quiet_node: false}
limits: {case: 10s, unit: 60s, memory: 300M, output: 100K, failures: 2}
slurm: {cpus: 1, memory: 1G, time: 5m}
submit: {poll: 1s, retries: 9}
sanitized: off
allow: '*'
forbid: []
tiers:
  - name: naive
    sources: [naive.c]
    compile: gcc -O2 -fPIC -shared -I{abi} -o {out} {src}
    points: {correct: 1}
  - name: mpi
    kind: mpi
    sources: [mpi.c]
    compile: mpicc -O2 -fPIC -shared -fopenmp -DPARAGRADE_MPI -I{abi} -o {out} {src}
    launcher: mpirun --mca mpi_yield_when_idle 1 --oversubscribe --bind-to none -n {ranks}
    nodes: [2]
    ranks_per_node: 1
    points: {correct: 10}
YAML
    cat >class/zoe/mpi.c <<'C'
#include "gemm.h"
#include <unistd.h>
void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C, MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; rank == 0 && i < M * N; i++) {
        C[i] = 0;
        for (int k = 0; k < K; k++) C[i] += A[i / N * K + k] * B[k * N + i % N];
    }
    usleep(20000); /* there is time to kill them */
    MPI_Barrier(comm);
}
C
    { cat class/zoe/mpi.c; echo '/* */'; } >class/yan/mpi.c
    "$PARAGRADE" grade -a a.yaml --reports reports --run-id here class >here.log 2>&1
}

teardown_file() {
    load ../helpers/cluster
    cluster_stop
}

setup() {
    load ../helpers/common
    load ../helpers/cluster
    needs_cluster
    export TMPDIR=/tmp
    cd "$DEVCLUSTER_DIR/work" || return 1
}

teardown() {
    [ -z "${DEVCLUSTER_DIR:-}" ] || "$DEVCLUSTER" status >/dev/null || "$DEVCLUSTER" node-start nf2
}

# Kill a process of a node whose command begins so, as soon as there is one, after so many seconds.
# Not when the process $grade is gone.
murder() { # NODE PATTERN DELAY
    local uts p
    uts=$(readlink "/proc/$(slurmd_of "$1")/ns/uts")
    while kill -0 "$grade" 2>/dev/null; do
        for p in $(pgrep -f -- "$2"); do
            [ "$(readlink "/proc/$p/ns/uts")" = "$uts" ] || continue
            sleep "$3"
            kill -9 "$p" 2>/dev/null && echo "$2" >>"$BATS_TEST_TMPDIR/killed" && return
        done
        sleep 0.02
    done
}

# What is left on any node: processes, then directories.
left() {
    grep -lasF "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ | sed 's/environ$/comm/' |
        xargs -r grep -lsE '^(proctor|orted|mpirun|agent|driver-mpi)' || true
}
nothing_left() { [ -z "$(left)" ]; }

passed() { # RUN
    run bash -c "tr -d '\r' <reports/$1/units.csv | cut -d, -f1-4 | sort"
    assert_output $'reference,mpi,pass,10\nreference,naive,pass,1\nsubmission,tier,verdict,points\nyan,mpi,pass,10\nyan,naive,missing,0\nzoe,mpi,pass,10\nzoe,naive,missing,0'
}

@test "killed while a class is graded: a daemon twice, a rank, mpirun, the proctors of both nodes; all pass" {
    timeout 200 "$PARAGRADE" grade -q -a a.yaml --slurm --reports reports --run-id class class >class.log 2>&1 3>&- &
    grade=$!
    murder nf2 '^orted ' 0 # twice in a row: the same unit
    sleep 0.5
    murder nf2 '^orted ' 0.1
    murder nf2 '^[^ ]*driver-mpi' 0
    murder nf1 '^[^ ]*mpirun ' 0.1
    murder nf2 'proctor --serve' 0.2
    murder nf1 'proctor --run ' 0.2
    wait "$grade" || cat class.log
    [ "$(grep -c orted "$BATS_TEST_TMPDIR/killed")" = 2 ] || fail "not killed twice: $(cat class.log)"
    # One that ends by itself is not killed, and on a busy machine no further one may come.
    assert grep -q 'driver-mpi\|mpirun' "$BATS_TEST_TMPDIR/killed"
    passed class
    wait_until 20 nothing_left
}

@test "the other node dies: the run waits for it, and resume gives the same result" {
    timeout 200 "$PARAGRADE" grade -q -a a.yaml --slurm --no-wait --reports reports --run-id dies class >dies.log 2>&1 3>&-
    wait_until 40 pgrep -f 'proctor --serve'
    "$DEVCLUSTER" node-kill nf2
    "$DEVCLUSTER" node-start nf2
    run timeout 200 "$PARAGRADE" resume -q reports/dies
    passed dies
    wait_until 20 nothing_left
}

# tried NODE FILE WITH: replay in a job over both nodes, while FILE is another one on NODE.
tried() {
    nsenter -m -t "$(slurmd_of "$1")" mount --bind "$PWD/$3" "$2"
    printf '%s\n' '#!/bin/bash' 'export TMPDIR=/tmp' \
        '"$PARAGRADE" replay reports/here zoe.mpi 8x8x8 --values full --seed 1 --launch 2x1@2' >job
    timeout 120 sbatch -W -N2 --ntasks-per-node=1 -o out job >/dev/null || true
    nsenter -m -t "$(slurmd_of "$1")" umount -l "$2"
    run cat out
    refute_output --partial ': pass'
    refute_output --partial crash
}

@test "a node without the launcher, a site that refuses srun, a name that looks local" {
    printf '%s\n' '#!/bin/sh' 'echo "srun: error: no steps here" >&2; exit 1' >refuse
    chmod 755 refuse
    : >empty
    tried nf2 "$(readlink -f "$(command -v orted)")" empty
    assert_output --regexp 'node nf2: the launcher cannot be run there: .*orted'
    tried nf1 "$(readlink -f "$(command -v srun)")" refuse
    assert_output --partial 'no proctor on node nf2: srun: error: no steps here'
    sed 's/.*nf2.*/127.0.0.1 nf2/' /etc/hosts >hosts
    echo '127.0.0.1 nf2' >>hosts
    tried nf1 /etc/hosts hosts
    assert_output --partial 'the name of node nf2 leads to node nf1 itself'
    wait_until 20 nothing_left
}

@test "a broken node, the first or another one of its job: the record blames it, and no other node is avoided" {
    local node proctor="${PARAGRADE%/bin/*}/libexec/paragrade/proctor"
    printf '%s\n' '#!/bin/sh' 'exit 75' >broken
    chmod 755 broken
    sed 's/retries: 9/retries: 0/' a.yaml >once.yaml
    for node in nf1 nf2; do
        nsenter -m -t "$(slurmd_of "$node")" mount --bind "$PWD/broken" "$proctor"
        run "$PARAGRADE" grade -q -a once.yaml --slurm --reference --tier mpi --reports reports --run-id "broken-$node"
        nsenter -m -t "$(slurmd_of "$node")" umount -l "$proctor"
        assert_failure 1
        run jq -r .node "reports/broken-$node"/units/reference.mpi/infra-*.json
        assert_output "$node"
    done
    wait_until 20 nothing_left
}

#!/usr/bin/env bats
# shellcheck disable=SC2154
# Another MPI than Open MPI: MPICH, whose launcher is Hydra, on one node and over two.

load ../helpers/cluster

# The programs again, with a driver that is linked with MPICH.
setup_file() {
    command -v mpicc.mpich >/dev/null || return 0
    cluster_start 2 --prefix mpich --cpus 2 --net --share "$REPO"
    [ "$(id -u)" = 0 ] && [ -z "${CLUSTER_REFUSED:-}" ] || return 0
    local work=$DEVCLUSTER_DIR/work # the nodes share it
    mkdir -m 1777 "$work"
    cp -r "$REPO/${PARAGRADE_BUILD:-build}" "$work/build"
    cp -r "$REPO/sbatch" "$work/"
    rm "$work/build/libexec/paragrade/driver-mpi"
    make -s -C "$REPO" B="$work/build" MPICC=mpicc.mpich "$work/build/libexec/paragrade/driver-mpi" >&2
    cat >"$work/a.yaml" <<YAML
name: mpich
kernel: gemm
type: i32
reference: ref
baseline: naive
yardstick: naive
correctness: {random: 2, max: 40, edges: no, stress_threads: [3], stress_repeat: 1, stress_time: 1ms}
performance: {sizes: [128], budget: 10ms, precision: 0.3, min_sample: 1ms, quiet_node: false}
limits: {build: 60s, case: 20s, unit: 3m, memory: 500M, failures: 1}
slurm: {cpus: 2, memory: 1G, time: 10m}
submit: {poll: 500ms}
sanitized: off
pragmas: allow
tiers:
  - name: naive
    sources: [naive.c]
    compile: gcc -std=c11 -O2 -fwrapv -fPIC -shared -I{abi} -o {out} {src}
    points: {correct: 1}
  - name: mpi
    kind: mpi
    sources: [mpi.c]
    compile: mpicc.mpich -std=c11 -O2 -fwrapv -fopenmp -fPIC -shared -DPARAGRADE_MPI -I{abi} -o {out} {src}
    launcher: mpiexec.mpich -n {ranks}
    ranks: [1, 2, 4]
    points: {correct: 1}
YAML
    # UCX takes the two nodes, which are one machine, for one node.
    sed 's/ranks: \[1, 2, 4\]/nodes: [2]\n    ranks_per_node: 1/; s/mpich -n/mpich -genv UCX_TLS tcp,self -n/
        s/cpus: 2/cpus: 1/' "$work/a.yaml" >"$work/nodes.yaml"
    mkdir -p "$work"/{ref,subs/{good,crash}}
    cp "$REPO"/reference/gemm/{naive.c,mpi.c,micro.h,gemm_block.h,element.h} "$work/ref/"
    cp "$work"/ref/{mpi.c,micro.h,gemm_block.h,element.h} "$work/subs/good/"
    cat >"$work/subs/crash/mpi.c" <<'C'
#include "gemm.h"
void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C, MPI_Comm comm)
{
    int rank;
    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C;
    MPI_Comm_rank(comm, &rank);
    if (rank == 1)
        *(volatile int *)8 = 1;
    MPI_Barrier(comm);
}
C
}

setup() {
    command -v mpicc.mpich >/dev/null || skip 'needs libmpich-dev'
    needs_cluster
    export TMPDIR=/tmp PARAGRADE=$DEVCLUSTER_DIR/work/build/bin/paragrade
    cd "$DEVCLUSTER_DIR/work" || return 1
}

# One rank has nobody to wait for: the crash needs a second one.
graded() { # RUN
    run verdicts "reports/$1"
    assert_line 'reference mpi pass'
    assert_line 'good mpi pass'
    assert_line 'crash mpi crash'
}

@test "mpich: ranks of one node pass, and a crash is named" {
    run "$PARAGRADE" grade -q -j 1 -a a.yaml --run-id one subs
    graded one
    run jq -r .message reports/one/units/crash.mpi/result.json
    assert_output --partial 'signal 11'
}

@test "mpich: Hydra starts ranks on two nodes, and a crash on the other one is named" {
    run timeout 300 "$PARAGRADE" grade -q --slurm -a nodes.yaml --run-id two subs
    [ -s reports/two/units.csv ] || fail "$output"
    graded two
    run grep -c ',2,' reports/two/samples.csv
    assert [ "$output" -gt 0 ]
    run jq -r .message reports/two/units/crash.mpi/result.json
    assert_output --partial 'signal 11'
}

#!/usr/bin/env bats
# shellcheck disable=SC2016
# devcluster start --net: nodes that share neither network nor host name nor /tmp nor /dev/shm.

load ../helpers/cluster

setup_file() {
    cluster_start 2 --prefix net --cpus 2 --slurmd-timeout 5 --net --rate 200mbit --share "$REPO"
    [ "$(id -u)" = 0 ] && [ -z "${CLUSTER_REFUSED:-}" ] || return 0
    mkdir -m 1777 "$DEVCLUSTER_DIR/work" # the nodes share the cluster's directory
    cat >"$DEVCLUSTER_DIR/work/send.c" <<'C'
/* Each rank says where it is; then rank 0 sends 4 MiB to all, and the slowest of five is told. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
static char block[4 << 20];
int main(int argc, char **argv)
{
    char host[64];
    int rank, ranks;
    double slowest = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    gethostname(host, sizeof host);
    for (int i = 0; i < 5; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        MPI_Bcast(block, sizeof block, MPI_BYTE, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        slowest = MPI_Wtime() - begin > slowest ? MPI_Wtime() - begin : slowest;
    }
    printf("rank %d of %d on %s\n", rank, ranks, host);
    if (rank == 0)
        fprintf(stderr, "%d\n", (int)(slowest * 1e3));
    MPI_Finalize();
}
C
    mpicc -o "$DEVCLUSTER_DIR/work/send" "$DEVCLUSTER_DIR/work/send.c"
}

setup() {
    needs_cluster
    second=/tmp/pg-net.$$
    work=$DEVCLUSTER_DIR/work
    export TMPDIR=/tmp OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    cd "$work" || return 1
}

teardown() {
    [ -n "${work:-}" ] || return 0
    "$DEVCLUSTER" status >/dev/null || "$DEVCLUSTER" node-start net2
    [ ! -e "$second" ] || "$DEVCLUSTER" stop --dir "$second"
}

# What a cluster in a directory has left: processes, mounts, network cards.
traces_of() { # DIRECTORY CARD
    local p
    grep -lasF -e "DEVCLUSTER_DAEMON=$1:" -e "SLURMD_SPOOLDIR=$1" /proc/[0-9]*/environ |
        while read -r p; do [ ! -e "${p%/*}" ] || echo "$p"; done
    grep -hsF "$1" /proc/[0-9]*/mountinfo | sort -u
    find /sys/class/net -name "$2"
}

# card_of DIRECTORY: this machine's card in the network of a cluster
card_of() { sed -n 's/^card=//p' "$1/devcluster"; }

# Run `send`: its milliseconds into $ms, the rest of its output into $output
both_nodes() { # COMMAND...
    output=$(timeout 100 "$@" 2>"$work/err" | sort)
    ms=$(grep -xE '[0-9]+' "$work/err") || {
        cat "$work/err"
        return 1
    }
}

@test "a node has a host name, an address, /tmp and /dev/shm of its own" {
    run srun -Q -N2 --ntasks-per-node=1 sh -c 'echo "$SLURMD_NODENAME $(hostname) $(ls -A /dev/shm)"; echo >/dev/shm/"$(hostname)"'
    assert_success
    assert_line --regexp '^net1 net1 *$'
    assert_line --regexp '^net2 net2 *$'
    run srun -Q -w net1 sh -c 'echo mine >/tmp/net-mine; ls /dev/shm; stat -c %a /tmp /dev/shm'
    assert_output "net1
1777
1777"
    run srun -Q -w net2 cat /tmp/net-mine
    assert_failure
    assert [ ! -e /tmp/net-mine ]
    run srun -Q -w net2 sh -c 'getent ahostsv4 "$(hostname)"; ip -4 -o address show eth0'
    assert_output --regexp '^198\.18\.([0-9]+)\.2 .* 198\.18\.\1\.2/24 '
    run srun -Q -w net2 cat "$work/send.c" # the cluster's directory is shared
    assert_success
}

@test "srun and mpirun of a job over two nodes, two ranks on each" {
    ranks="rank 0 of 4 on net1
rank 1 of 4 on net1
rank 2 of 4 on net2
rank 3 of 4 on net2"
    printf '%s\n' '#!/bin/sh' 'srun hostname >hosts' 'mpirun ./send >ranks' >job
    job=$(sbatch --parsable -N2 --ntasks-per-node=2 -o out job)
    wait_until 60 job_is "$job" COMPLETED || cat out
    assert_equal "$(sort hosts | xargs)" "net1 net1 net2 net2"
    assert_equal "$(sort ranks)" "$ranks"
    both_nodes srun -N2 --ntasks-per-node=2 --mpi=pmix ./send
    assert_output "$ranks"
}

@test "an ordinary user's job over two nodes" {
    job=$(setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME=/ \
        sbatch --parsable -D "$work" -N2 --ntasks-per-node=1 -o "$work/nobody" --wrap 'id -un; mpirun ./send')
    wait_until 60 job_is "$job" COMPLETED || cat nobody
    run sort nobody
    assert_line nobody
    assert_line 'rank 0 of 2 on net1'
    assert_line 'rank 1 of 2 on net2'
    mkdir -m 777 theirs
    far_run
    sed 's/^    ranks: .*/    nodes: [2]\n    ranks_per_node: 1/' far/a.yaml >theirs/a.yaml
    setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME=/ "$PARAGRADE" grade -q -a theirs/a.yaml \
        --slurm --reference --reports theirs --run-id r >theirs.log 2>&1 || cat theirs.log
    run rows theirs/r/cases.csv verdict
    assert_line '2x1@2 pass'
    run grep '"unprivileged"' theirs/r/units/reference.mpi/result.json
    assert_success
}

@test "a node sends no faster than its rate" {
    both_nodes srun -N2 --ntasks-per-node=1 --mpi=pmix ./send
    assert [ "$ms" -ge 150 ] # 4 MiB at 200 Mbit/s: 168 ms, less what the card holds back
    # Inside a node there is no limit.
    run srun -Q -w net1 tc qdisc show dev eth0
    assert_output --regexp '^qdisc tbf .* rate 200Mbit'
    run srun -Q -w net1 tc qdisc show dev lo
    refute_output --partial tbf
}

# A run of one MPI program whose rank 1 misbehaves, as the number N of columns says. Made once.
far_run() {
    [ ! -d far ] || return 0
    mkdir -p far/class/zoe
    cat >far/a.yaml <<YAML
name: far
kernel: gemm
type: i32
seed: 7
reference: $REPO/reference/gemm
baseline: naive
yardstick: naive
correctness: {random: 1, max: 20, edges: no, stress_threads: []}
performance: {sizes: [8], budget: 10ms, precision: 0.5, min_sample: 1ms, quiet_node: false}
limits: {case: 10s, unit: 60s, memory: 300M, output: 100K, failures: 2}
slurm: {cpus: 1, memory: 1G, time: 5m}
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
    ranks: [1, 2]
    points: {correct: 10}
YAML
    cat >far/class/zoe/mpi.c <<C
#include "gemm.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
static void *wait_there(void *arg) { pause(); return arg; }
static void misbehave(int how)
{
    pthread_t thread;
    if (how == 2) {
        fprintf(stderr, "socket: %s\n", socket(AF_INET, SOCK_STREAM, 0) < 0 ? strerror(errno) : "open");
        fprintf(stderr, "assignment: %s\n", open("$PWD/far/a.yaml", O_RDONLY) < 0 ? strerror(errno) : "open");
        fprintf(stderr, "token: %s\n", getenv("PARAGRADE_TOKEN") ? "known" : "unknown");
    } else if (how == 3) {
        for (int i = 0; i < 600; i++) memset(malloc(1 << 20), 1, 1 << 20);
    } else if (how == 4) {
        *(volatile int *)NULL = 1;
    } else if (how == 5) {
        for (int i = 0; i < 200; i++) pthread_create(&thread, NULL, wait_there, NULL);
    }
    if (how == 3 || how >= 5) sleep(9);
}
void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C, MPI_Comm comm)
{
    char node[MPI_MAX_PROCESSOR_NAME];
    int length, rank, how = N;
    MPI_Comm_rank(comm, &rank);
    MPI_Get_processor_name(node, &length);
    MPI_Bcast(&how, 1, MPI_INT, 0, comm);
    fprintf(stderr, "rank %d on %s\n", rank, node);
    if (rank == 1) misbehave(how);
    MPI_Barrier(comm);
    for (int i = 0; rank == 0 && i < M * N; i++) {
        C[i] = 0;
        for (int k = 0; k < K; k++) C[i] += A[i / N * K + k] * B[k * N + i % N];
    }
}
C
    "$PARAGRADE" grade -a far/a.yaml --reports far/reports --run-id one far/class >far/log 2>&1 || true
    [ -f far/reports/one/units.csv ] || { cat far/log; return 1; }
}

# far_job NODES COMMAND: in a job; then as after `run`
far_job() {
    printf '%s\n' '#!/bin/bash' 'export TMPDIR=/tmp' \
        'try() { "$PARAGRADE" replay far/reports/one zoe.mpi "8x$1x8" --values full --seed 1 --launch 2x1@2; }' \
        "$2" >far/job
    timeout 120 sbatch -W "-N$1" --ntasks-per-node=1 -o far/out far/job >/dev/null || true
    run cat far/out
}

# What launches have left on any node of this cluster. Machines of tests show all processes.
far_processes() {
    grep -lasF "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ | sed 's/environ$/comm/' |
        xargs -r grep -lsE '^(proctor|orted|driver-mpi)' || true
}
far_traces() {
    far_processes
    srun -Q -N2 --ntasks-per-node=1 sh -c 'ls -d /tmp/paragrade-* /dev/shm/paragrade-*; true' 2>/dev/null
}
no_processes() { [ -z "$(far_processes)" ]; }

@test "a launch over two nodes: ranks on both, and the second one is in the same sandbox" {
    far_run
    far_job 2 'try 2'
    assert_line --partial '2 ranks on 2 nodes: pass'
    assert_line 'rank 0 on net1'
    assert_line 'rank 1 on net2'
    assert_line 'socket: Operation not permitted'
    assert_line 'assignment: Permission denied'
    assert_line 'token: unknown'
    run far_traces
    assert_output ''
}

@test "limits and crashes on the second node are told as on the first" {
    far_run
    far_job 2 'for how in 3 4 5 1; do try $how; done'
    assert_line --partial '2 ranks on 2 nodes: out-of-memory'
    assert_line --regexp 'used 3[0-9]+ MiB of memory beside the matrices; the limit is 300 MiB'
    assert_line --partial '2 ranks on 2 nodes: crash'
    assert_line --partial 'a rank other than 0 was killed by signal 11'
    assert_line --partial '2 ranks on 2 nodes: forbidden'
    assert_line --regexp 'started [0-9]{2,3} processes and threads; the limit is 64'
    assert_line --partial '2 ranks on 2 nodes: pass' # nothing is left of the others
    run far_traces
    assert_output ''
}

@test "a proctor killed on the second node is nobody's fault, and a killed head leaves nothing there" {
    far_run
    # As soon as rank 1 is at work, PROCESS is killed on NODE.
    cat >far/kill <<'SH'
try 9 & replay=$!
for i in $(seq 200); do
    pid=$(grep -lasF "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ | cut -d/ -f3 | while read -r p; do
        grep -qsa -e "$1" "/proc/$p/cmdline" && grep -qs '^proctor$' "/proc/$p/comm" && echo "$p"; done)
    ranks=$(pgrep -c driver-mpi)
    [ -n "$pid" ] && [ "$ranks" -ge 2 ] && break
    sleep 0.05
done
sleep 0.5
kill -9 $pid
wait $replay
SH
    far_job 2 'set -- --serve; . far/kill'
    assert_output --partial 'the proctor of node net2 is gone'
    refute_output --partial 'crash'
    wait_until 20 no_processes
    far_job 2 'set -- --run; . far/kill'
    refute_output --partial ': pass'
    wait_until 20 no_processes
    far_job 2 'try 1' # it removes the directories of the killed ones
    assert_output --partial '2 ranks on 2 nodes: pass'
    run far_traces
    assert_output ''
}

# rows TABLE: tier, ranks, threads, nodes and the column NAME of the MPI tier
rows() { # TABLE NAME
    tr -d '\r' <"$1" | awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["tier"] == "mpi" { print $at["ranks"] "x" $at["threads"] "@" $at["nodes"], $at[name] }' | sort -u
}

@test "a tier asks for nodes: its jobs have them, and it is timed; without Slurm it is checked here" {
    far_run
    sed 's/^    ranks: .*/    nodes: [1, 2]\n    ranks_per_node: 2\n    weak: [48]/; s/sizes: \[8\]/sizes: [48]/' far/a.yaml >far/nodes.yaml
    run "$PARAGRADE" grade -q -a far/nodes.yaml --slurm --reference --reports far/reports --run-id jobs
    assert_line --regexp '^reference +pass +pass'
    run rows far/reports/jobs/cases.csv verdict
    assert_output $'1x1@1 pass\n2x1@1 pass\n4x1@2 pass'
    run rows far/reports/jobs/speedup.csv graded
    assert_output $'1x1@1 yes\n2x1@1 yes\n4x1@2 yes'
    run rows far/reports/jobs/efficiency.csv workers
    assert_line '4x1@2 4'
    run rows far/reports/jobs/efficiency.csv node_efficiency
    assert_line '2x1@1 1'
    assert_line --regexp '^4x1@2 0\.[0-9]+$' # one call of 48x48x48 gains nothing from a network
    run rows far/reports/jobs/weak.csv size
    assert_output $'1x1@1 48\n2x1@1 96x48x48\n4x1@2 192x48x48'
    run grep -h '"seccomp"' far/reports/jobs/units/reference.mpi/result.json
    assert_success # of both nodes
    run "$PARAGRADE" grade -q -a far/nodes.yaml --reference --reports far/reports --run-id here
    run rows far/reports/here/cases.csv oversubscribed
    assert_output $'1x1@1 no\n2x1@1 no\n4x1@2 yes'
    run rows far/reports/here/cases.csv verdict
    assert_line '4x1@2 pass'
}

@test "one-sided communication over two nodes: windows of every kind" {
    local program
    far_run
    for program in counter dynamic fence lock pscw; do
        mkdir -p "far/windows/$program"
        cp "$REPO/tests/honest/honest.h" "far/windows/$program/"
        cp "$REPO/tests/honest/programs/mpi_window_$program.c" "far/windows/$program/mpi.c"
    done
    sed 's/^    ranks: .*/    nodes: [2]\n    ranks_per_node: 1/' far/a.yaml >far/windows.yaml
    run "$PARAGRADE" grade -q -a far/windows.yaml --slurm --reports far/reports --run-id windows far/windows
    run rows far/reports/windows/cases.csv verdict
    assert_output $'1x1@1 pass\n2x1@2 pass'
}

@test "nobody else times anything on the second node, either" {
    far_run
    sed 's/^    ranks: .*/    ranks: [1, 2]\n    nodes: [2]\n    ranks_per_node: 1/; s/quiet_node: false/quiet_node: true/' far/a.yaml >far/locked.yaml
    nsenter -m -t "$(slurmd_of net2)" perl -MFcntl -e '
        umask 077; open F, "+>>", "/tmp/.paragrade-0.quiet" or die;
        my $all = pack("s s x4 q q l x4", F_WRLCK, 0, 0, 0, 0); fcntl(F, F_SETLKW, $all) or die;
        chdir $ARGV[0]; open S, ">held"; close S; sleep 1 while !-e "let-go"' "$PWD/far" 3>&- &
    wait_until 10 test -e far/held
    "$PARAGRADE" grade -q -a far/locked.yaml --slurm --reference --reports far/reports --run-id locked >far/log 2>&1 3>&- &
    wait_until 60 grep -rqs 'waiting for other timed runs on node net2' far/reports/locked
    assert [ ! -e far/reports/locked/units/reference.mpi/result.json ]
    touch far/let-go
    wait $!
    run rows far/reports/locked/speedup.csv graded
    assert_line '2x1@2 yes'
    # As many workers on one node and on two are two points.
    LC_ALL=C run "$PARAGRADE" plot --student reference far/reports/locked
    assert_line --partial 'mpi, size 8'
    assert_line --partial 'mpi over nodes, size 8'
}

@test "ranks with a GPU each on two nodes: each node has its GPUs, and the launch is timed" {
    far_run
    load ../helpers/emulated
    mkdir -p gpus/reference gpus/class/zoe
    cp -r "${PARAGRADE%/bin/*}"/{bin,libexec,include} gpus/
    ranks_driver gpus/libexec/paragrade/driver-mpi_cuda
    gpus_driver gpus/libexec/paragrade/driver-cuda
    cp "$REPO"/reference/gemm/{naive.c,element.h} "$REPO"/tests/fixtures/gpus/{device.c,ranks.c,cuda_runtime_api.h} gpus/reference/
    cp "$REPO"/tests/fixtures/gpus/{ranks.c,cuda_runtime_api.h} gpus/class/zoe/
    # The rank that is elsewhere, or sees another GPU, gives a wrong result.
    sed -i 's/^    const int from = .*/    char where[64]; gethostname(where, sizeof where);\n    if (where[3] != "1122"[rank] || strcmp(getenv("CUDA_VISIBLE_DEVICES"), rank % 2 ? "7" : "4") != 0) memset(all, 0, (a + b) * sizeof *all);\n&/' gpus/class/zoe/ranks.c
    sed -e '/- name: gpus/,/points/d; /- name: many/,/points/d' -e 's/ranks: \[1, 2, 3\]/ranks: [1]\n    nodes: [1, 2]\n    ranks_per_node: 2/' \
        "$REPO/tests/fixtures/gpus/a.yaml" >gpus/a.yaml
    cat >far/job <<'SH'
#!/bin/bash
export TMPDIR=/tmp CUDA_VISIBLE_DEVICES=4,7
gpus/bin/paragrade grade -q -a gpus/a.yaml --reports far/reports --run-id gpus gpus/class
gpus/bin/paragrade replay far/reports/gpus zoe.ranks 8x8x8 --values full --seed 1 --launch 4x1@2
mv gpus/libexec/paragrade/proctor gpus/libexec/paragrade/real
printf '%s\n' '#!/bin/sh' '[ "$1" != --serve ] || export CUDA_VISIBLE_DEVICES=5' 'exec "${0%/*}/real" "$@"' >gpus/libexec/paragrade/proctor
chmod +x gpus/libexec/paragrade/proctor
gpus/bin/paragrade replay far/reports/gpus zoe.ranks 8x8x8 --seed 1 --launch 4x1@2
SH
    timeout 200 sbatch -W -N2 --ntasks-per-node=1 -o far/out far/job >/dev/null || true
    run cat far/out
    assert_line --regexp '^zoe +ranks +4 ranks on 2 nodes +100 '
    assert_line --partial '4 ranks on 2 nodes: pass'
    assert_line --partial 'node net2: it has 1 GPU, and the launch needs 2 on each node'
}

@test "a launch over two nodes without a job of two nodes runs on one" {
    far_run
    far_job 1 'try 1'
    assert_line --partial '2 ranks on 2 nodes: pass'
    assert_line 'rank 1 on net1'
}

@test "a node that dies loses its files and comes back on the network" {
    srun -w net2 touch /tmp/kept
    "$DEVCLUSTER" node-kill net2
    run "$DEVCLUSTER" status
    assert_failure 1
    run "$DEVCLUSTER" node-start net2
    assert_success
    wait_until 60 node_is net2 idle
    run srun -Q -w net2 ls -A /tmp/kept
    assert_failure
    both_nodes srun -N2 --ntasks-per-node=1 --mpi=pmix ./send
    assert_output "rank 0 of 2 on net1
rank 1 of 2 on net2"
}

@test "a second one beside it, with a shared directory; stop leaves nothing, with jobs running" {
    mine=$(mktemp -d /tmp/pg-share.XXXXXX)
    "$DEVCLUSTER" start 2 --dir "$second" --port auto --prefix nets --cpus 1 --net --share "$mine"
    card=$(card_of "$second")
    assert [ -e "/sys/class/net/$card" ]
    assert [ "$card" != "$(card_of "$DEVCLUSTER_DIR")" ]
    export SLURM_CONF=$second/etc/slurm.conf
    run srun -Q -D / -N2 sh -c 'sed -n "s/^Cpus_allowed_list:\t//p" /proc/self/status'
    if [ "$(nproc)" -ge 2 ] && [ "$(nproc)" = "$(nproc --all)" ]; then
        assert_equal "$(sort <<<"$output")" $'0\n1' # each has its own core
    fi
    sbatch -N2 -o /dev/null --wrap "srun sh -c 'echo >$mine/\$(hostname); (setsid sleep 613 &); sleep 614'"
    wait_until 20 test -e "$mine/nets2"
    wait_until 20 test -e "$mine/nets1"
    run "$DEVCLUSTER" stop --dir "$second"
    assert_success
    assert [ ! -e "$second" ]
    run traces_of "$second" "$card"
    assert_output ''
    run pgrep -r S,R,D -f 'sleep 61[34]'
    assert_failure
    rm -r "$mine"
    # The first one has not noticed.
    run env SLURM_CONF="$DEVCLUSTER_DIR/etc/slurm.conf" srun -N2 true
    assert_success
}

@test "killed at any moment of its start, it is found again" {
    for after in 0.05 0.1 0.2 0.3 0.5; do
        "$DEVCLUSTER" start 2 --dir "$second" --port auto --prefix nets --net >/dev/null 2>&1 3>&- &
        sleep "$after"
        kill -9 $! 2>/dev/null || true # a quick one has started
        wait $! || true
        card=$(card_of "$second" 2>/dev/null || true)
        run "$DEVCLUSTER" stop --dir "$second"
        assert_success
        assert [ ! -e "$second" ]
        run traces_of "$second" "${card:-none}"
        assert_output ''
    done
}

@test "where namespaces are refused: the reason, status 4, and nothing is left" {
    run setpriv --bounding-set -sys_admin "$DEVCLUSTER" start 1 --dir "$second" --port auto --net
    assert_failure 4
    assert_output --regexp '^devcluster: --net is refused by this machine: unshare: .+$'
    assert [ ! -e "$second" ]
    # A Bats file's tests are skipped with this reason.
    run env CLUSTER_REFUSED="--net is refused" bash -c \
        'load() { :; }; skip() { echo "skipped: $1"; exit; }; . "$1"; needs_cluster' - "$REPO/tests/helpers/cluster.bash"
    assert_output 'skipped: --net is refused'
}

@test "options that cannot be" {
    run "$DEVCLUSTER" start 1 --dir "$second" --rate 1gbit
    assert_failure 2
    assert_output --partial 'need --net'
    run "$DEVCLUSTER" start 1 --dir "$second" --net --rate fast
    assert_failure 2
    assert_output --partial "--rate 'fast': for example 1gbit"
    run "$DEVCLUSTER" start 1 --dir "$second" --net --share "$work/nowhere"
    assert_failure 2
    assert_output --partial 'no such directory'
    assert [ ! -e "$second" ]
}

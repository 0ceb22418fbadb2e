#!/usr/bin/env bats
# shellcheck disable=SC2016,SC2154
# A rank on the second node attacks: what is closed on the first node is closed there. One student makes
# all attacks that must fail without a trace, others one each that must be seen; an honest one is graded
# beside them. All of them in one run.

load ../helpers/cluster
load ../helpers/attacks

# What must fail, on the second node and on the way to it.
QUIET='up_the_tree attack_mpirun mpi_forks mpi_families mpi_needless_calls mpi_sockets mpi_services
    mpi_threads_of_mpirun mpi_other_jobs mpi_ports mpi_attribute wake_rank_zero wake_by_timer
    daemon fork_bomb run_program survive_parent kill_others trace_others limit_others more_cores priority
    privileges raise_limits scan_files scan_environment stat_others write_run leave_traces network large_target'

# What must be seen: NAME:VERDICT|VERDICT
SEEN='reconnect:crash mpi_deep_files:output-limit mpi_unlinked:out-of-memory|crash page_tables:out-of-memory
    spawn_brief:forbidden spawn_outside:forbidden spoil_scratch:crash
    crash_daemon:crash'

make_class() {
    local name
    mkdir -p secret/home subs/honest
    echo '#error the secret is 4711' >secret/home/roster.csv
    chmod 700 secret secret/home
    cp "$REPO"/reference/gemm/{mpi.c,*.h} subs/honest/
    # shellcheck disable=SC2086
    attack_with subs/quiet mpi ';' $QUIET
    attack_headers subs/quiet "$DEVCLUSTER_DIR/spool/atk2/atk2_"
    for name in $SEEN; do
        mkdir -p "subs/${name%:*}"
        attack_with "subs/${name%:*}" mpi ';' "${name%:*}"
        cp subs/quiet/*.h "subs/${name%:*}/"
    done
    cat >a.yaml <<YAML
name: far
kernel: gemm
type: i32
seed: 7
reference: $REPO/reference/gemm
baseline: naive
yardstick: naive
correctness: {random: 1, max: 20, edges: no, stress_threads: []}
performance: {sizes: [32], budget: 10ms, precision: 0.5, min_sample: 1ms, quiet_node: false}
limits: {build: 30s, case: 10s, unit: 60s, memory: 200M, output: 64K, failures: 1}
submit: {poll: 500ms, max_concurrent: 4, retries: 1}
slurm: {cpus: 1, memory: 900M, time: 10m}
sanitized: off
allow: '*'
forbid: []
pragmas: allow
tiers:
  - name: naive
    sources: [naive.c]
    compile: gcc -O2 -fPIC -shared -I{abi} -o {out} {src}
    points: {correct: 1}
  - name: mpi
    kind: mpi
    sources: [mpi.c]
    with: ["mpi/*.c"]
    compile: mpicc -std=gnu11 -O1 -fwrapv -fPIC -shared -fopenmp -DPARAGRADE_MPI -DATTACKER=1 -I{abi} -I{dir} -o {out} {src} -lm
    launcher: mpirun --mca mpi_yield_when_idle 1 --oversubscribe --bind-to none -n {ranks}
    nodes: [2]
    ranks_per_node: 1
    points: {correct: 10}
YAML
}

both_serve() { [ "$(wc -l <serving)" = 3 ]; }

# A service that listens on each node, at the same port, as debuggers and notebooks do.
serve_on_nodes() {
    local node
    for node in atk1 atk2; do
        nsenter -n -t "$(slurmd_of "$node")" perl -MIO::Socket::INET -e '
            $s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1", LocalPort => 7777) or die;
            open F, ">>serving"; print F "$$\n"; close F; sleep 900' 3>&- 4>&- >/dev/null 2>&1 &
        disown
    done
    echo 7777 >service
    wait_until 10 both_serve
}

setup_file() {
    cluster_start 2 --prefix atk --cpus 4 --slurmd-timeout 5 --net --share "$REPO"
    [ "$(id -u)" = 0 ] && [ -z "${CLUSTER_REFUSED:-}" ] || return 0
    mkdir -m 1777 "$DEVCLUSTER_DIR/work" # the nodes share the cluster's directory
    cd "$DEVCLUSTER_DIR/work" || return 1
    sleep 900 3>&- 4>&- >/dev/null 2>&1 &
    echo $! | tee neighbour >serving
    disown
    serve_on_nodes
    make_class
    export TMPDIR=/tmp
    timeout 300 "$PARAGRADE" grade -q -a a.yaml --slurm --reports reports --run-id r subs >out.txt 2>err.txt 3>&- || true
    [ -s reports/r/units.csv ] || {
        cat out.txt err.txt >&2
        return 1
    }
}

teardown_file() {
    [ ! -e "${DEVCLUSTER_DIR:-}/work/serving" ] ||
        xargs kill <"$DEVCLUSTER_DIR/work/serving" || true
    cluster_stop
}

setup() {
    needs_cluster
    cd "$DEVCLUSTER_DIR/work" || return 1
}

verdict_of() { verdicts reports/r | awk -v s="$1" '$1 == s && $2 == "mpi" { print $3 }'; } # SUBMISSION

@test "a rank on the second node attacks: nothing of what must fail works" {
    run grep -rohE 'HOLE: [^\\"]*' reports/r/units
    assert_output ''
    assert_equal "$(verdict_of quiet)" pass
}

@test "a rank on the second node attacks: what must be seen is, and is the student's" {
    local name got
    for name in $SEEN; do
        got=$(verdict_of "${name%:*}")
        [[ "|${name#*:}|" == *"|$got|"* ]] || fail "${name%:*} is '$got', not ${name#*:}"
    done
}

@test "a rank on the second node attacks: classmates pass, and nothing is left on any node" {
    assert_equal "$(verdict_of honest)" pass
    # What crashes MPI's daemon or loses its sockets runs twice.
    run find reports/r/units -name 'infra-*' -not -path '*/crash_daemon.mpi/*' -not -path '*/reconnect.mpi/*'
    assert_output ''
    run pgrep -f "$DEVCLUSTER_DIR.*(driver|kernel.so)|^/bin/sleep 600"
    assert_output ''
    run srun -Q -N2 --ntasks-per-node=1 sh -c 'ls /tmp /dev/shm | grep paragrade || true'
    assert_output ''
}

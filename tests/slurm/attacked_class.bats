#!/usr/bin/env bats
# shellcheck disable=SC2154
# One student attacks in every tier, with dozens of attacks of tests/redteam, while four classmates are
# graded on the same node inside Slurm. They get all their points, and nothing of theirs is called a
# failure of the grader. The attacker gets none, and another job of the account goes on.

load ../helpers/cluster
load ../helpers/attacks

# naive: processes, files, signals
NAIVE='daemon fork_bomb run_program kill_others trace_others limit_others priority privileges raise_limits
    scan_files scan_environment scan_descriptors write_run leave_traces fill_disk fill_shared_memory
    network stat_others needless_calls'
# locality: memory
LOCALITY='memory_in_pipes memory_in_sockets many_descriptors page_tables fill_memory'
# openmp: threads
OPENMP='wake_by_timer wake_by_kill slow_yardstick thread_bomb'
# mpi: what mpirun has, and what a node has
MPI='mpi_sockets mpi_services mpi_families mpi_forks mpi_other_jobs mpi_threads_of_mpirun attack_mpirun
    mpi_needless_calls mpi_ports mpi_empty_files mpi_fill_disk'
# hybrid: programs that mpirun starts
HYBRID='mpi_publish spawn_end_jobs'

# The result is spoilt, too.
attack() { # TIER ATTACK...
    local tier=$1
    shift
    attack_with subs/mallory "$tier" 'C[0] ^= 1;' "$@"
}

make_attacked_class() {
    mkdir -p subs/mallory secret/home
    echo '#error the secret is 4711' >secret/home/roster.csv
    attack_headers subs/mallory "$DEVCLUSTER_DIR/spool/att1/att1_"
    # shellcheck disable=SC2086
    attack naive $NAIVE && attack locality $LOCALITY && attack openmp $OPENMP && attack mpi $MPI &&
        attack hybrid $HYBRID
    local tier
    cp -r "$REPO"/student_impls/{alice,bob} subs/
    mkdir subs/zoe subs/nina
    cp "$REPO"/reference/gemm/*.[ch] subs/zoe/
    for tier in naive locality openmp; do cp subs/alice/naive.c "subs/nina/$tier.c"; done
    cp subs/bob/mpi.c subs/nina/
}

setup_file() {
    [ "$(id -u)" = 0 ] || return 0 # setup skips
    cd "$BATS_FILE_TMPDIR" || exit 1
    cluster_start 1 --prefix att --cpus 8 --mem 8000 || return 1
    # Another job of the account, and a service of the node that listens
    sbatch --parsable --output /dev/null --wrap "echo \$\$ >$PWD/neighbour; exec sleep 900" >other
    perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1");
        open F, ">service"; print F $s->sockport; close F; sleep 900' 3>&- 4>&- >/dev/null 2>&1 &
    echo $! >service.pid
    disown
    wait_until 10 test -s service
    wait_until 20 test -s neighbour
    make_attacked_class
    sed "s|@REFERENCE@|$REPO/reference/gemm|" "$BATS_TEST_DIRNAME/attacked_class.yaml" >class.yaml
    timeout 300 "$PARAGRADE" grade -q -a class.yaml --slurm --run-id r subs >out.txt 2>err.txt 3>&- || true
    [ -s reports/r/units.csv ] || {
        cat out.txt err.txt >&2
        return 1
    }
}

teardown_file() {
    [ ! -e "$BATS_FILE_TMPDIR/service.pid" ] || kill "$(<"$BATS_FILE_TMPDIR/service.pid")" || true
    cluster_stop
}

setup() {
    needs_cluster
    cd "$BATS_FILE_TMPDIR" || exit 1
}

verdict_of() { # SUBMISSION TIER
    verdicts reports/r | awk -v s="$1" -v t="$2" '$1 == s && $2 == t { print $3 }'
}

@test "attacked class: classmates get all their points" {
    local name tier
    for name in alice bob nina zoe; do
        for tier in naive locality openmp mpi hybrid; do
            assert_equal "$name $tier $(verdict_of $name $tier)" "$name $tier pass"
        done
    done
    run cut -d, -f1,13-15 reports/r/grades.csv
    assert_line --partial alice,50,50,100
    assert_line --partial bob,50,50,100
    assert_line --partial nina,50,50,100
    assert_line --partial zoe,50,50,100
    assert_line --partial mallory,0,50,0
}

@test "attacked class: nothing is called a failure of the grader" {
    run find reports/r/units -name 'infra-*'
    assert_output ''
    run grep -c infra-error reports/r/units.csv
    assert_output 0
}

@test "attacked class: every attack is made, and none of them works" {
    run grep -rohE 'HOLE: [^\\"]*' reports/r/units
    assert_output ''
    assert_equal "$(verdict_of mallory naive)" wrong-answer
    assert_equal "$(verdict_of mallory locality)" out-of-memory
    assert_equal "$(verdict_of mallory openmp)" forbidden
    assert_equal "$(verdict_of mallory mpi)" output-limit
    # What is seen first: the memory of mpirun, or the program.
    assert_regex "$(verdict_of mallory hybrid)" '^(out-of-memory|forbidden)$'
}

# The log of the node has the beginnings and ends of its units, in order.
@test "attacked class: units of classmates end while the attacks go on" {
    run awk '$4 ~ /^mallory/ { attacks += $5 == "begins" ? 1 : -1; next }
        attacks > 0 && $4 !~ /^reference/ && $5 == "pass" { met++ }
        END { exit !(met > 0) }' reports/r/slurm/units-*.log
    assert_success
}

@test "attacked class: another job of the account goes on" {
    assert_equal "$(job_state "$(<other)")" RUNNING
    run awk '/^State/ { print $2 }' "/proc/$(<neighbour)/status"
    assert_output S
}

@test "attacked class: nothing is left on the node" {
    run awk '/^TCP:/ { print ($7 < 20000 ? "free" : "used up") }' /proc/net/sockstat
    assert_output free
    run pgrep -f "$BATS_RUN_TMPDIR.*(driver|kernel.so)"
    assert_output ''
}

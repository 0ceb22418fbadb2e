#!/usr/bin/env bats
# shellcheck disable=SC2154
# Honest programs that look at what they were given - cores, threads, memory, other ranks - inside Slurm's
# jobs, several at a time on one node. Nobody is accused. Most are those of tests/honest; some are of
# Slurm only (honest/).

load ../helpers/cluster

PROGRAMS='pthread_affinity sched_affinity_one_thread omp_nested omp_places mpi_communicators
    hybrid_pthreads big_stack exceptions std_thread getenv_settings mmap_anonymous mpi_window_shared'
OF_SLURM='batch_variables every_core node_communicator too_many_threads'

add() { # FILE
    local name tier
    name=$(basename "${1%.*}")
    tier=$(sed -nE '1s|^/\* tier: ([a-z]+) \*/$|\1|p' "$1")
    mkdir "subs/$name"
    cp "$1" "subs/$name/$tier.${1##*.}"
    cp "$REPO/tests/honest/honest.h" "subs/$name/"
    echo "$name,$tier,pass" >>expected
}

setup_file() {
    [ "$(id -u)" = 0 ] || return 0 # setup skips
    cd "$BATS_FILE_TMPDIR" || exit 1
    cluster_start 1 --prefix hon --cpus 8 --mem 8000 || return 1
    local name
    mkdir subs
    for name in $PROGRAMS; do add "$REPO/tests/honest/programs/$name".*; done
    for name in $OF_SLURM; do add "$BATS_TEST_DIRNAME/honest/$name".*; done
    sed -e "s|@REFERENCE@|$REPO/reference/gemm|" -e 's/max_concurrent: 8/max_concurrent: 4/' \
        "$REPO/tests/honest/honest.yaml" >honest.yaml
    echo 'slurm: {nodes: 1, tasks: 1, cpus: 2, memory: 1900M, time: 10m}' >>honest.yaml
    timeout 300 "$PARAGRADE" grade -q -a honest.yaml --slurm --run-id r subs >out.txt 2>err.txt 3>&- || true
    [ -s reports/r/units.csv ] || {
        cat out.txt err.txt >&2
        return 1
    }
}

setup() {
    needs_cluster
    cd "$BATS_FILE_TMPDIR" || exit 1
}

@test "honest in jobs: everybody passes" {
    run bash -c "cut -d, -f1-3 reports/r/units.csv | grep -vE '^(submission|reference),|,missing$' | sort"
    assert_output "$(sort expected)"
}

@test "honest in jobs: nobody gets a remark, and no failure is the grader's" {
    run sed -nE 's/.*"remarks": "(.+)".*/\1/p' reports/r/units/*/result.json
    assert_output ''
    run find reports/r/units -name 'infra-*'
    assert_output ''
}

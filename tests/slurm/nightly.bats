#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2119,SC2120,SC2317
# paragrade nightly on a real Slurm: one job on each node. The first test is real all the way; in the
# others, proctors are fake.

load ../helpers/cluster
load ../helpers/class
load ../helpers/nights

setup_file() {
    cluster_start 3 --prefix ni
}

setup() {
    needs_cluster
    make_class
    export PARAGRADE_HISTORY=$PWD/h.sqlite PARAGRADE_CACHE=
    nightly() { "$PARAGRADE" nightly -a a.yaml --slurm "$@"; }
}

teardown() {
    [ "$(id -u)" = 0 ] || return 0
    scontrol update nodename=ni[1-3] state=resume 2>/dev/null || true
    cancel_jobs
}

measured_nodes() { (cd reports/nightly && printf '%s\n' */ni*/receipts.json | cut -d/ -f2 | sort | tr '\n' ' '); }

@test "nightly: real nights on each node; a node that was 10 % faster until six days ago is named" {
    unset PARAGRADE_PROCTOR
    sed -e 's/random: 3, max: 64, edges: yes/random: 1, max: 8, edges: no/' -e 's/budget: 20ms/budget: 50ms/' \
        -e 's|\.\./\.\./|'"$REPO"'/|' -e '/^  - name: openmp/,$d' \
        "$REPO/tests/fixtures/small.yaml" >a.yaml
    run -0 nightly
    refute_output
    assert_equal "$(measured_nodes)" 'ni1 ni2 ni3 '
    assert queue_is_empty
    run sqlite3 h.sqlite 'SELECT node, count(*) FROM time JOIN measured ON time = id GROUP BY node'
    assert_output 'ni1|3
ni2|3
ni3|3'
    # The nights before had the same times; ni2 was faster in all but the last five.
    sqlite3 h.sqlite "
        CREATE TEMP TABLE day AS WITH RECURSIVE t(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t WHERE i < 25)
          SELECT i, strftime('%Y-%m-%dT03:00:00Z', 'now', '-' || i || ' days') AS at FROM t;
        INSERT INTO run (id, name, created, assignment) SELECT 100 + i, 'past', at, 'small' FROM day;
        INSERT INTO measured SELECT time, 100 + i, day.at,
          seconds * (1 + ((time * 31 + i * 7919) % 100 - 50) / 10000.0) /
          CASE WHEN i > 5 AND node = 'ni2' THEN 1.1 ELSE 1 END, facts
          FROM measured JOIN time ON time.id = time, day WHERE run < 100"
    run -1 nightly
    assert_line --index 0 --regexp "^ni2: .* % slower since $(days_ago 5)\$"
    refute_line --regexp '^ni[13]: '
    run -0 nightly --nodes ni2
    refute_output
}

@test "nightly: a sample takes turns; nodes can be named" {
    nightly >/dev/null
    rm -r reports
    add_nights h.sqlite 2 2
    sqlite3 h.sqlite "UPDATE time SET node = 'ni' || substr(node, 2)"
    run -0 nightly --sample 1
    assert_equal "$(measured_nodes)" 'ni3 '
    run -0 nightly --nodes ni1,ni2
    assert_equal "$(measured_nodes)" 'ni1 ni2 ni3 '
    run -2 nightly --nodes ni1,other
    assert_output --partial 'no node other'
    run -2 nightly --partition nope
    assert_output --partial 'no partition nope'
    mkdir config
    echo 'partition: elsewhere' >config/paragrade.yaml
    XDG_CONFIG_HOME=$PWD/config run -2 nightly
    assert_output --partial 'no partition elsewhere'
    run -2 nightly --account '' --time 1h
    run -2 nightly --time 5s
}

@test "nightly: a drained node is left out; a job without a place is cancelled; a job that fails is said" {
    scontrol update nodename=ni1 state=drain reason=test
    sbatch -w ni2 --exclusive -o /dev/null --wrap 'sleep 600'
    wait_until 10 node_is ni2 allocated
    run -0 nightly --wait 4s --verbose
    assert_output --partial 'ni2: not measured'
    assert_output --partial 'Resources'
    assert_equal "$(measured_nodes)" 'ni3 '
    assert_equal "$(squeue -h | wc -l)" 1
    sed -i 's|reference: ref|reference: nowhere|' a.yaml
    run -1 nightly --nodes ni3
    assert_output --partial 'ni3: the job '
    assert_output --partial 'ended before all was graded'
}

@test "nightly: no job could start: a failure with Slurm's reason, in one line" {
    run -1 --separate-stderr nightly --partition down --wait 4s
    assert_output --partial 'no node was measured'
    assert_output --partial 'PartitionDown'
    assert_equal "$(grep -c 'no node was measured' <<<"$output")" 1
    sbatch -w ni1,ni2,ni3 -N3 --exclusive -o /dev/null --wrap 'sleep 600'
    wait_until 10 node_is ni2 allocated
    run -1 --separate-stderr nightly --wait 4s
    assert_output --partial 'no node was measured'
    refute_output --partial 'PartitionDown'
}

@test "nightly: tiers can be named; a resource that no node has is explained" {
    sed -i '/name: simd/ s/}$/, slurm: {gres: "fpga:1"}}/' a.yaml
    run -2 nightly
    assert_output --partial 'The tier simd asks for fpga:1'
    run -2 nightly --tier nope
    assert_output --partial "no tier 'nope'"
    run -0 nightly --nodes ni1 --tier naive
    run -0 cut -d, -f2 reports/nightly/*/ni1/units.csv
    assert_output $'tier\nnaive'
}

@test "nightly: told to stop: no job stays" {
    FAKE_SLEEP=60 "$PARAGRADE" nightly -a a.yaml --slurm >out 2>&1 &
    local pid=$!
    wait_until 30 compgen -G 'reports/nightly/*/*/units/*/attempt-*.json'
    kill -TERM $pid
    wait $pid && status=0 || status=$?
    assert_equal $status 3
    wait_until 20 queue_is_empty
}

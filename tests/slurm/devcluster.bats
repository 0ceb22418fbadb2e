#!/usr/bin/env bats
# shellcheck disable=SC2016
# sbatch/devcluster: a real Slurm that comes, works, breaks on demand and goes without a trace.

load ../helpers/cluster

setup_file() {
    # MessageTimeout: as long as commands wait for a lost controller
    cluster_start 3 --prefix dev --gpus 1 --slurmd-timeout 5 --set MessageTimeout=6
}

setup() {
    needs_cluster
    # A place that any user may write to
    work=$(mktemp -d /tmp/pg-devcluster.XXXXXX)
    chmod 1777 "$work"
    second=/tmp/pg-second.$$
    cd "$work" || return 1
}

teardown() {
    [ "$(id -u)" = 0 ] || return 0
    # Whatever a failed test has left broken
    "$DEVCLUSTER" status >/dev/null || {
        "$DEVCLUSTER" ctld-start
        "$DEVCLUSTER" node-start dev2
    }
    [ ! -e "$second" ] || "$DEVCLUSTER" stop --dir "$second"
    cd / && rm -rf "$work"
}

# Everything alive that names a directory in its command line or environment. What is dead and waits
# for init to notice has neither.
users_of() { # DIRECTORY
    local p list
    list=$(
        grep -lasF -e "DEVCLUSTER_DAEMON=$1:" -e "SLURMD_SPOOLDIR=$1" /proc/[0-9]*/environ
        grep -lasF -- "$1/munge" /proc/[0-9]*/cmdline # it finds itself, and has ended then
    )
    for p in $list; do
        p=${p%/*}
        [ "${p#/proc/}" = "$$" ] || [ ! -e "$p" ] || echo "$p"
    done
}

@test "three idle nodes in two partitions, and a third partition that is down" {
    run sinfo -h -N -p main -o '%N %T'
    assert_output "dev1 idle
dev2 idle
dev3 idle"
    run sinfo -h -o '%P %a %D'
    assert_output "main* up 3
cpu up 3
down down 3"
}

@test "status says up, env makes it current" {
    run "$DEVCLUSTER" status
    assert_success
    assert_line --regexp '^slurmctld +up '
    assert_line --regexp '^slurmd.dev3 +up '
    run env -u SLURM_CONF bash -c 'eval "$("$1" env)"; echo "$SLURM_CONF"; sinfo -h -o %D -p cpu' - "$DEVCLUSTER"
    assert_success
    assert_output "$SLURM_CONF
3"
}

@test "an array of twenty: every element runs, on several nodes" {
    run sbatch --wait --array=1-20 -o "$work/%a" --wrap 'echo "$SLURM_ARRAY_TASK_ID $SLURMD_NODENAME"'
    assert_success
    run bash -c 'cat "$1"/* | cut -d" " -f1 | sort -n | xargs' - "$work"
    assert_output "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20"
    run bash -c 'cat "$1"/* | cut -d" " -f2 | sort -u | wc -l' - "$work"
    refute_output 1
}

@test "exit codes come through" {
    run sbatch --wait -o /dev/null --wrap 'exit 7'
    assert_failure 7
    run srun -p cpu sh -c 'exit 3'
    assert_failure 3
    run srun hostname
    assert_success
}

@test "an ordinary user can submit; jobs run as that user" {
    run setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME=/ \
        sbatch --wait -D "$work" -o "$work/out" --wrap 'id -un'
    assert_success
    assert_equal "$(cat "$work/out")" nobody
}

@test "refusals: no such partition, too many elements; a partition that is down keeps jobs waiting" {
    run sbatch -p nowhere --wrap true
    assert_failure 1
    assert_output --partial 'Invalid partition name specified'
    run sbatch --array=0-1001 --wrap true
    assert_failure 1
    assert_output --partial 'Invalid job array specification'
    run sbatch --parsable -p down -o /dev/null --wrap true
    assert_success
    assert_equal "$(job_state "$output")" PENDING
    scancel "$output"
}

@test "a stand-in for a GPU is given to one job at a time" {
    run srun --gres=gpu:1 -w dev1 sh -c 'echo "$CUDA_VISIBLE_DEVICES"'
    assert_success
    assert_output 0
    run srun --gres=gpu:2 -w dev1 true
    assert_failure
}

# real_gpus N COMMAND...: where /dev has so many devices that are named as GPUs are
real_gpus() {
    unshare --mount --propagation private sh -c '
        mkdir -p dev && mount -t tmpfs dev dev || exit
        cp -a /dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty /dev/fd dev/
        mkdir dev/shm && mount --bind /dev/shm dev/shm
        for g in $(seq 0 $(($1 - 1))); do cp -a /dev/null "dev/nvidia$g"; done
        mount --rbind dev /dev
        shift
        exec "$@"' sh "$@"
}

# seen_gpus GPUS: of 2 nodes with so many each, on a machine with 2 real ones
seen_gpus() {
    real_gpus 2 "$DEVCLUSTER" start 2 --dir "$second" --port auto --prefix half --gpus "$1"
    SLURM_CONF=$second/etc/slurm.conf srun -Q -D / -N2 --gres="gpu:$1" \
        sh -c 'echo "$SLURMD_NODENAME: $CUDA_VISIBLE_DEVICES"' | sort >seen
    "$DEVCLUSTER" stop --dir "$second"
}

@test "real GPUs are divided among the nodes, where there are enough" {
    unshare --mount true || skip "this machine refuses namespaces"
    seen_gpus 1
    assert_equal "$(<seen)" $'half1: 0\nhalf2: 1'
    seen_gpus 2
    assert_equal "$(<seen)" $'half1: 0,1\nhalf2: 0,1'
}

@test "a job above its memory limit is killed" {
    cat >hog <<'HOG'
#!/bin/bash
x=$(head -c 400000000 /dev/zero | tr '\0' x)
sleep 10
echo "survived with ${#x}"
HOG
    run sbatch --parsable --mem=50 -o "$work/out" hog
    assert_success
    job=$output
    over() { [[ $(job_state "$job") =~ ^(OUT_OF_MEMORY|FAILED|CANCELLED)$ ]]; }
    wait_until 40 over
    run cat "$work/out"
    refute_output --partial survived
}

@test "a node dies with its job and comes back; the job is run again" {
    cat >once <<'JOB'
#!/bin/bash
echo "$SLURMD_NODENAME" >>started
[ "$(wc -l <started)" -gt 1 ] || sleep 600
JOB
    run sbatch --parsable --requeue -w dev2 -o /dev/null once
    job=$output
    wait_until 20 test -s started
    run "$DEVCLUSTER" node-kill dev2
    assert_success
    run users_of "$DEVCLUSTER_DIR/spool/dev2"
    assert_output ''
    run "$DEVCLUSTER" status
    assert_failure 1
    assert_line --regexp '^slurmd.dev2 +DOWN'
    # However short SlurmdTimeout is, the controller takes half a minute to be sure.
    wait_until 100 node_is dev2 down
    run "$DEVCLUSTER" node-start dev2
    assert_success
    # It would hold the job back for two minutes, and again when the node says that it was restarted.
    hurried() { job_is "$job" COMPLETED || { hurry "$job" && false; }; }
    wait_until 100 hurried
    assert_equal "$(wc -l <started)" 2
}

@test "the controller crashes and comes back: running jobs go on" {
    run sbatch --parsable -o "$work/out" --wrap "while [ ! -e $work/go ]; do sleep 0.1; done; echo finished"
    job=$output
    wait_until 20 job_is "$job" RUNNING
    run "$DEVCLUSTER" ctld-stop
    assert_success
    run sbatch --wrap true
    assert_failure
    "$DEVCLUSTER" ctld-start
    assert_equal "$(job_state "$job")" RUNNING
    # This time nothing is written down before.
    "$DEVCLUSTER" ctld-kill
    run "$DEVCLUSTER" status
    assert_failure 1
    "$DEVCLUSTER" ctld-start
    run "$DEVCLUSTER" status
    assert_success
    touch go
    wait_until 30 job_is "$job" COMPLETED
    assert_equal "$(cat out)" finished
}

@test "starting twice is refused, and the cluster goes on" {
    run "$DEVCLUSTER" start 1 --port auto
    assert_failure 1
    assert_output --partial 'already up'
    assert_equal "$(sinfo -h -N -p main | wc -l)" 3
}

@test "a second cluster beside it; stop leaves nothing of it, with jobs running" {
    "$DEVCLUSTER" start 2 --dir "$second" --port auto --prefix dev
    run env SLURM_CONF="$second/etc/slurm.conf" \
        sbatch --array=1-4 -o /dev/null --wrap '(setsid sleep 611 &); sleep 612'
    assert_success
    running() { [ "$(SLURM_CONF=$second/etc/slurm.conf squeue -h -t R | wc -l)" = 4 ]; }
    wait_until 20 running
    run "$DEVCLUSTER" stop --dir "$second"
    assert_success
    assert [ ! -e "$second" ]
    run users_of "$second"
    assert_output ''
    run pgrep -r S,R,D -f 'sleep 61[12]'
    assert_failure
    # The first one has not noticed.
    run srun true
    assert_success
}

@test "killed at any moment of its start, it is found again" {
    for after in 0.02 0.1 0.2 0.35 0.6; do
        "$DEVCLUSTER" start 2 --dir "$second" --port auto --prefix half >/dev/null 2>&1 3>&- &
        sleep "$after"
        kill -9 $! 2>/dev/null || true # a quick one has started
        wait $! || true
        run "$DEVCLUSTER" stop --dir "$second"
        assert_success
        assert [ ! -e "$second" ]
        run users_of "$second"
        assert_output ''
    done
    run find /sys/fs/cgroup -maxdepth 2 -name 'slurm_half*'
    assert_output ''
}

@test "a process id that now belongs to somebody else is left alone" {
    "$DEVCLUSTER" start 1 --dir "$second" --port auto --prefix half
    sleep 600 3>&- &
    other=$!
    echo "$other 1" >"$second/pid/slurmd.half1"
    echo "$other" >"$second/pid/munged"
    run "$DEVCLUSTER" stop --dir "$second"
    assert_success
    run users_of "$second"
    assert_output ''
    assert kill -0 "$other"
    kill "$other"
}

@test "a port in use: which one, what to do, and nothing left behind" {
    port=$(sed -n 's/^SlurmctldPort=//p' "$SLURM_CONF")
    run "$DEVCLUSTER" start 1 --dir "$second" --port "$port"
    assert_failure 1
    assert_output --partial "port $port is in use"
    assert_output --partial '--port auto'
    assert [ ! -e "$second" ]
}

@test "a daemon that does not start: its own words, and the log" {
    run "$DEVCLUSTER" start 1 --dir "$second" --port auto --set SelectType=select/nonsense
    assert_failure 1
    assert_output --partial 'slurmctld ended at once'
    assert_output --partial 'nonsense'
    assert_output --partial "log: $second/log/slurmctld.log"
    run users_of "$second"
    assert_output ''
    run "$DEVCLUSTER" stop --dir "$second"
    assert_success
    assert [ ! -e "$second" ]
}

@test "directories that cannot be: blanks, too long, somebody else's" {
    run "$DEVCLUSTER" start 1 --dir "$work/a b"
    assert_failure 1
    assert_output --partial 'no spaces'
    run "$DEVCLUSTER" start 1 --dir "/tmp/$(printf 'x%.0s' {1..80})"
    assert_failure 1
    assert_output --partial 'at most 70'
    mkdir precious && touch precious/file
    run "$DEVCLUSTER" start 1 --dir "$work/precious"
    assert_failure 1
    run "$DEVCLUSTER" stop --dir "$work/precious"
    assert_failure 1
    assert [ -e precious/file ]
}

@test "nothing to stop is no failure; nothing to ask is one" {
    run "$DEVCLUSTER" stop --dir "$second"
    assert_success
    run "$DEVCLUSTER" status --dir "$second"
    assert_failure 3
    run "$DEVCLUSTER" env --dir "$second"
    assert_failure 3
    run "$DEVCLUSTER" node-kill
    assert_failure 2
    run "$DEVCLUSTER" node-kill nobody
    assert_failure 1
    assert_output --partial 'there are: dev1 dev2 dev3'
}

@test "accounting with a database: sacct knows how a job ended" {
    command -v slurmdbd mariadbd >/dev/null || skip "needs slurmdbd and mariadb-server"
    "$DEVCLUSTER" start 1 --dir "$second" --port auto --prefix half --acct dbd
    export SLURM_CONF=$second/etc/slurm.conf
    run sbatch --wait -o /dev/null --wrap 'exit 5'
    assert_failure 5
    recorded() { sacct -n -X -j 1 -o state,exitcode | grep -q 'FAILED *5:0'; }
    run wait_until 30 recorded
    status_of_wait=$status
    run "$DEVCLUSTER" stop --dir "$second"
    assert_success
    assert_equal "$status_of_wait" 0
    run users_of "$second"
    assert_output ''
}

@test "accounting in a file: a line per job" {
    "$DEVCLUSTER" start 1 --dir "$second" --port auto --prefix half --acct filetxt
    run env SLURM_CONF="$second/etc/slurm.conf" sbatch --wait -o /dev/null --wrap 'exit 5'
    assert_failure 5
    run wait_until 20 grep -q 'JobState=FAILED.*ExitCode=5:0' "$second/log/jobcomp.txt"
    "$DEVCLUSTER" stop --dir "$second"
    assert_success
}

#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016,SC2015
# Slurm while everything in it dies, lies, is slow or refuses. After each fault the run is sound.

load ../helpers/cluster
load ../helpers/class
load ../helpers/sound

setup_file() {
    # A busy machine needs more than a second to start a job. Slurm then starts it twice, calls it a
    # duplicate, and drains the node.
    printf '#!/bin/sh\n! [ -e %q ]\n' "$BATS_FILE_TMPDIR/no_start" >"$BATS_FILE_TMPDIR/prolog"
    chmod +x "$BATS_FILE_TMPDIR/prolog"
    cluster_start 2 --prefix st --slurmd-timeout 6 --set PreemptType=preempt/partition_prio \
        --set PreemptMode=CANCEL --set BatchStartTimeout=4 --set MessageTimeout=6 \
        --set "Prolog=$BATS_FILE_TMPDIR/prolog"
}

setup() {
    needs_cluster
    make_class
    own_scratch
    mend
}

teardown() {
    [ "$(id -u)" = 0 ] || return 0
    mend
    cancel_jobs
}

# Everything that a test may have broken works again.
mend() {
    rm -f "$BATS_FILE_TMPDIR/no_start"
    start_munged
    "$DEVCLUSTER" ctld-start >/dev/null
    local n
    for n in st1 st2; do
        "$DEVCLUSTER" node-start $n >/dev/null || true
        scontrol update nodename=$n state=resume 2>/dev/null || true
    done
    wait_until 40 nodes_idle
}

attempts() { find "$1/units" -name 'attempt-*.json' | wc -l; }
failures() { find "$1/units" -name 'infra-*.json' | wc -l; }
begun() { compgen -G "$1/units/*/attempt-*.json"; }
runs_on() { grep -qs "\"$2\"" "$1"/units/*/attempt-*.json; } # RUN NODE

munged_lives() { munge -S "$DEVCLUSTER_DIR/munge/socket" -n; }
start_munged() {
    munged_lives >/dev/null 2>&1 && return
    local d=$DEVCLUSTER_DIR/munge pid born
    rm -f "$d/socket"*
    env -i DEVCLUSTER_DAEMON="$DEVCLUSTER_DIR:munged" PATH="$PATH:/usr/sbin" setsid munged -F \
        --key-file="$d/key" --socket="$d/socket" --pid-file="$d/pid" \
        --log-file="$DEVCLUSTER_DIR/log/munged.log" --seed-file="$d/seed" \
        </dev/null >/dev/null 2>&1 3>&- &
    pid=$!
    disown
    # As devcluster keeps it: so that it ends with the cluster.
    born=$(sed 's/.*) //' /proc/$pid/stat | cut -d' ' -f20)
    echo "$pid $born" >"$DEVCLUSTER_DIR/pid/munged"
    wait_until 10 munged_lives
}
kill_daemon() { # NAME
    local pid
    read -r pid _ <"$DEVCLUSTER_DIR/pid/$1" && kill -9 "$pid" || true
}

# A wrapper that stands before a Slurm command on PATH, for the front end alone.
wrap() { # COMMAND < BODY
    mkdir -p bin
    { printf '#!/bin/bash\nreal=%q\n' "$(command -v "$1")" && cat; } >"bin/$1"
    chmod +x "bin/$1"
}
wrapped() { PATH=$PWD/bin:$PATH "$@"; }
grade() { wrapped "$PARAGRADE" grade -a a.yaml --slurm --run-id r "$@" subs; }
grade_behind() {
    PATH=$PWD/bin:$PATH "$PARAGRADE" grade -a a.yaml --slurm --run-id r subs >out 2>err 3>&- &
    front=$!
}

# Jobs that have just ended may still write their logs, and make their directory again.
forget() {
    wait_until 60 queue_is_empty
    wait_until 60 rm -rf bin reports
}

@test "storm: front end, daemons and proctors die at random moments" {
    schedule storm
    for _ in {1..1}; do
        FAKE_SLEEP=1 grade_behind
        for _ in 1 2; do
            moment 200 1500
            sleep "$MOMENT"
            pick front munged slurmctld slurmd.st1 slurmd.st2 proctor
            case $PICKED in
            front)
                kill -9 $front 2>/dev/null || true
                wait $front || true
                ;;
            proctor) pkill -9 -n -f "fake-proctor --run $PWD/" || true ;;
            *) kill_daemon "$PICKED" ;;
            esac
        done
        mend_all() {
            start_munged
            "$DEVCLUSTER" ctld-start >/dev/null
            "$DEVCLUSTER" node-start st1 >/dev/null
            "$DEVCLUSTER" node-start st2 >/dev/null
        }
        mend_all || true
        wait $front || true
        [ -e reports/r/plan.json ] || continue
        # Where much else runs, a live slurmd may be taken for a dead one as often as there are
        # retries; then that is what the report says, and who resumes gets what is missing.
        for _ in 1 2 3; do
            status=0
            timeout 120 "$PARAGRADE" resume -q --slurm r >>out 2>>err || status=$?
            [ $status = 1 ] || break
        done
        [ $status = 0 ] || fail "status $status: $(cat out err)"
        sound reports/r
        wait_until 60 rm -r reports
    done
}

@test "storm: a request to stop does not wait for a command that hangs" {
    wrap squeue <<<'touch asked; exec sleep 25'
    FAKE_SLEEP=5 grade_behind
    wait_until 30 test -e asked
    SECONDS=0
    kill -TERM $front
    status=0
    wait $front || status=$?
    assert_equal $status 3
    [ $SECONDS -lt 10 ] || fail "it took $SECONDS s"
    run cat err
    assert_output --partial 'go on in Slurm'
    refute_output --partial 'does not answer'
    rm asked
    PATH=$PWD/bin:$PATH "$PARAGRADE" resume --slurm r >out 2>err 3>&- &
    again=$!
    wait_until 30 test -e asked
    SECONDS=0
    kill -TERM $again
    status=0
    wait $again || status=$?
    assert_equal $status 3
    [ $SECONDS -lt 10 ] || fail "resume: it took $SECONDS s"
    run "$PARAGRADE" resume -q --slurm r
    assert_success
    sound reports/r
}

@test "storm: munged is not running: no unit fails because of it" {
    FAKE_SLEEP=2 grade_behind
    wait_until 60 begun reports/r
    kill_daemon munged
    sleep 3
    start_munged
    wait $front || fail "$(cat err)"
    sound reports/r
    # Slurm may take a node that cannot answer for a lost one. Nothing else is run twice.
    [ "$(attempts reports/r)" -le $((11 + $(failures reports/r))) ] ||
        fail "$(attempts reports/r) attempts, $(failures reports/r) failures"
}

@test "storm: squeue shows nothing of what runs: scontrol is believed, nothing runs twice" {
    sed -i 's/, retries: 2/, retries: 0/' a.yaml
    wrap squeue <<<'exit 0'
    FAKE_SLEEP=8 run grade --tier naive
    assert_success
    assert_equal "$(failures reports/r)" 0
    assert_equal "$(attempts reports/r)" 4
    "$PARAGRADE" verify r >/dev/null
}

@test "storm: commands that are missing, broken or print something else" {
    for command in squeue sacct scontrol sinfo scancel; do
        for body in 'exec /nonexistent/squeue' 'echo "|||||%n|x"; head -c 3000 /dev/urandom' \
            'kill -9 $$' 'echo "error: Unable to contact slurm controller" >&2; exit 1'; do
            case $command$body in
            squeue*nonexistent* | scontrol*nonexistent*) continue ;; # no cluster, and said so: below
            scontrol*'|||||'* | *contact*) continue ;;                # waits until it answers
            *'kill -9'*) [ "$command" != squeue ] && [ "$command" != scontrol ] || continue ;;
            esac
            forget
            wrap $command <<<"$body"
            FAKE_SLEEP=0 run grade -q --tier naive
            assert_success
            verdicts reports/r | grep -qx 'wrong naive wrong-answer'
            assert_equal "$(failures reports/r)" 0
        done
    done
}

@test "storm: the disk is full: the error comes with what is left in the queue" {
    mkdir reports
    mount -t tmpfs -o size=4m tmpfs reports 2>/dev/null || skip "this machine does not let root mount"
    FAKE_SLEEP=600 grade_behind # no unit ends by itself
    wait_until 60 begun reports/r
    cat /dev/zero >reports/full 2>/dev/null || true
    pkill -9 -f "fake-proctor --run $PWD/" # those that run; the other elements stay in the queue
    status=0
    wait $front || status=$?
    scancel --user="$(id -u)"
    rm reports/full
    wait_until 60 queue_is_empty
    umount -l reports
    assert_equal $status 1
    run cat err
    assert_output --partial 'No space left on device'
    assert_output --partial 'go on in Slurm'
    assert_output --partial 'free space'
    assert_output --partial 'paragrade resume'
}

@test "storm: squeue is removed during the run" {
    FAKE_SLEEP=1 grade_behind
    wait_until 60 begun reports/r
    wrap squeue <<<'echo "squeue: error: what a day" >&2; exit 1'
    sleep 2
    rm bin/squeue
    wait $front || fail "$(cat err)"
    sound reports/r
    assert_equal "$(attempts reports/r)" 11
}

@test "storm: sbatch refuses: limits are waited for" {
    while IFS= read -r words; do
        forget
        wrap sbatch <<BODY
n=\$(cat '$PWD/bin/n' 2>/dev/null || echo 0)
echo \$((n + 1)) >'$PWD/bin/n'
if [ \$n -lt 3 ]; then
    echo 'sbatch: error: $words' >&2
    exit 1
fi
exec "\$real" "\$@"
BODY
        FAKE_SLEEP=0 run grade --tier naive
        assert_success
        assert_output --partial 'Slurm takes no more jobs at the moment'
        assert_equal "$(attempts reports/r)" 4
    done <<'WORDS'
QOSMaxSubmitJobPerUserLimit
Batch job submission failed: Job violates accounting/QOS policy (job submit limit, the size or time limits)
Slurm temporarily unable to accept job, sleeping and retrying
Batch job submission failed: Resource temporarily unavailable
WORDS
}

@test "storm: sbatch refuses for good: Slurm's words, nothing in the queue, and a way on" {
    while IFS= read -r words; do
        forget
        wrap sbatch <<<"echo ${words@Q} | sed 's/^/sbatch: error: Batch job submission failed: /' >&2; exit 1"
        run grade --tier naive
        assert_failure 2
        assert_output --partial "$words"
        assert_output --partial 'paragrade resume --slurm reports/r'
        assert queue_is_empty
    done <<'WORDS'
Invalid partition name specified
Invalid account or account/partition combination specified
Invalid qos specification
Requested node configuration is not available
User's group not permitted to use this partition
Requested time limit is invalid (missing or exceeds some limit)
Memory required by task is not available
Access/permission denied
WORDS
    rm bin/sbatch
    FAKE_SLEEP=0 run "$PARAGRADE" resume -q --slurm r
    assert_success
}

@test "storm: an operator requeues what runs: it runs again, and counts once" {
    FAKE_SLEEP=3 grade_behind
    wait_until 60 begun reports/r
    job=$(squeue -h -t R -o %A | head -n 1)
    scontrol update jobid="$job" requeue=1
    scontrol requeue "$job"
    # It would be held back for two minutes.
    held() { scontrol --oneliner show job "$job" | grep -q 'JobState=PENDING.*Reason=BeginTime'; }
    wait_until 60 held
    wait_until 60 hurry "$job"
    wait $front || fail "$(cat err)"
    sound reports/r
}

@test "storm: a node is drained: what runs ends, the rest goes elsewhere" {
    FAKE_SLEEP=2 grade_behind
    wait_until 60 runs_on reports/r st1
    scontrol update nodename=st1 state=drain reason=test
    wait $front || fail "$(cat err)"
    sound reports/r
    assert_equal "$(failures reports/r)" 0
}

@test "storm: only a node that failed before is left: it is tried again" {
    scontrol update nodename=st2 state=drain reason=test
    FAKE_INFRA_NODE=st1 FAKE_SLEEP=0 run timeout 60 "$PARAGRADE" grade -a a.yaml --slurm --run-id r subs
    assert_success
    sound reports/r
    assert_equal "$(failures reports/r)" 11
}

@test "storm: a node is set down: its units run elsewhere, and the record says why" {
    FAKE_SLEEP=3 grade_behind
    wait_until 60 runs_on reports/r st1
    scontrol update nodename=st1 state=down reason=test
    wait $front || fail "$(cat err)"
    sound reports/r
    run cat reports/r/units/*/infra-*.json
    assert_output --partial 'NODE_FAIL'
}

@test "storm: jobs are preempted: repeated, and no submission fails" {
    scontrol update partitionname=cpu prioritytier=10
    FAKE_SLEEP=3 grade_behind
    wait_until 60 begun reports/r
    sbatch -p cpu --nodes=2 --exclusive -o /dev/null --wrap 'sleep 2' >/dev/null
    preempted() { compgen -G 'reports/r/units/*/infra-*.json'; }
    wait $front || fail "$(cat err)"
    scontrol update partitionname=cpu prioritytier=1
    sound reports/r
    run cat reports/r/units/*/infra-*.json
    assert_output --regexp 'PREEMPTED|told to stop'
}

@test "storm: nodes cannot start jobs: status says that Slurm holds them, and resume runs the units" {
    touch "$BATS_FILE_TMPDIR/no_start"
    scontrol update nodename=st1,st2 state=drain reason=test
    FAKE_SLEEP=0 "$PARAGRADE" grade -q -a a.yaml --slurm --no-wait --run-id r subs
    # Slurm holds only jobs that it may requeue, or thinks so after other trouble.
    for job in reports/r/slurm/array-*.job; do scontrol update jobid="$(cat "$job")" requeue=1; done
    scontrol update nodename=st1,st2 state=resume
    says_held() { "$PARAGRADE" status r | grep -q '^Slurm holds'; }
    wait_until 60 says_held
    run "$PARAGRADE" status r
    assert_line 'to continue: paragrade resume reports/r'
    [ "$("$PARAGRADE" status --json r | jq .held)" -gt 0 ]
    rm "$BATS_FILE_TMPDIR/no_start"
    scontrol update nodename=st1,st2 state=resume 2>/dev/null || true
    run timeout 120 "$PARAGRADE" resume -q r
    assert_success
    sound reports/r
    run "$PARAGRADE" status r
    refute_output --partial 'Slurm holds'
}

@test "storm: records of arrays are damaged: set aside, and the run goes on" {
    for how in '' '{' '{"name": "x", "elements": 7}'; do
        FAKE_SLEEP=1 "$PARAGRADE" grade -q -a a.yaml --slurm --no-wait --run-id r subs
        wait_until 60 begun reports/r
        echo "$how" >reports/r/slurm/array-1.json
        printf 9 >reports/r/slurm/array-2.job # half a number
        run "$PARAGRADE" resume -q r
        assert_success
        assert_output --partial 'array-1.json: is damaged'
        sound reports/r
        wait_until 60 rm -r reports
    done
}

@test "storm: no cluster behind --slurm: said in words of one's own, and nothing is left" {
    [ ! -e /etc/slurm/slurm.conf ] || skip "this machine is part of a cluster"
    run timeout 10 env SLURM_CONF=/nosuch "$PARAGRADE" grade -a a.yaml --slurm --run-id r subs
    assert_failure 1
    assert_output --partial 'SLURM_CONF names /nosuch'
    assert [ ! -e reports/r ]
    run env -u SLURM_CONF "$PARAGRADE" grade -a a.yaml --slurm --run-id r subs
    assert_failure 1
    assert_output --partial 'knows of no Slurm cluster'
    assert_output --partial 'without --slurm'
    assert [ ! -e reports/r ]
    mkdir empty
    run /usr/bin/env PATH="$PWD/empty" "$PARAGRADE" grade -a a.yaml --slurm --run-id r subs
    assert_failure 1
    assert_output --partial 'sbatch: command not found'
    assert [ ! -e reports/r ]
}

#!/usr/bin/env bats
# shellcheck disable=SC2154
# How jobs ended, told by a real sacct with slurmdbd and a database behind it, after the controller
# has forgotten them. Needs slurmdbd and mariadb-server; without them nothing here is tested.

load ../helpers/cluster
load ../helpers/class

setup_file() {
    if command -v slurmdbd mariadbd >/dev/null; then cluster_start 2 --acct dbd; fi
}

setup() {
    command -v slurmdbd mariadbd >/dev/null || skip "needs slurmdbd and mariadb-server"
    needs_cluster
    make_class 'poll: 500ms, retries: 1'
    # A controller that has forgotten every job, as it does after MinJobAge: sacct alone can tell.
    mkdir bin
    cat >bin/scontrol <<FORGETS
#!/bin/sh
case "\$*" in *"show job"*) echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1 ;; esac
exec $(command -v scontrol) "\$@"
FORGETS
    chmod +x bin/scontrol
    PATH=$PWD/bin:$PATH
}

reasons() { jq -r '.reason' reports/"$1"/units/*/infra-*.json | sort -u; }

@test "accounting: what ended a job that the controller has forgotten is on record, and it is tried again" {
    FAKE_UNTIL=$PWD/again "$PARAGRADE" grade -q -a a.yaml --slurm --tier naive --run-id c subs >out 2>&1 3>&- &
    pid=$!
    wait_until 20 compgen -G 'reports/c/units/*/attempt-*.json'
    scancel --user="$(id -u)" # by root, which may be Slurm itself: nobody's wish
    wait_until 60 compgen -G 'reports/c/units/*/infra-*.json' || true
    touch again
    wait $pid
    run reasons c
    assert_output --partial 'the job was cancelled'
    assert_equal "$(result_verdicts reports/c)" "$(expected_verdicts | grep naive)"
}

@test "accounting: a proctor that was killed: the signal is on record" {
    FAKE_DIE='*alice*' run "$PARAGRADE" grade -q -a a.yaml --slurm --tier naive --run-id k subs
    assert_failure 1
    run reasons k
    assert_output --regexp 'the job failed on n[12] \(FAILED, 0:9, job [0-9]+_[0-9]+\)'
}

@test "accounting: users who cancel a job that runs get no repetition" {
    local dir user=(setpriv --reuid=nobody --regid=nogroup --clear-groups env "HOME=$PWD/own" PARAGRADE_CACHE=)
    dir=$(mktemp -d /tmp/pg-accounting.XXXXXX)
    mkdir -p "$dir/subs/ann" && cd "$dir"
    "${user[@]}" test -r "$PARAGRADE" || skip "another user cannot read $PARAGRADE"
    real_assignment 'budget: 60s, precision: 0.0001, quiet_node: false' 'case: 5s, unit: 200s' 'retries: 2'
    cp "$REPO"/reference/gemm/{naive.c,element.h} subs/ann
    chown -R nobody "$dir"
    "${user[@]}" "$PARAGRADE" grade -q -a real.yaml --slurm --tier naive --run-id u subs >out 2>err 3>&- &
    pid=$!
    wait_until 60 compgen -G 'reports/u/units/ann.naive/attempt-*.json'
    "${user[@]}" scancel --user=nobody
    status=0
    wait $pid || status=$?
    assert_equal $status 1
    run jq -c .cancelled reports/u/units/*/infra-*.json
    assert_output $'true\ntrue'
    cd / && rm -rf "$dir"
}

@test "accounting: resume runs units whose jobs their user cancelled before, at once" {
    local dir user=(setpriv --reuid=nobody --regid=nogroup --clear-groups env "HOME=$PWD/own" PARAGRADE_CACHE=)
    dir=$(mktemp -d /tmp/pg-accounting.XXXXXX)
    cp -r a.yaml ref subs "$dir" && cd "$dir"
    "${user[@]}" test -r "$PARAGRADE" || skip "another user cannot read $PARAGRADE"
    sed -i 's/retries: 1/retries: 0/' a.yaml
    chown -R nobody "$dir"
    "${user[@]}" "$PARAGRADE" grade -q -a a.yaml --slurm --no-wait --partition down --tier naive --run-id w subs
    "${user[@]}" scancel --user=nobody
    run "${user[@]}" "$PARAGRADE" resume --partition main w
    assert_success
    assert_output --partial 'their units are submitted again'
    assert_equal "$(result_verdicts reports/w)" "$(expected_verdicts | grep naive)"
    run jq -r .reason reports/w/units/*/infra-*.json
    assert_output --partial 'the job was cancelled'
    cd / && rm -rf "$dir"
}

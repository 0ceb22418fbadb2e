#!/usr/bin/env bats
# shellcheck disable=SC2154
# How jobs ended, told by a real sacct with slurmdbd and a database behind it, after the controller
# has forgotten them. Needs slurmdbd and mariadb-server; without them nothing here is tested.

bats_require_minimum_version 1.5.0

setup_file() {
    [ "$(id -u)" = 0 ] && command -v slurmdbd mariadbd >/dev/null || return 0 # setup skips
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    # munged wants every directory above its socket to be open to all.
    DEVCLUSTER_DIR=$(mktemp -d /tmp/paragrade-acct.XXXXXX) && chmod 755 "$DEVCLUSTER_DIR"
    export DEVCLUSTER_DIR DEVCLUSTER_PORT=auto
    "$root/sbatch/devcluster" start 2 --acct dbd >&3 || return 1
    export SLURM_CONF=$DEVCLUSTER_DIR/etc/slurm.conf
}

teardown_file() {
    [ -n "${DEVCLUSTER_DIR:-}" ] || return 0
    "$(cd "$BATS_TEST_DIRNAME/../.." && pwd)/sbatch/devcluster" stop
}

setup() {
    [ "$(id -u)" = 0 ] || skip "a test cluster needs root"
    command -v slurmdbd mariadbd >/dev/null || skip "needs slurmdbd and mariadb-server"
    bats_load_library bats-support
    bats_load_library bats-assert
    load ../helpers/class
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
    FAKE_SLEEP=2 "$paragrade" grade -q -a a.yaml --slurm --tier naive --run-id c subs >out 2>&1 3>&- &
    pid=$!
    wait_for 20 compgen -G 'reports/c/units/*/attempt-*.json'
    scancel --user="$(id -u)" # by root, which may be Slurm itself: nobody's wish
    wait $pid
    run reasons c
    assert_output --partial 'the job was cancelled'
    assert_equal "$(verdicts reports/c)" "$(expected_verdicts | grep naive)"
}

@test "accounting: a proctor that was killed: the signal is on record" {
    FAKE_DIE='*alice*' run "$paragrade" grade -q -a a.yaml --slurm --tier naive --run-id k subs
    assert_failure 1
    run reasons k
    assert_output --regexp 'the job failed on n[12] \(FAILED, 0:9, job [0-9]+_[0-9]+\)'
}

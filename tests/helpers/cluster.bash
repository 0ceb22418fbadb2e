# cluster.bash - a Slurm of its own for a Bats file: `load ../helpers/cluster`.
#
#   setup_file() { cluster_start 3 --slurmd-timeout 6; }
#   setup()      { needs_cluster; }
#
# It loads common, and stops the cluster at the end, unless the file has a teardown_file() of its own.
# In the tests SLURM_CONF and DEVCLUSTER_DIR are set, so Slurm's commands and $DEVCLUSTER talk to it.
# shellcheck shell=bash

load "${BASH_SOURCE[0]%/*}/common"

DEVCLUSTER=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)/sbatch/devcluster

# cluster_start N [OPTION...]: options as those of `devcluster start`. Without root, nothing is
# started; with --net, neither where the machine refuses namespaces. The directory is not below Bats's:
# that one is closed to other users.
cluster_start() {
    [ "$(id -u)" = 0 ] || return 0 # needs_cluster skips
    DEVCLUSTER_DIR=$(mktemp -d "${CLUSTERS:-/tmp}/pg-cluster.XXXXXX") || return 1
    export DEVCLUSTER_DIR SLURM_CONF=$DEVCLUSTER_DIR/etc/slurm.conf
    local try status
    # Between finding free ports and taking them somebody else may: try again.
    for try in 1 2 3; do
        status=0
        "$DEVCLUSTER" start "$@" --port auto 2>"$BATS_FILE_TMPDIR/cluster.err" || status=$?
        cat "$BATS_FILE_TMPDIR/cluster.err" >&2
        case $status in
        0)
            admin </dev/null >/dev/null 2>&1 3>&- &
            disown
            return 0
            ;;
        4) # needs_cluster skips
            CLUSTER_REFUSED=$(head -n 1 "$BATS_FILE_TMPDIR/cluster.err")
            export CLUSTER_REFUSED
            return 0
            ;;
        esac
        echo "# start $try of the test cluster failed" >&3
    done
    return 1
}

# As long as the cluster and the Bats file live, put nodes back into service that Slurm has drained, as
# an admin does. Slurm drains a node that needs too long on a busy machine, or ("Duplicate jobid") when a controller
# that lost its memory gives out job numbers again. What a test has drained (reason=test) stays.
admin() {
    local node why
    while sleep 1 && [ -d "$DEVCLUSTER_DIR" ] && kill -0 $$; do
        timeout 10 sinfo --noheader --Node --states=drain --format='%N %E' | sort -u |
            while read -r node why; do
                [ "$why" = test ] || timeout 10 scontrol update "nodename=$node" state=resume
            done
    done
}

# First in setup.
needs_cluster() {
    [ "$(id -u)" = 0 ] || skip "a test cluster needs root"
    [ -z "${CLUSTER_REFUSED:-}" ] || skip "$CLUSTER_REFUSED"
}

# With something gone wrong, what the daemons said is worth more than a tidy directory.
cluster_stop() {
    [ -n "${DEVCLUSTER_DIR:-}" ] || return 0
    "$DEVCLUSTER" stop
}

teardown_file() { cluster_stop; }

# For teardown: no job of a failed test stays.
cancel_jobs() {
    [ "$(id -u)" = 0 ] || return 0
    scancel --user="$(id -u)" || true
}

# job_state JOB: as the controller has it (PENDING, RUNNING, COMPLETED ...)
job_state() {
    scontrol --oneliner show job "$1" 2>/dev/null | sed -n 's/.* JobState=\([A-Z_]*\).*/\1/p' | sort -u
}

# job_is JOB STATE: for wait_until
job_is() { [ "$(job_state "$1")" = "$2" ]; }

# node_state NODE: idle, mixed, down, down* ...
# Asked for one node alone (sinfo -n), the controller may answer with what was before.
node_state() { sinfo -h -N -p main -o '%N %T' | sed -n "s/^$1 //p"; }

# node_is NODE STATE: for wait_until; an asterisk (does not answer) does not count.
node_is() { [[ $(node_state "$1") == "$2" || $(node_state "$1") == "$2*" ]]; }

# The process of a node's slurmd. Not by its name: the children that it forks have that as well, for a moment.
slurmd_of() { cut -d ' ' -f 1 "$DEVCLUSTER_DIR/pid/slurmd.$1"; } # NODE

nodes_idle() { [ "$(sinfo --noheader -N -p main -o %T | sort -u)" = idle ]; }

queue_is_empty() { [ -z "$(squeue -h)" ]; }

# Ask for a job at once that the controller holds back after its node died. The controller must first
# have sent the old job's end: a node that has come back would apply it to the new one.
hurry() { # JOB: for wait_until
    [ "$(sdiag | grep -cE '^Agent (queue size|count): *0$')" = 2 ] && scontrol update jobid="$1" starttime=now
}

# cluster.bash - a Slurm of its own for a Bats file: `load ../helpers/cluster`.
#
#   setup_file()    { load ../helpers/common; load ../helpers/cluster; cluster_start 3 --slurmd-timeout 6; }
#   teardown_file() { load ../helpers/cluster; cluster_stop; }
#   setup()         { load ../helpers/common; load ../helpers/cluster; needs_cluster; }
#
# In the tests SLURM_CONF and DEVCLUSTER_DIR are set, so Slurm's commands and $DEVCLUSTER talk to it.
# shellcheck shell=bash

DEVCLUSTER=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)/sbatch/devcluster

# cluster_start N [OPTION...]: options as those of `devcluster start`. Without root, nothing is
# started. The directory is not below Bats's: that one is closed to other users.
cluster_start() {
    [ "$(id -u)" = 0 ] || return 0 # needs_cluster skips
    DEVCLUSTER_DIR=$(mktemp -d "${CLUSTERS:-/tmp}/pg-cluster.XXXXXX") || return 1
    export DEVCLUSTER_DIR SLURM_CONF=$DEVCLUSTER_DIR/etc/slurm.conf
    local try
    # Between finding free ports and taking them somebody else may: try again.
    for try in 1 2 3; do
        "$DEVCLUSTER" start "$@" --port auto && return 0
        echo "# start $try of the test cluster failed" >&3
    done
    return 1
}

# First in setup.
needs_cluster() { [ "$(id -u)" = 0 ] || skip "a test cluster needs root"; }

# With something gone wrong, what the daemons said is worth more than a tidy directory.
cluster_stop() {
    [ -n "${DEVCLUSTER_DIR:-}" ] || return 0
    "$DEVCLUSTER" stop
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

nodes_idle() { [ "$(sinfo --noheader -N -p main -o %T | sort -u)" = idle ]; }

queue_is_empty() { [ -z "$(squeue -h)" ]; }

# resume_drained PID: as long as the process lives, put drained nodes back into service, as an admin
# does. After a crash the controller gives out job numbers again that a slurmd remembers, and drains
# that node ("Duplicate jobid").
resume_drained() {
    local node
    while kill -0 "$1" 2>/dev/null; do
        for node in $(sinfo --noheader --Node --states=drain --format=%N 2>/dev/null | sort -u); do
            scontrol update "nodename=$node" state=resume || true
        done
        sleep 0.5
    done
}

# common.bash - for every Bats file: `load ../helpers/common`.

bats_require_minimum_version 1.5.0

# Assertions are loaded when the first one is used: loading them takes as long as many a test.
load_assertions() {
    bats_load_library bats-support
    bats_load_library bats-assert
}
for name in fail assert refute assert_equal assert_success assert_failure assert_output \
    refute_output assert_line refute_line assert_regex; do
    eval "$name() { load_assertions; $name \"\$@\"; }"
done
unset name

REPO=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)
export PARAGRADE=$REPO/${PARAGRADE_BUILD:-build}/bin/paragrade
export PARAGRADE_SITE='' XDG_CONFIG_HOME=/nonexistent # no settings of this machine and user
export PARAGRADE_ASSIGNMENT=$REPO/tests/fixtures/small.yaml

# wait_until SECONDS COMMAND...: poll; fails when the command has not succeeded by then.
wait_until() {
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        if [ "$SECONDS" -ge "$end" ]; then
            echo "timed out waiting for: $*"
            return 1
        fi
        sleep 0.1
    done
}

# command_names: every subcommand of paragrade.
command_names() { sed -nE 's/^COMMAND\((.*)\)/\1/p' "$REPO/grader/cmd/commands.def"; }

# verdicts RUN_DIRECTORY: "submission tier verdict", sorted.
verdicts() {
    tail -n +2 "$1/units.csv" | cut -d, -f1-3 | tr , ' ' | sort
}

# has_verdict RUN_DIRECTORY SUBMISSION TIER VERDICT [FILE...]: what was printed is shown where it has not.
has_verdict() {
    grep -qx "$2 $3 $4" <(verdicts "$1") || {
        verdicts "$1"
        [ $# = 4 ] || cat "${@:5}"
        fail "$2 $3 is not $4"
    }
}

# The grader's messages, as a header beside a submission that forges them.
copy_protocol() { # DIRECTORY
    cp "$REPO/grader/abi/mask.h" "$1/"
    cp "$REPO/grader/abi/mpi_names.def" "$1/mpi_names.h" # of the headers that students hand in
    sed 's|"abi/mask.h"|"mask.h"|; s|"abi/mpi_names.def"|"mpi_names.h"|' "$REPO/grader/abi/protocol.h" >"$1/protocol.h"
}

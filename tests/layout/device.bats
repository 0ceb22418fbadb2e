#!/usr/bin/env bats
# Where a driver computes is found out once, by driver_start(), and stands in its `computes`; for a
# result, unit_result_computes() says it. Other code does not compare names of devices. Before a
# driver starts, its kind tells whether it has a device.

load ../helpers/common

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || exit 1
}

# Files that may ask for KIND_DEVICE, each with its reason.
reason() { # FILE
    case $1 in
    grader/model/assignment.c) echo "decides on tiers of an assignment" ;;
    grader/model/assignment_fields.c) echo "reads the launches of a tier" ;;
    grader/model/assignment_read_check.c) echo "adds up memory before anything starts" ;;
    grader/model/spread.c) echo "decides on tiers of an assignment" ;;
    grader/model/assignment_read.c) echo "lists the kinds of yardsticks on the host" ;;
    grader/build/source_rules.c) echo "judges a source before it is built" ;;
    grader/cmd/replay_export_file.c) echo "decides on what can be exported, where nothing runs" ;;
    grader/plan/stub.c) echo "writes the parameters that a kind of launch has" ;;
    grader/plan/rehearsal.c) echo "chooses tiers of an assignment" ;;
    grader/supervise/driver_start.c) echo "finds out where a driver computes" ;;
    grader/supervise/driver_spawn.c) echo "makes the sandbox before the driver runs" ;;
    grader/measure/harness.c) echo "decides whether the yardstick must start" ;;
    grader/measure/run_overhead.c) echo "starts a driver before the unit's first one" ;;
    grader/proctor/cache.c) echo "decides on a library before it is built" ;;
    grader/proctor/shared_gpus.c) echo "chooses launches before they start" ;;
    grader/proctor/second_choice.c) echo "decides on a second build before it is made" ;;
    grader/proctor/unit_attest.c) echo "judges what was built, not what ran" ;;
    grader/proctor/unit_cause.c) echo "decides whether to start drivers" ;;
    grader/proctor/unit_second.c) echo "chooses the second build" ;;
    grader/proctor/unit_timing.c) echo "starts a driver only to find out whether it fell back" ;;
    esac
}

asking() { grep -rlE '\bKIND_DEVICE\b' "$@" --include='*.c' | sort; }

# Lines in which the name of a device decides where something computes.
comparing() { # TREE...
    grep -rnE 'str(n?casen?|n?)cmp\([^;]*\b(device|PG_HOST_FALLBACK|DEVICE_FELL_BACK|"host")' "$@" --include='*.c' |
        grep -vE '/(driver/[^/]*|supervise/driver_start\.c|model/result\.c):'
}

# How many lines ask where a driver or a result computes.
decisions() { grep -rE 'computes [!=]= (ON_CORES|ON_DEVICE|FELL_BACK)|unit_result_computes\(.*[!=]= ' "$@" --include='*.c' | wc -l; }

@test "device: no name of a device is compared elsewhere" {
    run comparing grader
    assert_output ""
}

@test "device: only driver_start() finds out where a driver computes" {
    run bash -c "grep -rlE '(->|\.)computes = ' grader --include='*.c'"
    assert_output grader/supervise/driver_start.c
}

@test "device: code without a reason does not ask for the kind's device" {
    local file
    while IFS= read -r file; do
        [ -n "$(reason "$file")" ] || { echo "$file asks for KIND_DEVICE: ask a started driver where it computes"; false; }
    done < <(asking grader)
}

@test "device: every reason is still needed" {
    local file
    while IFS= read -r file; do
        asking grader | grep -qx "$file" || { echo "$file does not ask for KIND_DEVICE: remove its reason"; false; }
    done < <(sed -nE 's/^    (grader[^)]*)\) echo.*/\1/p' "$BATS_TEST_FILENAME")
}

@test "device: few lines ask where something computes" {
    run decisions grader
    [ "$output" -le 35 ] || { echo "$output lines: can one of them tell the others?"; false; }
}

@test "device: the check finds what it looks for" {
    local tree=$BATS_TEST_TMPDIR/grader before
    cp -r grader "$tree"
    before=$(decisions "$tree")
    {
        echo 'static bool f(const struct driver_process *d) { return strcmp(d->device, "host") == 0; }'
        echo 'static bool g(const struct driver_process *d) { return d->computes != FELL_BACK; }'
        echo 'static bool h(enum launch_kind k) { return launch_kind_has(k, KIND_DEVICE); }'
    } >>"$tree/report/score.c"
    [ "$(decisions "$tree")" -eq $((before + 1)) ]
    run asking "$tree"
    assert_output --partial report/score.c
    run comparing "$tree"
    assert_output --partial report/score.c
}

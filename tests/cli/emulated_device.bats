#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# What the grader does for kernels on a device, with a device that is emulated in the driver's own
# memory (fixtures/emulated/launch.c): no GPU is needed.

load ../helpers/common

setup_file() {
    load ../helpers/common
    load ../helpers/emulated
    local name
    cd "$BATS_FILE_TMPDIR" || exit 1
    mkdir emulated reference subs
    cp -r "${PARAGRADE%/bin/*}"/{bin,libexec,include} emulated/
    emulated_driver emulated/libexec/paragrade/driver-cuda "-DEMULATED_BROKEN=\"$PWD/emulated/libexec/broken\""
    cp "$REPO"/reference/gemm/{naive,simd}.c "$REPO"/reference/gemm/*.h reference/
    cp "$REPO/tests/fixtures/emulated/right.c" reference/device.c
    cp "$REPO/tests/fixtures/emulated/kernel.h" reference/
    cp "$REPO/tests/fixtures/emulated/a.yaml" .
    for name in right peek wakes early unjoined; do
        mkdir "subs/$name"
        cp "$REPO/tests/fixtures/emulated/$name.c" "subs/$name/device.c"
        cp "$REPO"/tests/fixtures/emulated/*.h "subs/$name/"
        copy_protocol "subs/$name"
    done
    emulated/bin/paragrade grade -q -a a.yaml --run-id r -t device -t mapped subs >out.txt 2>err.txt || true
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

verdict_of() { awk -F, -v s="$1" -v t="$2" '$1 == s && $2 == t { print $3 }' reports/r/units.csv; }

@test "emulated device: right kernels pass, in both kinds of memory, and are timed with and without copies" {
    cat out.txt err.txt
    for tier in device mapped; do
        [ "$(verdict_of reference $tier)" = pass ]
        [ "$(verdict_of right $tier)" = pass ]
    done
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { n++; if (!($at["seconds"] > 0 && $at["end_to_end_seconds"] > 0)) exit 1 }
        END { if (n < 4) exit 1 }' reports/r/speedup.csv
}

@test "emulated device: work in a stream that is not joined is found, and said how to join" {
    [ "$(verdict_of unjoined device)" = clock-mismatch ]
    run grep '^unjoined,device' reports/r/units.csv
    assert_output --partial 'C was not finished when the work in the given stream was done'
}

@test "emulated device: inputs cannot be seen before the clock runs" {
    grep -A5 'What failed' out.txt || true
    [ "$(verdict_of peek device)" = pass ]
    [ "$(verdict_of peek mapped)" = pass ]
}

seconds_of() { # SUBMISSION TIER
    awk -F, -v s="$1" -v t="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $1 == s && $2 == t { print $at["seconds"] }' reports/r/speedup.csv
}

@test "emulated device: what is computed after COMPUTED is part of the time, in both kinds of memory" {
    for tier in device mapped; do
        early=$(seconds_of early $tier) right=$(seconds_of right $tier)
        echo "$tier: early $early s, right $right s"
        [ "$(verdict_of early $tier)" = pass ]
        # The attack would claim a thirtieth; a busy node may double the other's time.
        awk -v a="$early" -v b="$right" 'BEGIN { exit !(a > b * 0.25) }'
    done
}

@test "emulated device: nothing can be told to wake the halted driver" {
    grep -A9 'What failed' out.txt || true
    [ "$(verdict_of wakes device)" = pass ]
}

@test "emulated device: the roofline has the ceilings of the device" {
    jq -e '.ceilings == [{workers: 1, gops: 1000, type_gops: {i32: 1000, f32: 2000, f64: 500},
        tensor_gops: null, gbs: 100, triad_gbs: null}]' reports/r/nodes/*.device.json
    # peak_gops, bandwidth_gbs
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { n++; if ($at["peak_gops"] != 1000 || $at["bandwidth_gbs"] != 100) exit 1 }
        END { if (n < 4) exit 1 }' reports/r/roofline.csv
}

@test "emulated device: the run can be verified" {
    run emulated/bin/paragrade verify reports/r
    assert_success
}

@test "emulated device: a sweep runs there" {
    run emulated/bin/paragrade sweep -q -a a.yaml --run-id s subs/right
    assert_success
    assert_equal "$(grep -c '^right,\|unroll' reports/s/sweep.csv)" 2
}

# fails SUBMISSION STATEMENT: a right kernel for the tier `hosted`, with a statement at its start.
fails() {
    mkdir -p "others/$1"
    cp "$REPO"/tests/fixtures/emulated/*.h "others/$1/"
    copy_protocol "others/$1"
    sed -e 's/^#include.*/&\n#include <unistd.h>\nextern const char *volatile emulated_failure;/' \
        -e "s|(void)stream;|&\n    $2|" "$REPO/tests/fixtures/emulated/right.c" >"others/$1/device.c"
}

computes() { pgrep -f "$BATS_FILE_TMPDIR/emulated/libexec/paragrade/driver-cuda"; }

@test "emulated device: a device that fails is not the student's fault, wherever the yardstick runs" {
    fails honest "while (access(\"$PWD/emulated/libexec/broken\", F_OK) != 0) usleep(1000);"
    emulated/bin/paragrade check -a a.yaml -t hosted --reports broken others/honest >broken.txt 2>&1 3>&- &
    wait_until 60 computes
    touch emulated/libexec/broken
    wait $! || true
    rm emulated/libexec/broken
    cat broken.txt
    run -0 cat broken/*/units/honest.hosted/infra-*.json
    assert_output --partial "the GPU does not work for the grader either (cudaErrorNoDevice)"
    refute_output --partial unexplained
}

@test "emulated device: an error that only the student's process reports is believed once" {
    fails liar 'emulated_failure = "cudaErrorNoDevice";'
    run emulated/bin/paragrade grade -q -a a.yaml --run-id lies -t hosted others/liar
    run -0 cat reports/lies/units/liar.hosted/infra-*.json
    assert_output --regexp 'cudaErrorNoDevice \(as emulated\) while computing'
    assert_output --partial unexplained
    run -0 jq -r .verdict,.message reports/lies/units/liar.hosted/result.json
    assert_output --regexp '^crash.case 0 .*cudaErrorNoDevice .* in this attempt and in the attempt before'
}

@test "emulated device: no driver is left" {
    run pgrep -f "$BATS_FILE_TMPDIR/emulated"
    assert_failure
}

# Grade what compute-sanitizer judges, which is a fake here.
under_tool() { # RULE SUBMISSION...
    local rule=$1
    shift
    rm -rf "reports/$rule"
    mkdir -p tools tool
    cp "$REPO"/tests/fixtures/emulated/{compute-sanitizer,nvcc} tools/
    sed "s/^sanitized: off.*/sanitized: $rule/; s/budget: 50ms, precision: 0.2/budget: 1ms, precision: 0.5/; /kind: cuda/,/yardstick/s/compile: gcc/compile: nvcc/" a.yaml >under.yaml
    for name in found only right; do
        mkdir -p "tool/$name"
        cp "$REPO"/tests/fixtures/emulated/*.h "tool/$name/"
    done
    cp "$REPO/tests/fixtures/emulated/under_tool.c" tool/found/device.c
    (echo '#define ONLY' && cat "$REPO/tests/fixtures/emulated/under_tool.c") | sed 's|/\*.*check \*/||' >tool/only/device.c
    cp "$REPO/tests/fixtures/emulated/right.c" tool/right/device.c
    PATH=$PWD/tools:$PATH emulated/bin/paragrade grade -q -a under.yaml --run-id "$rule" -t device "${@/#/tool/}" >under.txt 2>&1 || true
}

said() { jq -r "$3" "reports/$1/units/$2.device/result.json"; } # RUN SUBMISSION MEMBER

@test "emulated device: what compute-sanitizer finds is a remark, with its line, and once" {
    under_tool remark found only right
    cat under.txt
    run -0 said remark found .verdict,.remarks
    assert_output 'pass
device.c:14: reads outside of the memory that was allocated on the GPU (found by compute-sanitizer)
device.c:23: threads of a block write __shared__ memory that others read at device.c:24, without __syncthreads() between (found by compute-sanitizer)
device.c:24: a barrier that not all threads of a block reach (found by compute-sanitizer)
device.c:25: reads memory of the GPU that was never set (found by compute-sanitizer)'
    run -0 said remark found .sanitized
    assert_output --regexp '^with lines: other streams late [1-9].*; given stream late [1-9].*; memcheck 1 of [0-9]+ cases, 1x1; ended: .*cudaErrorLaunchFailure.*; racecheck [1-9].*; synccheck .*; initcheck [^;]*$'
    run -0 said remark right '.verdict + .remarks'
    assert_output pass
    run -0 said remark only .verdict,.remarks
    assert_output --regexp $'^pass\na run under compute-sanitizer gives wrong results: a race, or memory that was never set. case '
}

@test "emulated device: a wrong result below compute-sanitizer is a verdict if the assignment says so" {
    under_tool verdict found only
    run -0 said verdict only .verdict,.message
    assert_output --regexp $'^wrong-answer\n.*a run under compute-sanitizer gives wrong results: a race'
    run -0 said verdict found .verdict
    assert_output pass
}

@test "emulated device: a compute-sanitizer that does not work changes nothing" {
    mkdir -p tools
    touch tools/broken
    under_tool remark only
    rm tools/broken
    run -0 said remark only '.verdict + .remarks + " " + .sanitized'
    assert_output --regexp '^pass with lines: other streams late [1-9].*; memcheck did not start: .*: compute-sanitizer: does not work here$'
}

@test "emulated device: the profile has the allocations, each with its shortest and longest call" {
    run grep '^right,device,' reports/r/profile.csv
    assert_output --regexp '^right,device,[0-9]+,api,allocate,3,6e-06,2e-06,2e-06,1e-06,3e-06,1e-06,1,'
    run -0 "$PARAGRADE" verify r
}

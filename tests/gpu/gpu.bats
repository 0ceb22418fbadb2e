#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016,SC2012,SC2010
# What needs a GPU: the drivers for CUDA and OpenACC, the references, and kernels that are wrong each
# in one way. `make check-gpu` runs it on a machine with nvcc, gcc, make and Open MPI.

load ../helpers/common
load ../helpers/class

# Honest programs, graded with the fence and the compile command of the shipped assignment.
make_honest() {
    local k name command
    command=$(sed -nE 's/^    compile: (nvcc .*)/\1/p' "$REPO/testcases/gemm-i32.yaml")
    sed "/^sanitized: off/d; s|^allow: '\*'.*|allow: standard|; s|^    compile: nvcc .*|    compile: $command|" \
        a.yaml >honest.yaml
    for k in "$REPO"/tests/gpu/honest/*.cu; do
        name=$(basename "$k" .cu)
        mkdir -p "honest/$name"
        cp "$k" "honest/$name/cuda.cu"
        cp "$REPO/tests/gpu/kernels/kernel.h" "honest/$name/"
    done
}

setup_file() {
    [ -e /dev/nvidiactl ] || return 0 # every test skips
    export SHARED=$BATS_FILE_TMPDIR
    mkdir "$SHARED/subs" "$SHARED/alone"
    cp "$REPO/tests/gpu/gpu.yaml" "$SHARED/a.yaml"
    sed -i "s|REFERENCE|$REPO/reference/gemm|" "$SHARED/a.yaml"
    echo 'sanitized: off' >>"$SHARED/a.yaml" # wrong kernels have sanitizer.bats
    for k in "$REPO"/tests/gpu/kernels/*.cu; do
        name=$(basename "$k" .cu)
        where=subs/$name
        [ "$name" != out_of_memory ] || where=alone/$name # it takes what its neighbours need
        mkdir "$SHARED/$where"
        cp "$k" "$SHARED/$where/cuda.cu"
        cp "$REPO/tests/gpu/kernels/kernel.h" "$SHARED/$where/"
        copy_protocol "$SHARED/$where"
    done
    cd "$SHARED" || return 1
    "$PARAGRADE" grade -q -j 6 -a a.yaml --run-id wrong subs >wrong.txt 2>wrong.err || true
    "$PARAGRADE" grade -q -a a.yaml --run-id alone -t cuda alone >alone.txt 2>alone.err || true
    make_honest
    "$PARAGRADE" grade -q -j 6 -a honest.yaml --run-id honest -t cuda honest >honest.txt \
        2>honest.err || true
    # The host's tiers have their tests elsewhere.
    mapfile -t tiers < <(awk '$1 == "-" && $2 == "name:" { name = $3 }
        $1 == "kind:" && $2 ~ /^(cuda|openacc)$/ { print "-t" name }' "$REPO/testcases/gpu/ladder.yaml")
    "$PARAGRADE" grade -q -a "$REPO/testcases/gpu/ladder.yaml" -p quick --run-id ladder -t naive \
        "${tiers[@]}" --reference >ladder.txt 2>ladder.err || true
    cat reports/{wrong,alone}/units.csv >units.csv
}

teardown() {
    [ -z "${taker:-}" ] || kill "$taker" 2>/dev/null || true
    [ -z "${grading:-}" ] || kill "$grading" 2>/dev/null || true
}

setup() {
    [ -e /dev/nvidiactl ] || skip "no GPU here"
    cd "$SHARED" || return 1
}

field() { # TABLE COLUMN AWK-CONDITION
    awk -F, -v want="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 && ('"$3"') {
        print $at[want] }' "$1" | tr -d '\r'
}

@test "gpu: every wrong kernel gets its verdict" {
    bad=
    for k in "$REPO"/tests/gpu/kernels/*.cu; do
        name=$(basename "$k" .cu)
        want=$(sed -nE '1s|^/\* expect: ([a-z -]*).*|\1|p' "$k")
        got=$(awk -F, -v n="$name" '$1 == n && $2 == "cuda" { print $3 }' units.csv)
        case " $want " in
        *" $got "*) ;;
        *) bad+="$name: wanted $want, got $got: $(grep "^$name,cuda" units.csv)"$'\n' ;;
        esac
    done
    [ -z "$bad" ] || { echo "$bad"; cat wrong.err alone.err; false; }
}

@test "gpu: the second of two GPUs can be asked for, and is the only one" {
    [ -e /dev/nvidia1 ] || skip "only one GPU here"
    mkdir -p second/other_gpus
    cp "$REPO/tests/gpu/kernels/kernel.h" second/other_gpus/
    cp "$REPO/tests/gpu/kernels/other_gpus.cu" second/other_gpus/cuda.cu
    CUDA_VISIBLE_DEVICES=1 run "$PARAGRADE" grade -q -a a.yaml --run-id second -t cuda second
    assert_success
    [ "$(field reports/second/units.csv verdict '$1 == "other_gpus"')" = pass ]
}

@test "gpu: honest but unusual kernels pass" {
    bad=
    for k in "$REPO"/tests/gpu/honest/*.cu; do
        name=$(basename "$k" .cu)
        got=$(field reports/honest/units.csv verdict "\$1 == \"$name\" && \$2 == \"cuda\"")
        [ "$got" = pass ] || bad+="$name: $(grep "^$name,cuda" reports/honest/units.csv)"$'\n'
    done
    [ -z "$bad" ] || { echo "$bad"; cat honest.err; false; }
}

@test "gpu: compute-sanitizer finds nothing in honest but unusual kernels" {
    # shellcheck disable=SC2016
    run -0 jq -r 'select(.remarks | contains("compute-sanitizer")) | input_filename + ": " + .remarks' reports/honest/units/*.cuda/result.json
    refute_output --partial compute-sanitizer
    jq -r .sanitized reports/honest/units/*.cuda/result.json | sort | uniq -c # for the log of a failure
}

@test "gpu: CUDA's own names for errors reach the student" {
    run cat units.csv
    assert_output --regexp 'too_many_threads,cuda,launch-error.*cudaErrorInvalid(Configuration|Value)'
    assert_output --regexp 'illegal_address,cuda,crash.*cudaErrorIllegalAddress'
    assert_output --regexp 'out_of_memory,cuda,out-of-memory.*cudaErrorMemoryAllocation'
}

@test "gpu: a kernel that was never launched is never right" {
    run cat units.csv
    assert_output --regexp 'never_launched,cuda,wrong-answer.*never written'
    assert_output --regexp 'swallowed_error,cuda,wrong-answer.*never written'
}

@test "gpu: every reference of the ladder passes" {
    run grep -vE '^submission|^reference,[a-z0-9-]+,pass' reports/ladder/units.csv
    [ -z "$output" ] || { echo "$output"; cat ladder.err; false; }
}

@test "gpu: compute and end-to-end times; the second is longer, but for mapped memory" {
    [ "$(field reports/ladder/speedup.csv seconds '$2 == "shared"' | wc -l)" = 2 ]
    paste -d' ' <(field reports/ladder/speedup.csv seconds '$2 == "shared"') \
        <(field reports/ladder/speedup.csv end_to_end_seconds '$2 == "shared"') |
        awk '!($2 > $1) { exit 1 }'
}

@test "gpu: the time that counts agrees with the device's events" {
    # Seconds of a run: the overhead is known to 0.2 ms.
    apart=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $2 == "global" { print ($at["seconds"] - $at["device_seconds"]) * $at["reps"] }' \
        reports/ladder/samples.csv | sort -g | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }')
    echo "$apart s"
    awk -v a="$apart" 'BEGIN { exit !(a > -2e-4 && a < 2e-4) }'
}

@test "gpu: coalesced is faster than uncoalesced, padding than bank conflicts" {
    t() { field reports/ladder/speedup.csv seconds "\$2 == \"$1\" && \$at[\"size\"] == 512"; }
    awk -v a="$(t global)" -v b="$(t uncoalesced)" 'BEGIN { exit !(a < b) }'
    awk -v a="$(t padded)" -v b="$(t bankconflict)" 'BEGIN { exit !(a < b) }'
}

@test "gpu: the node's record names the GPU and what it can do" {
    run cat reports/ladder/nodes/*.cuda.json
    assert_output --partial "$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)"
    jq -e '.device and .peak_gops > 1000 and .bandwidth_gbs > 50' reports/ladder/nodes/*.cuda.json
    jq -e '.ceilings[0] | .workers == 1 and .type_gops.f64 > 10 and .type_gops.f32 > .type_gops.f64
        and .gops == .type_gops.i32 and (.tensor_gops == null or .tensor_gops > .type_gops.f64 / 2)' \
        reports/ladder/nodes/*.cuda.json
}

@test "gpu: the profile has kernels, copies and calls" {
    [ -n "$(ldconfig -p | grep libcupti || find -L /usr/local/cuda -name 'libcupti.so*' | head -n 1)" ] ||
        skip "no CUPTI here"
    run cat reports/ladder/profile.csv
    assert_output --regexp 'reference,register,512,kernel,.*'
    assert_output --regexp 'reference,shared,512,api,cudaLaunchKernel,'
    assert_output --regexp 'reference,shared,512,copy,copy host to device,2,'
    # The allocations of the three matrices; no call of the driver interface that the runtime makes.
    assert_output --regexp 'reference,shared,512,api,cudaMalloc,3,'
    refute_output --regexp 'reference,shared,512,api,cuMemAlloc,'
    awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) { sub(/\r/, "", $i); at[$i] = i }; next }
        $5 ~ /"/ { next } # a name with commas
        $at["call_min_seconds"] > $at["call_median_seconds"] || $at["call_median_seconds"] > $at["call_max_seconds"] ||
            ($at["calls"] == 1) != ($at["call_stddev_seconds"] == "") { print; bad = 1 }
        END { exit bad }' reports/ladder/profile.csv
}

@test "gpu: OpenACC has a profile of its own" {
    device=$(field reports/ladder/units.csv device '$2 == "openacc"')
    [ "$device" != host ] || skip "this gcc has no offloading compiler"
    run grep '^reference,openacc,' reports/ladder/profile.csv
    assert_output --regexp ',kernel,[^,]+,1,'
    assert_output --regexp ',copy,acc_update_device,2,'
    assert_output --regexp ',copy,acc_update_self,1,'
    assert_output --regexp ',api,allocate,[1-9]'
}

@test "gpu: OpenACC on the host counts for correctness, never for speed" {
    run env ACC_DEVICE_TYPE=host "$PARAGRADE" check -q -a "$REPO/testcases/gpu/ladder.yaml" \
        --tier openacc "$REPO/reference/gemm"
    assert_success
    assert_output --partial 'computed on the host'
    refute_output --partial 'GOP/s'
}

@test "gpu: OpenACC on the device is timed, where the compiler offloads" {
    device=$(field reports/ladder/units.csv device '$2 == "openacc"')
    [ "$device" != host ] || skip "this gcc has no offloading compiler"
    [ "$(field reports/ladder/speedup.csv seconds '$2 == "openacc"' | wc -l)" = 2 ]
}

two_drivers() { [ "$(pgrep -fc paragrade/driver-cuda)" -ge 2 ]; }

@test "gpu: device memory that another process has taken is not the student's fault" {
    mkdir -p room/slow
    cp "$REPO/tests/gpu/kernels/kernel.h" room/slow/
    cat >room/slow/cuda.cu <<'SLOW'
#include "kernel.h"

static __global__ void wait()
{
    for (long long from = clock64(); clock64() - from < 300000000;)
        ;
}

KERNEL(stream)
{
    dim3 block(32, 8);
    wait<<<1, 1, 0, stream>>>();
    plain<<<grid(M, N, block), block, 0, stream>>>(M, N, K, A, B, C);
}
SLOW
    sed 's/sizes: \[1024\]/sizes: [4096]/; s/^tiers:/submit: {retries: 0}\n&/' a.yaml >room.yaml
    nvcc -o take_memory "$REPO/tests/gpu/take_memory.cu"
    "$PARAGRADE" grade -q -a room.yaml --run-id room -t cuda room >room.txt 2>room.err 3>&- &
    grading=$!
    wait_until 100 two_drivers
    ./take_memory >taken 3>&- &
    taker=$!
    wait_until 30 grep taken taken
    wait $grading || true
    kill $taker
    wait $taker || true
    run cat reports/room/units.csv
    assert_output --regexp "slow,cuda,infra-error.*no room for the matrices, although .*cudaErrorMemoryAllocation"
}

@test "gpu: nothing is left behind" {
    run pgrep -f driver-cuda
    assert_failure
    run nvidia-smi --query-compute-apps=pid --format=csv,noheader
    [ -z "$output" ]
}

#!/usr/bin/env bats
# What is wrong beside right results is found: by compute-sanitizer, which names the line, and between
# streams.

load ../helpers/common

KERNELS=$REPO/tests/gpu/sanitizer

has_tool() {
    command -v compute-sanitizer >/dev/null ||
        { command -v nvcc >/dev/null && [ -x "$(dirname "$(realpath "$(command -v nvcc)")")/compute-sanitizer" ]; }
}

setup_file() {
    load ../helpers/common
    { [ -e /dev/nvidiactl ] && has_tool; } || return 0 # every test skips
    cd "$BATS_FILE_TMPDIR" || exit 1
    local k name
    for k in "$KERNELS"/*.cu; do
        name=$(basename "$k" .cu)
        mkdir -p "subs/$name"
        cp "$k" "subs/$name/cuda.cu"
        cp "$REPO/tests/gpu/kernels/kernel.h" "subs/$name/"
    done
    mkdir subs/zeroed_elsewhere
    sed '/cudaEvent\|WaitEvent/d' "$KERNELS/joined_streams.cu" >subs/zeroed_elsewhere/cuda.cu
    sed "s|REFERENCE|$REPO/reference/gemm|" "$REPO/tests/gpu/gpu.yaml" >a.yaml
    "$PARAGRADE" grade -q -a a.yaml --run-id r -t cuda subs >out.txt 2>&1 || true
}

setup() {
    [ -e /dev/nvidiactl ] || skip "no GPU here"
    has_tool || skip "no compute-sanitizer here"
    cd "$BATS_FILE_TMPDIR" || exit 1
}

said() { jq -r ".$2" "reports/r/units/$1.cuda/result.json"; } # SUBMISSION MEMBER

finds() { # SUBMISSION WORDS
    local line
    line=$(sed -n '\|/\* found \*/|=' "$KERNELS/$1.cu")
    cat out.txt
    said "$1" sanitized
    assert_equal "$(said "$1" verdict)" pass
    run -0 said "$1" remarks
    assert_line --partial "cuda.cu:$line: $2"
    assert_equal "${#lines[@]}" 1
}

@test "sanitizer: a write behind a buffer of cudaMalloc" {
    finds past_buffer "writes outside of the memory that was allocated on the GPU"
}

@test "sanitizer: a lost barrier" {
    finds lost_barrier "threads of a block write __shared__ memory that others read at cuda.cu:10, without __syncthreads() between"
}

@test "sanitizer: a barrier in a branch" {
    finds branch_barrier "a barrier that not all threads of a block reach"
}

@test "sanitizer: memory that was never set" {
    finds never_set "reads memory of the GPU that was never set"
}

between_streams() { # SUBMISSION WORDS
    cat out.txt
    said "$1" sanitized
    assert_equal "$(said "$1" verdict)" pass
    run -0 said "$1" remarks
    assert_output --partial "a run in which the work of $2"
    assert_equal "$(said "$1" remarks | wc -l)" 1
}

@test "sanitizer: a kernel that does not wait for another stream" {
    between_streams zeroed_elsewhere "other streams begins late gives wrong results: the call does not wait for its work in another stream"
}

@test "sanitizer: another stream that does not wait for the given one" {
    between_streams copied_too_early "the given stream begins late gives wrong results: another stream does not wait"
}

@test "sanitizer: streams that wait for each other have no remark" {
    cat out.txt
    said joined_streams sanitized
    assert_equal "$(said joined_streams verdict)" pass
    assert_equal "$(said joined_streams remarks)" ""
}

@test "sanitizer: a right kernel has no remark, and all checks ran" {
    cat out.txt
    said right sanitized
    assert_equal "$(said right verdict)" pass
    assert_equal "$(said right remarks)" ""
    run -0 said right sanitized
    assert_output --regexp 'other streams late [1-9].*; given stream late [1-9].*; memcheck [1-9].*; racecheck [1-9].*; synccheck [1-9].*; initcheck [1-9]'
    refute_output --partial ended
}

@test "sanitizer: no process is left" {
    run pgrep -f "$BATS_FILE_TMPDIR"
    assert_failure
}

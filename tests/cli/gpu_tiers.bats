#!/usr/bin/env bats
# shellcheck disable=SC2154
# GPU tiers where there is no GPU: compiled where nvcc is, skipped with the reason, and OpenACC
# checked on the host. What needs a GPU is in tests/gpu.

load ../helpers/common

setup() {
    export LADDER=$REPO/testcases/gpu/ladder.yaml
    cd "$BATS_TEST_TMPDIR" || return 1
    mkdir subs
}

no_gpu() { [ ! -e /dev/nvidiactl ] || skip "this machine has a GPU: make check-gpu"; }
nvcc_here() { command -v nvcc >/dev/null || skip "no nvcc here"; }
openacc_here() { [ -x "${PARAGRADE%/bin/*}/libexec/paragrade/driver-openacc" ] || skip "this gcc has no OpenACC"; }

# A PATH with everything but nvcc.
without_nvcc() {
    local dir
    while IFS= read -r dir; do
        [ -x "$dir/nvcc" ] || printf '%s:' "$dir"
    done < <(tr : '\n' <<<"$PATH")
}

submission() { # NAME FILE: its content is on stdin
    mkdir -p "subs/$1"
    cat >"subs/$1/$2"
}

@test "gpu tiers: without nvcc, skipped with what to install; it counts neither way" {
    submission a cuda.cu <"$REPO/reference/gemm/global.cu"
    PATH=$(without_nvcc) run "$PARAGRADE" check -q -a "$REPO/testcases/gemm-i32.yaml" --tier cuda subs/a
    assert_failure 1 # nothing could be checked
    assert_output --partial 'skipped  (does not count)'
    assert_output --partial 'this machine has no nvcc: install the CUDA Toolkit'
}

@test "gpu tiers: every CUDA reference compiles; then they are skipped, and that is said once" {
    no_gpu
    nvcc_here
    mapfile -t tiers < <(awk '$1 == "-" && $2 == "name:" { name = $3 }
        $1 == "kind:" && $2 == "cuda" { print "-t" name }' "$LADDER")
    run "$PARAGRADE" grade -q -j 2 -a "$LADDER" -p quick --run-id r "${tiers[@]}" --reference
    assert_success
    assert_output --regexp 'global, uncoalesced, .*, cuda skipped: it compiles, but cannot run here: no /dev/nvidiactl'
    assert_equal "$(grep -c 'skipped: ' <<<"$output")" 1
    # Compiled means: by the compiler, to a library with the tier's function.
    assert_equal "$(jq -r '.build_seconds > 0.1' reports/r/units/*/result.json | sort -u)" true
}

@test "gpu tiers: what does not compile is a build error here as well" {
    nvcc_here
    submission broken cuda.cu <<'C'
#include "gemm.h"
extern "C" void gemm_i32_cuda(int M, int N, int K, const int32_t *, const int32_t *, int32_t *, cudaStream_t)
{
    launch_of_what<<<1, 1>>>();
}
C
    run "$PARAGRADE" check -q -a "$REPO/testcases/gemm-i32.yaml" --tier cuda subs/broken
    assert_failure 1
    assert_output --partial 'build-error'
    assert_output --regexp 'cuda.cu\(4\): error: .*launch_of_what'
}

@test "gpu tiers: a library without the tier's function is named here as well" {
    nvcc_here
    submission nameless cuda.cu <<'C'
#include "gemm.h"
void gemm(void) {}
C
    run "$PARAGRADE" check -q -a "$REPO/testcases/gemm-i32.yaml" --tier cuda subs/nameless
    assert_failure 1
    assert_output --partial 'gemm_i32_cuda'
}

@test "gpu tiers: OpenACC on the host counts for correctness, never for speed" {
    openacc_here
    sed 's/C\[i \* n + j\] = sum/C[i * n + j] = sum + (j == 7)/' \
        "$REPO/reference/gemm/openacc.c" | submission wrong openacc.c
    submission right openacc.c <"$REPO/reference/gemm/openacc.c"
    tee subs/{right,wrong}/element.h <"$REPO/reference/gemm/element.h" >/dev/null
    ACC_DEVICE_TYPE=host run "$PARAGRADE" grade -q -a "$LADDER" -p quick -t openacc --run-id r subs
    assert_success
    run cut -d, -f1-3,11 reports/r/units.csv
    assert_line --partial 'right,openacc,pass,host'
    assert_line --partial 'wrong,openacc,wrong-answer,host'
    run grep -h openacc reports/r/speedup.csv
    assert_failure
}

@test "gpu tiers: OpenACC on the host computes no size that could only be timed" {
    openacc_here
    { # 512 is a size of the profile; no case that is only checked has so many rows and columns
        printf '#include <unistd.h>\n'
        sed 's/^{$/{ if (M == 512 \&\& N == 512) sleep(20);/' "$REPO/reference/gemm/openacc.c"
    } | submission slow openacc.c
    cp "$REPO/reference/gemm/element.h" subs/slow/
    ACC_DEVICE_TYPE=host run "$PARAGRADE" grade -q -a "$LADDER" -p quick -t openacc --run-id r subs
    assert_success
    run jq '.verdict == "pass" and .total_seconds < 20' reports/r/units/slow.openacc/result.json
    assert_output true
}

@test "gpu tiers: OpenACC that kills itself on the host is the submission's crash" {
    openacc_here
    submission bad openacc.c <<'C'
#include "gemm.h"
void gemm_i32_acc(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    (void)M, (void)N, (void)K, (void)A, (void)B;
    *(volatile int *)(C + (1l << 40)) = 0;
}
C
    ACC_DEVICE_TYPE=host run "$PARAGRADE" check -q -a "$LADDER" --tier openacc subs/bad
    assert_failure 1
    assert_output --partial 'Segmentation fault'
}

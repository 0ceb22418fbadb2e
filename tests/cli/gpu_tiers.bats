#!/usr/bin/env bats
# shellcheck disable=SC2154
# GPU tiers where there is no GPU: compiled where nvcc is, skipped with the reason, and OpenACC
# checked on the host. What needs a GPU is in tests/gpu.

load ../helpers/common

submission() { # NAME FILE: its content is on stdin
    mkdir -p "subs/$1"
    cat >"subs/$1/$2"
}

make_openacc() {
    sed 's/C\[i \* n + j\] = sum/C[i * n + j] = sum + (j == 7)/' \
        "$REPO/reference/gemm/openacc.c" | submission wrong openacc.c
    submission right openacc.c <"$REPO/reference/gemm/openacc.c"
    tee subs/{right,wrong}/element.h <"$REPO/reference/gemm/element.h" >/dev/null
    { # 512 is a size of the profile; no case that is only checked has so many rows and columns
        printf '#include <unistd.h>\n'
        sed 's/^{$/{ if (M == 512 \&\& N == 512) sleep(20);/' "$REPO/reference/gemm/openacc.c"
    } | submission slow openacc.c
    cp "$REPO/reference/gemm/element.h" subs/slow/
    submission bad openacc.c <<'C'
#include "gemm.h"
void gemm_i32_acc(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    (void)M, (void)N, (void)K, (void)A, (void)B;
    *(volatile int *)(C + (1l << 40)) = 0;
}
C
}

# Submissions in OpenACC are graded in one run.
setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || return 1
    [ -x "${PARAGRADE%/bin/*}/libexec/paragrade/driver-openacc" ] || return 0
    make_openacc
    ACC_DEVICE_TYPE=host "$PARAGRADE" grade -q -a "$REPO/testcases/gpu/ladder.yaml" -p quick -t openacc \
        --run-id acc subs >out.txt 2>&1 || {
        cat out.txt
        return 1
    }
}

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
    assert_output --regexp 'global, uncoalesced, .*, cuda skipped: it compiles, but cannot run here: this machine has no /dev/nvidiactl'
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

# A compiler that knows some architectures, and knows code that only one of them can run.
fake_nvcc() {
    mkdir bin
    cat >bin/nvcc <<'SH'
#!/bin/bash
case $* in
--list-gpu-arch) printf 'compute_75\ncompute_90\ncompute_100\ncompute_121\n' && exit ;;
--version) echo 'nvcc: fake' && exit ;;
esac
arch=default
for a; do
    case $a in -gencode=*) arch=${a##*sm_} ;; esac
    case $before in -o) out=$a ;; esac
    before=$a
done
needs=$(sed -n 's/.*NEEDS \([0-9a-z]*\).*/\1/p' "${@: -1}")
case $needs in '' | "$arch") exec gcc -x c -fPIC -shared -o "$out" "${@: -1}" ;; esac
echo 'cuda.cu(1): error: not supported for this GPU architecture' >&2
exit 1
SH
    chmod +x bin/nvcc
    PATH=$PWD/bin:$PATH
}

@test "gpu tiers: without a GPU, a kernel for a newer one is skipped, and then a missing file costs nothing" {
    no_gpu
    fake_nvcc
    cp -r "$REPO/reference/gemm" ref
    echo 'void gemm_i32_cuda(void) {}' >ref/cuda.cu
    cat >a.yaml <<'YAML'
name: a
kernel: gemm
type: i32
reference: ref
baseline: naive
yardstick: naive
tiers:
  - {name: naive, sources: [naive.c], compile: "gcc -O2 -fPIC -shared -I{abi} -o {out} {src}"}
  - name: cuda
    kind: cuda
    sources: [cuda.cu]
    compile: nvcc {gencode} -shared -o {out} {src}
    yardstick: cuda
    requires: [{file: /dev/nvidiactl, for: run}]
    points: {correct: 10}
YAML
    local code='void gemm_i32_cuda(void) {} // NEEDS'
    for arch in default 90a 121a 80a; do echo "$code $arch" | submission "s$arch" cuda.cu; done
    mkdir subs/none && touch subs/none/other.c
    run -0 "$PARAGRADE" grade -q -a a.yaml -t cuda --run-id r subs
    run -0 jq -r '[.verdict, .message] | join(" ")' reports/r/units/{sdefault,s90a,s121a,s80a}.cuda/result.json
    assert_line --index 0 --partial 'skipped it compiles, but cannot run here: this machine has no /dev/nvidiactl'
    assert_line --index 1 --partial 'skipped it compiles for sm_90a (not for the default of nvcc), but cannot run here: this machine has no /dev/nvidiactl'
    assert_line --index 2 --partial 'skipped it compiles for sm_121a'
    # No GPU that nvcc knows can run it.
    assert_line --index 3 --partial 'build-error cuda.cu(1): error: not supported'
    # With architectures, the instructor has said what it must run on.
    rm -r subs/s80a
    run "$PARAGRADE" grade -q -a a.yaml -t cuda --run-id s subs
    run -0 jq -r '.submissions[] | "\(.id) \(.max_points)"' <("$PARAGRADE" report --json s)
    assert_line 'none 0'
    sed -i '/kind: cuda/a\    architectures: [75]' a.yaml
    run "$PARAGRADE" grade -q -a a.yaml -t cuda --run-id t subs
    run -0 jq -r .verdict reports/t/units/s90a.cuda/result.json
    assert_output build-error
}

@test "gpu tiers: the same with -arch=native" {
    no_gpu
    fake_nvcc
    sed "/^template:/d; s|reference: .*|reference: $REPO/reference/gemm|; s/{gencode}/-arch=native/" "$REPO/testcases/gemm-i32.yaml" >a.yaml
    echo 'void gemm_i32_cuda(void) {} // NEEDS 100a' | submission a cuda.cu
    run "$PARAGRADE" check -q -a a.yaml --tier cuda subs/a
    assert_output --partial 'it compiles for sm_100a'
}

@test "gpu tiers: what nvcc really says about a kernel for a newer GPU" {
    no_gpu
    nvcc_here
    submission clusters cuda.cu <<'C'
#include "gemm.h"
static __global__ void __cluster_dims__(1, 2, 1) k() {}
extern "C" void gemm_i32_cuda(int M, int N, int K, const int32_t *, const int32_t *, int32_t *, cudaStream_t s)
{
    k<<<dim3(2, 2), 32, 0, s>>>();
}
C
    run "$PARAGRADE" check -q -a "$REPO/testcases/gemm-i32.yaml" --tier cuda subs/clusters
    refute_output --partial 'build-error'
    assert_output --regexp 'skipped.*it compiles'
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
    run cut -d, -f1-3,11 "$BATS_FILE_TMPDIR/reports/acc/units.csv"
    assert_line --partial 'right,openacc,pass,host'
    assert_line --partial 'wrong,openacc,wrong-answer,host'
    run grep -h openacc "$BATS_FILE_TMPDIR/reports/acc/speedup.csv"
    assert_failure
}

@test "gpu tiers: OpenACC on the host computes no size that could only be timed" {
    openacc_here
    run jq '.verdict == "pass" and .total_seconds < 20' "$BATS_FILE_TMPDIR/reports/acc/units/slow.openacc/result.json"
    assert_output true
}

@test "gpu tiers: OpenACC that kills itself on the host is the submission's crash" {
    openacc_here
    run -0 "$PARAGRADE" report --student bad "$BATS_FILE_TMPDIR/reports/acc"
    assert_output --partial crash
    assert_output --partial 'Segmentation fault'
}

#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# What needs a machine with two GPUs or more: several GPUs in one process, and a rank for each.

load ../helpers/common

gpus_here() { find /dev -maxdepth 1 -name 'nvidia[0-9]*' 2>/dev/null | wc -l; }

nccl_here() { printf '#include <nccl.h>\n' | nvcc -x cu -E - >/dev/null 2>&1; }

# A tier with a rank for each GPU, and programs for it.
make_ranks() {
    local k name libraries=
    nccl_here && libraries=-lnccl
    cat >>a.yaml <<YAML
  - name: ranks
    kind: mpi_cuda
    sources: [mpi_cuda.cu]
    compile: nvcc -ccbin mpicxx -O3 -std=c++17 {gencode} --cudart=shared -Xcompiler -fPIC -shared -DPARAGRADE_MPI -DPARAGRADE_CUDA -DOMPI_SKIP_MPICXX -I{abi} -o {out} {src} $libraries
    launcher: mpirun --oversubscribe --bind-to none -n {ranks}
    ranks: [1, 2]
    yardstick: cuda
YAML
    for k in "$REPO"/tests/gpu/ranks/*.cu; do
        name=$(basename "$k" .cu)
        [ "$name" != nccl ] || nccl_here || continue
        mkdir -p "ranks/$name"
        cp "$k" "ranks/$name/mpi_cuda.cu"
        cp "$REPO/tests/gpu/kernels/kernel.h" "$REPO/tests/gpu/ranks/ranks.h" "ranks/$name/"
    done
}

setup_file() {
    load ../helpers/common
    [ "$(gpus_here)" -ge 2 ] || return 0 # every test skips
    cd "$BATS_FILE_TMPDIR" || return 1
    local k name
    sed "s|REFERENCE|$REPO/reference/gemm|; s/^  - name: cuda/&\n    gpus: [1, 2]/" "$REPO/tests/gpu/gpu.yaml" >a.yaml
    sed -i 's/^tiers:/sanitized: off\n&/' a.yaml
    for k in "$REPO"/tests/gpu/several/*.cu; do
        name=$(basename "$k" .cu)
        mkdir -p "subs/$name"
        cp "$k" "subs/$name/cuda.cu"
        cp "$REPO/tests/gpu/kernels/kernel.h" "subs/$name/"
    done
    for k in "$REPO"/tests/gpu/several/honest/*.cu; do
        name=$(basename "$k" .cu)
        mkdir -p "honest/$name"
        cp "$k" "honest/$name/cuda.cu"
        cp "$REPO/tests/gpu/kernels/kernel.h" "$REPO/tests/gpu/several/honest/halves.h" "honest/$name/"
    done
    mkdir -p subs/gpus
    cp "$REPO/reference/gemm/gpus.cu" subs/gpus/cuda.cu
    cp "$REPO"/reference/gemm/{gpu_rows.cuh,element.h} subs/gpus/
    make_ranks
    "$PARAGRADE" grade -q -a a.yaml --run-id several -t cuda subs >several.txt 2>several.err || true
    sed 's/-Xcompiler -fPIC /-Xcompiler -fPIC,-fopenmp /' a.yaml >honest.yaml
    "$PARAGRADE" grade -q -a honest.yaml --run-id honest -t cuda honest >honest.txt 2>honest.err || true
    "$PARAGRADE" grade -q -a a.yaml --run-id ranks -t ranks ranks >ranks.txt 2>ranks.err || true
    "$PARAGRADE" grade -q -a "$REPO/testcases/stencil/assignment.yaml" -p quick -t cuda -t mpi_cuda --run-id stencil \
        --reference >stencil.txt 2>stencil.err || true
    "$PARAGRADE" grade -q -a "$REPO/testcases/gpu/several.yaml" -p quick -t cuda -t gpus -t mpi_cuda --run-id f32 --reference >f32.txt 2>f32.err || true
}

setup() {
    [ "$(gpus_here)" -ge 2 ] || skip "this machine has $(gpus_here) GPUs, and two are needed"
    cd "$BATS_FILE_TMPDIR" || return 1
}

field() { # TABLE COLUMN AWK-CONDITION
    awk -F, -v want="$2" 'NR == 1 { for (i = 1; i <= NF; i++) { sub(/\r/, "", $i); at[$i] = i } } NR > 1 && ('"$3"') {
        print $at[want] }' "$1" | tr -d '\r'
}

verdict() { field "reports/$1/units.csv" verdict "\$1 == \"$2\" && \$2 == \"$3\""; } # RUN SUBMISSION TIER

@test "several GPUs: a launch sees and opens as many as it asks for; another one may stay current" {
    cat several.err
    [ "$(verdict several sees cuda)" = pass ] || { grep '^sees' reports/several/units.csv; false; }
    [ "$(field reports/several/cases.csv verdict '$1 == "sees" && $at["gpus"] == 2' | sort -u)" = pass ]
}

@test "several GPUs: honest but unusual programs for two pass, without a remark" {
    local k name
    cat honest.err
    for k in "$REPO"/tests/gpu/several/honest/*.cu; do
        name=$(basename "$k" .cu)
        [ "$(verdict honest "$name" cuda)" = pass ] || fail "$(grep "^$name" reports/honest/units.csv)"
        assert_equal "$(jq -r .remarks "reports/honest/units/$name.cuda/result.json")" ''
    done
}

@test "several GPUs: work on another GPU that is not joined into the stream is found" {
    [ "$(verdict several unjoined cuda)" = clock-mismatch ] || { grep '^unjoined' reports/several/units.csv; false; }
}

@test "several GPUs: an error is that of its GPU" {
    run -0 grep '^illegal,' reports/several/units.csv
    assert_output --regexp ',crash,.*cudaErrorIllegalAddress.*GPU 1: '
}

@test "several GPUs: the reference passes for whole numbers and floats, and is faster with two" {
    cat f32.err
    [ "$(verdict several gpus cuda)" = pass ]
    [ "$(verdict f32 reference gpus)" = pass ]
    grep -h '^gpus,\|^reference,gpus' reports/{several,f32}/efficiency.csv # for people
    local e
    for e in $(field reports/f32/efficiency.csv efficiency '$2 == "gpus" && $at["gpus"] == 2 && $at["size"] == 4096'); do
        awk -v e="$e" 'BEGIN { exit !(e > 0.5 && e < 1.1) }'
    done
}

@test "several GPUs: the time agrees with the device's events, and the peak is that of all" {
    apart=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $2 == "gpus" && $at["gpus"] == 2 { print ($at["seconds"] - $at["device_seconds"]) * $at["reps"] }' \
        reports/f32/samples.csv | sort -g | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }')
    echo "$apart s"
    awk -v a="$apart" 'BEGIN { exit !(a > -2e-4 && a < 4e-4) }'
    field reports/f32/roofline.csv peak_gops '$2 == "gpus"' | sort -gu |
        awk '{ p[NR] = $1 } END { r = p[2] / p[1]; exit !(r > 1.99 && r < 2.01) }'
}

@test "ranks with a GPU each: every program gets its verdict, and each rank sees one GPU of its own" {
    local k name want got bad=
    for k in "$REPO"/tests/gpu/ranks/*.cu; do
        name=$(basename "$k" .cu)
        [ -d "ranks/$name" ] || continue
        want=$(sed -nE '1s|^/\* expect: ([a-z-]*).*|\1|p' "$k")
        got=$(verdict ranks "$name" ranks)
        [ "$got" = "$want" ] || bad+="$name: wanted $want, got $got: $(grep "^$name," reports/ranks/units.csv)"$'\n'
    done
    [ -z "$bad" ] || { echo "$bad"; cat ranks.err; false; }
}

@test "ranks with a GPU each: NCCL works in the sandbox" {
    nccl_here || skip "no NCCL here"
    [ "$(verdict ranks nccl ranks)" = pass ] || { grep '^nccl,' reports/ranks/units.csv; false; }
}

@test "ranks with a GPU each: what fails on another rank's GPU is told, and its work is in the time" {
    run -0 grep '^illegal,' reports/ranks/units.csv
    assert_output --partial 'rank 1: '
    awk -v s="$(field reports/ranks/speedup.csv seconds '$1 == "late" && $at["ranks"] == 2')" 'BEGIN { exit !(s > 0.018) }'
}

@test "ranks with a GPU each: the references pass, and tell their efficiency" {
    cat ranks.err stencil.err
    [ "$(verdict ranks reference ranks)" = pass ]
    [ "$(verdict f32 reference mpi_cuda)" = pass ]
    [ "$(verdict stencil reference mpi_cuda)" = pass ]
    grep -h 'mpi_cuda\|,ranks,' reports/{ranks,f32,stencil}/{efficiency,speedup}.csv # for people
    [ -n "$(field reports/f32/efficiency.csv efficiency '$2 == "mpi_cuda" && $at["ranks"] == 2 && $at["size"] == 4096')" ]
}

@test "several GPUs: nothing is left behind" {
    run pgrep -f 'driver-(mpi_)?cuda'
    assert_failure
    run -0 "$PARAGRADE" verify several
}

#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# Several GPUs in a launch: the drivers of the kinds cuda and mpi_cuda, on GPUs that are emulated
# below them (fixtures/gpus/cudart.c). CUDA_VISIBLE_DEVICES says how many there are.

load ../helpers/common

setup_file() {
    load ../helpers/common
    load ../helpers/emulated
    # Ranks have a /dev/shm of their own, unless the grader's files are there.
    WORK=$(mktemp -d /tmp/gpus-XXXXXX)
    export WORK
    cd "$WORK" || exit 1
    mkdir -p emulated reference subs/{right,fails}
    cp -r "${PARAGRADE%/bin/*}"/{bin,libexec,include} emulated/
    gpus_driver emulated/libexec/paragrade/driver-cuda
    ranks_driver emulated/libexec/paragrade/driver-mpi_cuda
    cp "$REPO"/reference/gemm/{naive.c,element.h} reference/
    cp "$REPO/tests/fixtures/gpus/a.yaml" .
    local to
    for to in reference subs/right subs/fails; do
        cp "$REPO"/tests/fixtures/gpus/{device.c,ranks.c,cuda_runtime_api.h} "$to/"
    done
    sed -i '1i #define FAILS' subs/fails/*.c
    TMPDIR=$WORK CUDA_VISIBLE_DEVICES=0,1 emulated/bin/paragrade grade -q -a a.yaml --run-id r -t gpus,ranks,many subs >out.txt 2>err.txt || true
}

teardown_file() { rm -rf "$WORK"; }

setup() { cd "$WORK" || exit 1; }

field() { # TABLE COLUMN AWK-CONDITION
    awk -F, -v want="$2" 'NR == 1 { for (i = 1; i <= NF; i++) { sub(/\r/, "", $i); at[$i] = i } } NR > 1 && ('"$3"') {
        print $at[want] }' "reports/r/$1.csv" | tr -d '\r'
}

@test "gpus: what a call left on the second GPU is waited for, and the first one is current again" {
    cat out.txt err.txt
    [ "$(field units verdict '$1 == "right" && $2 == "gpus"')" = pass ]
    [ "$(field units verdict '$1 == "reference" && $2 == "gpus"')" = pass ]
}

@test "gpus: a launch sees as many GPUs as it asks for, and its efficiency is by their number" {
    field efficiency efficiency '$1 == "right" && $2 == "gpus" && $at["gpus"] == 2 && $at["workers"] == 2' >two
    cat two reports/r/speedup.csv
    awk '{ n++; if ($1 < 0.7 || $1 > 1.2) exit 1 } END { exit n != 1 }' two
    [ "$(field roofline peak_gops '$1 == "right" && $2 == "gpus"' | sort -n | paste -sd ' ')" = "1000 2000" ]
}

@test "gpus: a launch with more GPUs than there are is checked with these, and not timed" {
    [ "$(field cases oversubscribed '$1 == "right" && $2 == "gpus" && $at["gpus"] == 3' | sort -u)" = yes ]
    [ "$(field cases verdict '$1 == "right" && $2 == "gpus" && $at["gpus"] == 3' | sort -u)" = pass ]
    [ -z "$(field speedup seconds '$1 == "right" && $2 == "gpus" && $at["gpus"] == 3 && $at["graded"] == "yes"')" ]
    # What was too few is told: as if this machine had many cores.
    cp -r reports/r reports/cores
    jq '.cores = 16' reports/r/units/right.gpus/result.json >reports/cores/units/right.gpus/result.json
    run -0 "$PARAGRADE" report --student right cores
    assert_output --partial 'not timed: 3 GPUs, because there were fewer GPUs.'
}

@test "gpus: an error is that of its GPU, and the case can be run again" {
    run -0 grep '^fails,gpus,' reports/r/units.csv
    assert_output --partial 'cudaErrorIllegalAddress'
    assert_output --partial 'GPU 1: an illegal memory access'
    CUDA_VISIBLE_DEVICES=0,1 run emulated/bin/paragrade replay r fails.gpus 3 --launch 1x1+2gpus
    assert_output --partial 'GPU 1: an illegal memory access'
}

@test "gpus: ranks have a GPU each, and are timed until all are idle" {
    [ "$(field units verdict '$1 == "right" && $2 == "ranks"')" = pass ] || { cat reports/r/units.csv; false; }
    field efficiency efficiency '$1 == "right" && $2 == "ranks" && $at["gpus"] == 2 && $at["ranks"] == 2' >two
    cat two reports/r/speedup.csv
    awk '{ n++; if ($1 < 0.7 || $1 > 1.2) exit 1 } END { exit n != 1 }' two
}

@test "gpus: ranks do not share a GPU: such launches are left out, and a tier that has no other is skipped" {
    [ -z "$(field cases verdict '$2 == "ranks" && $at["gpus"] == 3')" ]
    [ -n "$(field cases verdict '$2 == "ranks" && $at["gpus"] == 2')" ]
    [ "$(field units verdict '$1 == "right" && $2 == "many"')" = skipped ]
    run -0 grep '^right,many,' reports/r/units.csv
    assert_output --partial 'its smallest launch has 3 GPUs, and this node has 2 GPUs'
}

@test "gpus: what fails on the GPU of another rank is told" {
    run -0 grep '^fails,ranks,' reports/r/units.csv
    assert_output --partial 'rank 1: an illegal memory access'
}

@test "gpus: the run can be verified" {
    run emulated/bin/paragrade verify r
    assert_success
}

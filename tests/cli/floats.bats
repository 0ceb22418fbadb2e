#!/usr/bin/env bats
# Products of floats and doubles: honest kernels pass, and what computes with fewer bits is told so.

load ../helpers/common

setup_file() {
    load ../helpers/common
    local type
    for type in f32 f64; do
        mkdir "$BATS_FILE_TMPDIR/$type"
        cd "$BATS_FILE_TMPDIR/$type" || exit 1
        # Small sizes and short times; no sanitizers; few launches, with too many workers to be timed.
        sed -e "s|reference: .*|reference: $REPO/reference/gemm|; /^template:/d" -e 's/budget: [0-9]*ms/budget: 1ms/' \
            -e 's/precision: 0.05/precision: 0.3/' -e 's/quiet_node: true/quiet_node: false/' -e '/^kernel:/a sanitized: off' \
            -e 's/\(threads\|ranks\): \[1, 2, 4\]/\1: [3]/' -e 's/stress_threads: .*/stress_threads: [2]\n  smallest_time: 50ms/' \
            -e 's/mpirun --over/mpirun --mca mpi_yield_when_idle 1 --over/' \
            -e 's/sizes: \[512\]/sizes: [256]/' -e 's/{size: 512,/{size: 256,/' \
            "$REPO/testcases/float/gemm-$type.yaml" >a.yaml
        # Those of the host only: kernels for GPUs are compiled for seconds, also without a GPU.
        "$PARAGRADE" grade -q -a a.yaml -p quick -t naive -t locality -t simd -t openmp -t mpi \
            --run-id r "$REPO/testcases/examples/gemm-$type" >out.txt 2>err.txt || [ $? = 1 ] || {
            cat err.txt
            return 1
        }
    done
}

expect() { # TYPE SUBMISSION TIER VERDICT
    local type=$BATS_FILE_TMPDIR/$1
    has_verdict "$type/reports/r" "${@:2}" "$type/out.txt"
}

message() { # TYPE SUBMISSION: what units.csv says of the naive tier
    grep "^$2,naive," "$BATS_FILE_TMPDIR/$1/reports/r/units.csv"
}

@test "floats: the reference passes in every tier" {
    local type tier
    for type in f32 f64; do
        for tier in naive locality simd openmp mpi; do expect $type reference $tier pass; done
    done
}

@test "floats: other orders of summation pass" {
    local type
    for type in f32 f64; do
        expect $type ana naive pass
        expect $type ana openmp pass
    done
}

@test "floats: a kernel that computes with fewer bits is wrong, and is told how many" {
    local type
    for type in f32 f64; do expect $type ben naive wrong-answer; done
    run message f64 ben
    assert_output --partial 'wrong'
    run -0 grep -h '^ben,.*uniform.*inside?' "$BATS_FILE_TMPDIR/f64/reports/r/cases.csv"
    assert_output --partial 'is there a float inside?'
    run -0 grep -h '^ben,.*uniform.*inside?' "$BATS_FILE_TMPDIR/f32/reports/r/cases.csv"
    assert_output --partial '16-bit'
}

@test "floats: terms that are left over are missed in every kind of values" {
    local type
    for type in f32 f64; do
        expect $type cleo naive wrong-answer
    done
}

@test "floats: the errors of rounded results are in cases.csv, and those of exact ones are not" {
    # shellcheck disable=SC2016 # awk's own
    run -0 awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $1 == "reference" && $at["values"] == "uniform" && $at["kind"] == "performance" {
            n++; if (!($at["error_max"] != "" && $at["error_max"] < 20 && $at["error_rms"] < 2)) bad++ }
        $at["values"] != "uniform" && $at["verdict"] == "pass" && $at["error_max"] != "" { exact++ }
        END { print (n > 0), bad + 0, exact + 0 }' "$BATS_FILE_TMPDIR"/f??/reports/r/cases.csv
    assert_output '1 0 0'
}

@test "floats: a wrong element is shown as a number of the type, and can be replayed" {
    cd "$BATS_FILE_TMPDIR/f64"
    local case_
    case_=$(awk -F, '$1 == "ben" && $16 == "wrong-answer" { print $3; exit }' reports/r/cases.csv)
    run "$PARAGRADE" replay r ben.naive "$case_"
    assert_output --regexp 'expected -?[0-9.e+-]+, got -?[0-9.e+-]+'
    run -0 "$PARAGRADE" verify r
}

@test "floats: an exported case says of the right kernel that it is right, and of the wrong one that it is not" {
    cd "$BATS_FILE_TMPDIR/f64"
    local who
    for who in ana ben; do # 7: uniform values
        run -0 "$PARAGRADE" replay r "$who.naive" 7 --export "$BATS_TEST_TMPDIR/$who"
        run make -C "$BATS_TEST_TMPDIR/$who" run
        if [ "$who" = ana ]; then
            assert_success
            assert_output --partial '0 of 1 runs failed'
        else
            assert_failure
            assert_output --partial '1 of 1 runs failed'
        fi
    done
}

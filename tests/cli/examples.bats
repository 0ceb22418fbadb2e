#!/usr/bin/env bats
# The worked submissions get the verdicts they were made for.

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    # Times need not be precise here: one size, and a short one. Few launches; no GPU and no sanitizers.
    sed -e "s|reference: .*|reference: $REPO/reference/gemm|; /^template:/d" -e 's/budget: [0-9]*ms/budget: 10ms/' \
        -e '/^kernel:/a sanitized: off' -e 's/\(threads\|ranks\): \[1, 2, 4\]/\1: [2]/' -e 's/stress_threads: \[3, 7, 16\]/stress_threads: [3, 7]\n  smallest_time: 50ms/' \
        -e 's/mpirun --over/mpirun --mca mpi_yield_when_idle 1 --over/' \
        -e 's/precision: 0.05/precision: 0.2/' -e 's/quiet_node: true/quiet_node: false/' \
        -e 's/sizes: \[512\]/sizes: [256]/' -e 's/{size: 512,/{size: 256,/' \
        "$REPO/testcases/gemm-i32.yaml" >a.yaml
    "$PARAGRADE" grade -q -a a.yaml --profile quick -t naive -t locality -t simd -t openmp -t mpi --run-id r \
        "$REPO/student_impls" >out.txt 2>err.txt || {
        cat out.txt err.txt
        return 1
    }
}

expect() { # SUBMISSION NAIVE LOCALITY SIMD OPENMP MPI
    local tier i=2
    for tier in naive locality simd openmp mpi; do
        grep -qx "$1 $tier ${!i}" <(verdicts "$BATS_FILE_TMPDIR/reports/r") || {
            verdicts "$BATS_FILE_TMPDIR/reports/r" | grep "^$1 "
            fail "$1 $tier is not ${!i}"
        }
        i=$((i + 1))
    done
}

@test "examples: the reference passes everything" { expect reference pass pass pass pass pass; }
@test "examples: alice is right" { expect alice pass pass pass pass pass; }
@test "examples: bob is right, and slower than alice" {
    expect bob pass pass pass pass pass
    local grades=$BATS_FILE_TMPDIR/reports/r/grades.csv
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "total_points") total = i }
        $1 == "alice" { a = $total } $1 == "bob" { b = $total } END { exit !(0 < b && b < a) }' "$grades"
}
@test "examples: carol is wrong on sizes that are not multiples of 8" {
    expect carol pass wrong-answer wrong-answer wrong-answer wrong-answer
}
@test "examples: dave's race is found, and called one" {
    expect dave pass pass pass wrong-answer pass
    grep -q '^dave,openmp,.*race' "$BATS_FILE_TMPDIR/reports/r/units.csv" ||
        grep -q '^dave,openmp,.*race' "$BATS_FILE_TMPDIR/reports/r/cases.csv"
}
@test "examples: erin crashes, each time differently" {
    expect erin pass crash wrote-out-of-bounds crash missing
}
@test "examples: frank hands in C++, and something that does not compile" {
    expect frank pass build-error missing pass missing
    grep -q 'expected .;.' "$BATS_FILE_TMPDIR/reports/r/units.csv"
}
@test "examples: the template is not written yet, so all of it is missing" {
    expect template missing missing missing missing missing
}
@test "examples: what is right is also done the way the tier says" {
    local units=$BATS_FILE_TMPDIR/reports/r/units.csv flagged
    # bob's threads wait for a lock most of the time, and may well seem to take turns.
    flagged=$(cut -d, -f1-3,21- "$units" | grep -E '^[^,]*,[^,]*,[^,]*,no,' | grep -v '^bob,openmp' || true)
    assert_equal "$flagged" ""
    # Something was looked at.
    run -0 grep -cE '^(reference|alice|bob|dave),simd,pass,.*,yes,"?simd: vpmulld on ' "$units"
    assert_output 4
}
@test "examples: GPU tiers are skipped with a reason, not failed" {
    [ -e /dev/nvidiactl ] && skip "this machine has a GPU"
    run "$PARAGRADE" check -q --no-timing -a "$BATS_FILE_TMPDIR/a.yaml" -t cuda --reports "$BATS_TEST_TMPDIR" "$REPO/student_impls/alice"
    run -0 grep '^alice,cuda,skipped,' "$BATS_TEST_TMPDIR"/*/units.csv
    assert_output --partial nvidiactl
}

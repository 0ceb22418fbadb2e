#!/usr/bin/env bats
# Kernels in files: the shipped exercises are graded, and what depends on the trusted source.

load ../helpers/common

# Small sizes; no sanitizers and no GPU, which have tests of their own. Few launches, with more workers
# than many a machine has cores: then nothing is timed, and four starts are left out.
small() { # EXERCISE: a copy of its directory
    cp -r "$REPO/testcases/$1" "$1"
    sed -i -e 's/budget: [0-9]*ms/budget: 1ms/' -e 's/precision: 0.05/precision: 0.3/' \
        -e 's/quiet_node: true/quiet_node: false/' -e 's/sizes: \[\(100000\|50000\)\]/sizes: [20000]/' \
        -e 's/^seed:.*/&\nsanitized: off/' -e '/name: cuda/,/points: {correct: 0}/d' -e 's/stress_threads: .*/stress_threads: [2]\n  smallest_time: 50ms/' \
        -e 's/^    random: 10/    random: 4/' \
        -e 's/threads: \[1, 2, 4\]/threads: [3]/' -e 's/ranks: \[1, 2, 4\]/ranks: [3]/' -e '/weak: /d' \
        -e 's/mpirun --over/mpirun --mca mpi_yield_when_idle 1 --over/' \
        -e 's/sizes: \[300x400\]/sizes: [100x150]/' -e 's/ -mavx2 -mfma//' "$1/assignment.yaml"
}

grade() { # EXERCISE [OPTION ...]
    "$PARAGRADE" grade -q -a "$1/assignment.yaml" -p quick --run-id "$1" "${@:2}" "$1/examples" \
        >"$1.txt" 2>"$1.err" || [ $? = 1 ] || {
        cat "$1.err"
        return 1
    }
}

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    local exercise
    for exercise in dot scan histogram sort blur mandelbrot nbody heat paths components pairs fft; do
        small $exercise
        grade $exercise
    done
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

expect() { # EXERCISE SUBMISSION TIER VERDICT
    grep -qx "$2 $3 $4" <(verdicts "reports/$1") || {
        verdicts "reports/$1"
        cat "$1.txt"
        fail "$1: $2 $3 is not $4"
    }
}

@test "kernel file: references pass in every tier, and so do programs that add in another order" {
    local exercise tier
    for exercise in dot scan histogram; do
        for tier in naive simd openmp mpi; do expect $exercise reference $tier pass; done
        for tier in naive openmp; do expect $exercise ana $tier pass; done
    done
}

@test "kernel file: operands in place, numbers by value, several outputs" {
    local exercise tier
    for exercise in sort blur mandelbrot nbody; do
        for tier in naive openmp mpi; do expect $exercise reference $tier pass; done
        for tier in naive openmp; do expect $exercise ana $tier pass; done
        [ $exercise = sort ] || expect $exercise reference simd pass
        expect $exercise ben openmp wrong-answer
        expect $exercise cleo naive wrong-answer
    done
    run -0 grep '^ben,openmp' reports/sort/units.csv
    assert_output --partial 'a race: the same values give different results'
    run -0 grep '^cleo,naive' reports/blur/units.csv
    assert_output --partial 'a difference of 1 is allowed'
    run -0 grep '^cleo,simd' reports/nbody/cases.csv
    assert_output --regexp 'z\[[0-9]+\] \(dt = .*\): expected .*: every element is as before the call'
}

@test "kernel file: many steps, labels of sets, part of a result, powers of two" {
    local exercise tier
    for exercise in heat paths components pairs fft; do
        for tier in naive openmp mpi; do expect $exercise reference $tier pass; done
        for tier in naive openmp; do expect $exercise ana $tier pass; done
        [ $exercise = components ] || expect $exercise reference simd pass
        expect $exercise ben openmp wrong-answer
        expect $exercise cleo naive wrong-answer
        ! grep -q '^reference,.*doubtful' "reports/$exercise/units.csv" || fail "$exercise: a doubt"
    done
    run -0 grep '^cleo,naive' reports/components/cases.csv
    assert_output --partial 'a label is shown as the first element that has it'
    run -0 grep '^cleo,naive' reports/pairs/units.csv
    assert_output --partial 'far values'
    run -0 grep '^cleo,naive' reports/heat/units.csv
    assert_output --regexp 'u\[[0-9]+\]\[[0-9]+\] \(steps = [0-9]+\)' # a number that each run has anew
}

@test "kernel file: races, forgotten elements, floats and counters that overflow are found" {
    local exercise
    for exercise in dot scan histogram; do
        expect $exercise ben openmp wrong-answer
        expect $exercise cleo naive wrong-answer
        expect $exercise cleo simd wrong-answer
    done
    run -0 grep '^ben,openmp' reports/histogram/units.csv
    assert_output --partial 'a race: the same values give different results'
}

@test "kernel file: messages name elements as the file does, and results by themselves" {
    run -0 grep '^cleo,simd' reports/scan/cases.csv
    assert_output --regexp 'y\[[0-9]+\]: expected '
    refute_output --partial '][0]'
    run -0 grep '^cleo,naive' reports/dot/cases.csv
    assert_output --partial 'return: expected '
    refute_output --partial 'return['
}

@test "kernel file: receipts cover the file and its trusted source, and verify notices a change" {
    run -0 jq -r '.run.kernel_sha256 | keys | join(" ")' reports/dot/receipts.json
    assert_output 'dot.c dot.yaml'
    run -0 "$PARAGRADE" verify reports/dot
    cp -r reports/dot changed
    sed -i 's/sum = 0/sum = 1/' changed/kernel/dot.c
    run -1 "$PARAGRADE" verify changed
    assert_output --partial kernel/dot.c
}

@test "kernel file: a failed case is replayed, and exported as a program" {
    run -1 "$PARAGRADE" replay reports/scan cleo.naive 0
    assert_output --partial 'y[0]: expected'
    local case
    for case in scan:cleo.naive:y dot:cleo.naive:return sort:cleo.naive:a blur:cleo.simd:out nbody:cleo.simd:z; do
        IFS=: read -r in_run unit name <<<"$case"
        number=$(awk -F, -v unit="$unit" '$1 "." $2 == unit && /wrong-answer/ {print $3; exit}' \
            "reports/$in_run/cases.csv")
        rm -rf program
        run -0 "$PARAGRADE" replay "reports/$in_run" "$unit" "$number" --export program
        run -2 make -s -C program run
        assert_output --regexp "^$name.*: expected .*, got "
        refute_output --partial cannot
    done
    for case in scan:ana.openmp sort:ana.naive mandelbrot:reference.mpi nbody:reference.mpi dot:reference.mpi; do
        rm -rf program
        run -0 "$PARAGRADE" replay "reports/${case%:*}" "${case#*:}" 3 --export program
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 run -0 make -s -C program run
        assert_output --partial '0 of 1 runs failed'
    done
}

@test "kernel file: the smallest case keeps its kind of values, which the command to replay names" {
    run -0 grep '^cleo,naive' reports/histogram/units.csv
    assert_output --regexp -- '--values (full|few|constant) '
}

@test "kernel file: nobody loses points for a trusted source that crashes, does not compile, or is not deterministic" {
    cp -r dot bad
    echo 'int *nowhere; void dot_end(void) __attribute__((constructor)); void dot_end(void) { *nowhere = 1; }' \
        >>bad/kernel/dot.c
    grade bad --tier naive
    run -0 verdicts reports/bad
    refute_output --regexp 'wrong-answer|crash'
    assert_output --partial 'ana naive infra-error'
    rm -r reports/bad
    echo 'int main(' >bad/kernel/dot.c
    grade bad --tier naive
    run -0 verdicts reports/bad
    assert_output --partial 'ana naive infra-error'
    run -0 grep -c 'building the trusted source dot.c' reports/bad/units.csv
    rm -r reports/bad
    printf '%s\n' '#include "dot.h"' 'double dot_f64(int n, const double *x, const double *y) {' \
        'static int calls; double sum = calls++; for (int i = 0; i < n; i++) sum += x[i] * y[i]; return sum; }' \
        >bad/kernel/dot.c
    grade bad --tier naive
    run -0 verdicts reports/bad
    assert_output --partial 'ana naive infra-error'
    assert_output --partial 'reference naive infra-error'
    run -0 grep '^ana,naive' reports/bad/units.csv
    assert_output --partial 'the trusted source of the exercise gives other results when it is asked again'
    run -0 cat bad.err
    assert_output --partial 'because the machine, the cluster or the exercise failed'
}

@test "kernel file: a trusted source may give other labels each time, and who is wrong is told so" {
    cp -r components names
    sed -i 's/^void components(/static void steady(/' names/kernel/components.c
    printf '%s\n' 'void components(int n, int m, const int *from, const int *to, int *label)' \
        '{ static int calls; steady(n, m, from, to, label);' \
        'for (int i = 0; i < n; i++) label[i] += calls; calls++; }' >>names/kernel/components.c
    grade names --tier naive
    expect names ana naive pass
    expect names cleo naive wrong-answer
}

@test "kernel file: a trusted source may call functions of libraries" {
    cp -r scan calls
    printf '%s\n' '#include "scan.h"' '#include <math.h>' '#include <stdlib.h>' \
        'void scan_f64(int n, const double *x, double *y) {' \
        'double *sum = malloc(sizeof *sum); *sum = sqrt(x[0] * x[0]) * copysign(1, x[0]);' \
        'y[0] = *sum; for (int i = 1; i < n; i++) y[i] = *sum += x[i]; free(sum); }' >calls/kernel/scan.c
    grade calls --tier naive
    expect calls ana naive pass
}

@test "kernel file: a change of the trusted source makes regrade run everything again" {
    sed -i 's/int i = 0; i < n/int i = n - 1; i >= 0/; s/i++/i--/' dot/kernel/dot.c
    run -0 "$PARAGRADE" regrade --dry-run reports/dot
    assert_output --partial 'kernel: dot.c'
}

@test "kernel file: an error names the file, the line and the field" {
    mkdir -p wrong && cp -r dot/kernel wrong/ && cp dot/assignment.yaml wrong/
    sed -i 's/x: {size: \[n\]}/x: {size: [m]}/' wrong/kernel/dot.yaml
    run -2 "$PARAGRADE" cases wrong/assignment.yaml
    assert_output --partial "dot.yaml:7: field 'operands.x.size[0]': 'm' is no dimension; there are: n"
}

# class.bash: a small class in the test's own directory, graded by a fake proctor in no time. After
# common.bash.
# shellcheck shell=bash disable=SC2154

# Three submissions and three tiers; `wrong` has no simd.c. Leaves the test in its directory.
make_class() { # [SUBMIT-SETTINGS]
    cd "$BATS_TEST_TMPDIR" || return 1
    export PARAGRADE_PROCTOR=$REPO/tests/fixtures/fake-proctor
    unset PARAGRADE_ASSIGNMENT
    local s t
    for s in ref subs/alice subs/wrong 'subs/c d'; do
        mkdir -p "$s"
        for t in naive simd openmp; do echo 'int x;' >"$s/$t.c"; done
    done
    rm subs/wrong/simd.c
    cat >a.yaml <<YAML
name: demo
kernel: gemm
type: i32
reference: ref
baseline: naive
yardstick: simd
submit: {${1:-poll: 500ms, retries: 2, max_concurrent: 4}}
tiers:
  - {name: naive, sources: [naive.c], compile: "gcc -o {out} {src}"}
  - {name: simd, sources: [simd.c], compile: "gcc -o {out} {src}"}
  - {name: openmp, sources: [openmp.c], compile: "gcc -o {out} {src}", slurm: {cpus: 2}}
profiles:
  - {name: quick, random: 3}
YAML
}

# "unit verdict" lines of a run, sorted: what two runs of one class have in common.
result_verdicts() { # RUN
    find "$1/units" -name result.json -exec sh -c '
        for f; do
            printf "%s %s\n" "$(basename "$(dirname "$f")")" \
                "$(sed -n "s/.*\"verdict\": *\"\([a-z-]*\)\".*/\1/p" "$f" | tail -n 1)"
        done' sh {} + | sort
}

expected_verdicts() {
    cat <<'EXPECTED'
alice.naive pass
alice.openmp pass
alice.simd pass
c%20d.naive pass
c%20d.openmp pass
c%20d.simd pass
reference.naive pass
reference.openmp pass
reference.simd pass
wrong.naive wrong-answer
wrong.openmp wrong-answer
EXPECTED
}

# Every unit has the verdict that it must have, whatever happened on the way.
assert_graded() { # RUN
    assert_equal "$(result_verdicts "$1")" "$(expected_verdicts)"
    for f in units grades; do
        assert [ -s "$1/$f.csv" ]
    done
    refute grep -q infra-error "$1/units.csv"
}

# real.yaml: an assignment for the real proctor and the shipped reference. Each argument is the text
# between the braces of one line.
real_assignment() { # PERFORMANCE LIMITS SUBMIT
    unset PARAGRADE_PROCTOR
    cat >real.yaml <<YAML
name: real
kernel: gemm
type: i32
reference: $REPO/student_impls/alice
baseline: naive
yardstick: simd
sanitized: off
correctness: {random: 2, max: 40, edges: false}
performance: {sizes: [64], $1}
limits: {$2}
submit: {poll: 500ms, $3}
slurm: {nodes: 1, tasks: 1, cpus: 1, memory: 1500M, time: 5m}
tiers:
  - name: naive
    sources: [naive.c]
    compile: gcc -std=c11 -O2 -fwrapv -fPIC -shared -I{abi} -o {out} {src}
    points: {correct: 10}
  - name: simd
    sources: [simd.c]
    compile: gcc -std=c11 -O3 -mavx2 -fwrapv -fPIC -shared -I{abi} -o {out} {src}
YAML
}

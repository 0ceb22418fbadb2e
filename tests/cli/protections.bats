#!/usr/bin/env bats
# shellcheck disable=SC2016 # programs of jq
# Which protections were in force is recorded; what an assignment requires is asked of machines, and
# its lack is never a student's fault. Kernels without Landlock or seccomp are played by a program
# that lets the calls fail which ask for them (helpers/lacking.c).

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    mkdir bin
    gcc -o bin/lacking "$BATS_TEST_DIRNAME/../helpers/lacking.c" || return 1
    "$PARAGRADE" doctor --json >doctor.json
    mkdir -p subs/me broken
    echo '#error no' >broken/naive.c
    cp "$REPO"/reference/gemm/{naive,mpi,openacc}.c "$REPO"/reference/gemm/*.h subs/me/
    # A node whose kernel lacks $LACKS, although the front end's does not.
    cat >proctor <<PROCTOR
#!/bin/sh
exec "$PWD/bin/lacking" "\$LACKS" "$REPO/${PARAGRADE_BUILD:-build}/libexec/paragrade/proctor" "\$@"
PROCTOR
    chmod +x proctor
    # One case, one tier per kind of driver that every machine has.
    cat >any.yaml <<YAML
name: any
kernel: gemm
type: i32
reference: $REPO/reference/gemm
baseline: naive
yardstick: naive
sanitized: off
correctness: {random: 1, max: 9, edges: no}
performance: {sizes: [64], budget: 10ms, min_sample: 1ms, quiet_node: false}
submit: {retries: 0, poll: 500ms}
tiers:
  - {name: naive, sources: [naive.c], points: {correct: 8},
     compile: "gcc -O2 -fwrapv -fPIC -shared -I{abi} -o {out} {src}"}
  - {name: simd, sources: [simd.c], compile: "gcc -O3 -mavx2 -fwrapv -fPIC -shared -I{abi} -o {out} {src}"}
  - {name: mpi, kind: mpi, sources: [mpi.c], ranks: [2], points: {correct: 8},
     launcher: "mpirun --mca mpi_yield_when_idle 1 --oversubscribe -n {ranks}", requires: [{command: mpicc}, {command: mpirun}],
     compile: "mpicc -O3 -mavx2 -fwrapv -fPIC -shared -fopenmp -DPARAGRADE_MPI -I{abi} -o {out} {src}"}
YAML
    if has_acc; then
        cat >>any.yaml <<YAML
  - {name: acc, kind: openacc, sources: [openacc.c], points: {correct: 8},
     compile: "gcc -O2 -fwrapv -fopenacc -foffload=disable -fPIC -shared -DPARAGRADE_OPENACC -I{abi} -o {out} {src}"}
YAML
    fi
    { cat any.yaml && echo 'protections: [landlock, seccomp]'; } >strict.yaml
}

setup() {
    under=()
    cd "$BATS_FILE_TMPDIR" || exit 1
    export ACC_DEVICE_TYPE=host
    has landlock || skip "this kernel has no Landlock"
    has seccomp || skip "there is no seccomp here"
}

names() { sed -nE 's/^PROTECTION\([A-Z]+, "([a-z-]+)".*/\1/p' "$REPO/grader/model/protection.def"; }

has() { # PROTECTION: by the doctor
    jq -e --arg p "$1" 'any(.topic == $p and .state == "ok")' doctor.json >/dev/null
}

# One submission, without units of the reference; the run is RUN/*.
try() { # STATUS RUN ASSIGNMENT [OPTION...]
    run "-$1" "${under[@]}" "$PARAGRADE" check -q -a "$3.yaml" --reports "$2" "${@:4}" subs/me
}

recorded() { # RUN UNIT: names, one a line
    jq -r '.protections[]' "$1"/*/units/"$2"/result.json
}

has_mpi() { command -v mpicc mpirun >/dev/null; }

# On the host, where there is no GPU; in the domain and behind the filter of GPU tiers.
has_acc() { [ -x "${PARAGRADE%/bin/*}/libexec/paragrade/driver-openacc" ]; }

# Units that can run here: one for each kind of driver.
units() {
    echo me.naive
    if has_mpi; then echo me.mpi; fi
    if has_acc; then echo me.acc; fi
}

@test "protections: the doctor names each as assignments do, and says what the lack of one means" {
    local p
    [ "$(names | wc -l)" -ge 6 ]
    for p in $(names); do
        run -0 jq -r --arg p "$p" '.[] | select(.topic == $p) | .state, .meaning' doctor.json
        assert_line --index 0 --regexp '^(ok|warning)$'
        grep -q "^| \`$p\`" "$REPO/docs/security.md" || fail "docs/security.md does not explain $p"
    done
    run -0 bin/lacking landlock "$PARAGRADE" doctor
    assert_output --regexp $'\nlandlock +warning +no\n +student code can read'
    assert_line --regexp '^landlock-scopes +warning +no'
    assert_line --regexp '^seccomp +ok'
    run -0 bin/lacking namespaces "$PARAGRADE" doctor
    assert_output --regexp $'\nnamespaces +warning +no\n +MPI tiers can use up'
    run -0 bin/lacking seccomp "$PARAGRADE" doctor
    assert_output --regexp $'\nseccomp +warning +no\n +student code may start processes'
    assert_line --regexp '^landlock +ok'
}

@test "protections: what was in force is recorded, for every kind of driver, in all reports" {
    try 0 all strict
    local u p expected run
    run=$(echo all/any-*)
    for u in $(units); do
        for p in $(names); do
            expected=no
            if has "$p"; then expected=yes; fi
            if recorded all "$u" | grep -qx "$p"; then run echo yes; else run echo no; fi
            assert_output "$expected"
        done
        expected=$(recorded all "$u" | paste -sd' ')
        run -0 grep "^${u/./,},pass," "$run/units.csv"
        assert_output --partial ",$expected,"
        run -0 jq -r --arg u "$u" '.submissions[].units[] | select(.unit == $u).protections | join(" ")' "$run/receipts.json"
        assert_output "$expected"
        run -0 bash -c "'$PARAGRADE' report --json $run 2>/dev/null | jq -r '.units[] | select(.unit == \"$u\").protections | join(\" \")'"
        assert_output "$expected"
    done
    # What was not built has none, and that is not the same.
    run -0 grep '^me,simd,missing,' "$run/units.csv"
    refute_output --partial none
    run -0 "$PARAGRADE" verify "$run"
}

@test "protections: a unit that does not compile has those of the compiler" {
    run -1 "$PARAGRADE" check -q -a strict.yaml --tier naive --reports reports broken
    run -0 jq -c '[.verdict, (.protections | index("landlock") != null), (.protections | index("seccomp") != null)]' \
        reports/any-*/units/broken.naive/result.json
    assert_output '["build-error",true,false]'
}

@test "protections: a node that lacks one is recorded, and where nothing is required goes on" {
    local u
    PARAGRADE_PROCTOR=$PWD/proctor LACKS=seccomp try 0 no-seccomp any
    for u in $(units); do # each has a driver of its own
        run recorded no-seccomp "$u"
        refute_line seccomp
        assert_line landlock
    done
    PARAGRADE_PROCTOR=$PWD/proctor LACKS=landlock try 0 no-landlock any --tier naive
    run recorded no-landlock me.naive
    refute_line --partial landlock
    assert_line seccomp
    PARAGRADE_PROCTOR=$PWD/proctor LACKS=namespaces try 0 no-namespaces any
    run recorded no-namespaces me.naive
    assert_line seccomp
    refute_line namespaces
    if has_mpi; then
        run recorded no-namespaces me.mpi
        refute_line namespaces
        assert_line seccomp
    fi
}

@test "protections: a node that lacks a required one is an infra-error, before anything is compiled or run" {
    local lacks u
    for lacks in landlock seccomp; do
        PARAGRADE_PROCTOR=$PWD/proctor LACKS=$lacks try 1 bad-$lacks strict
        for u in $(units); do
            grep -q "^${u/./,},infra-error,,," bad-$lacks/*/units.csv || fail "$lacks: $u has a verdict"
            run cat bad-$lacks/*/units/"$u"/infra-*.json
            assert_output --partial "the node $(hostname) lacks what the assignment requires (protections: $lacks); without $lacks student code"
            refute_output --partial unexplained
        done
    done
    # A compiler had refused this.
    PARAGRADE_PROCTOR=$PWD/proctor LACKS=landlock run -1 \
        "$PARAGRADE" check -q -a strict.yaml --tier naive --reports bad-source broken
    grep -q '^broken,naive,infra-error,' bad-source/*/units.csv
    run -0 "$PARAGRADE" replay bad-landlock/any-* me.naive 0
}

@test "protections: one rank without the filter is a driver without" {
    has_mpi || skip "no MPI here"
    cat >bin/uneven <<'LAUNCHER'
#!/bin/sh
exec mpirun --oversubscribe -n 1 "$2" : -n 1 lacking seccomp "$2"
LAUNCHER
    chmod +x bin/uneven
    sed 's/mpirun .* -n {ranks}/uneven {ranks}/' any.yaml >uneven.yaml
    PATH=$PWD/bin:$PATH try 0 uneven uneven --tier mpi
    run recorded uneven me.mpi
    refute_line seccomp
    assert_line landlock
}

@test "protections: a machine that lacks a required one is refused up front" {
    local lacks command
    for lacks in landlock seccomp; do
        for command in grade check; do
            run -2 bin/lacking $lacks "$PARAGRADE" $command -a strict.yaml --reports none subs/me
            assert_output --partial "this machine lacks what the assignment requires (protections: $lacks)"
            assert_output --partial 'paragrade check --unprotected'
            assert [ ! -e none ]
        done
    done
    # So is a run that was planned elsewhere, and a replay.
    PARAGRADE_PROCTOR=/bin/false try 1 elsewhere strict --tier naive
    rm elsewhere/*/units/me.naive/infra-*.json
    run -2 bin/lacking landlock "$PARAGRADE" resume -q elsewhere/any-*
    assert_output --partial 'this machine lacks'
    run -1 bin/lacking landlock "$PARAGRADE" replay elsewhere/any-* me.naive 0
    assert_output --partial 'lacks what the assignment requires'
    # And a regrade, before it changes the run.
    "$PARAGRADE" grade -q --tier naive -a strict.yaml --run-id changed --reports changed subs >/dev/null
    run -2 bin/lacking landlock "$PARAGRADE" regrade --only me changed/changed
    assert_output --partial 'this machine lacks what the assignment requires'
    run -0 "$PARAGRADE" verify changed/changed
}

@test "protections: students may test their own code without, and are not told that they had any" {
    local under=(bin/lacking landlock)
    try 0 own strict --unprotected --tier naive
    run recorded own me.naive
    refute_line landlock
    assert_line seccomp
    run -2 "$PARAGRADE" grade -q --unprotected -a strict.yaml subs
}

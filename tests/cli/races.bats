#!/usr/bin/env bats
# Races are found, and called races; what has none is never called one. RACES_AGAIN=20 grades the
# well-known race as often as that.

load ../helpers/common

RACES=$REPO/tests/fixtures/races
AGAIN=${RACES_AGAIN:-0}

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    local f name tier i
    mkdir subs
    for f in "$RACES"/*.c; do
        name=$(basename "$f" .c)
        tier=${name#*.}
        mkdir -p "subs/${name%.*}"
        cp "$f" "subs/${name%.*}/$tier.c"
    done
    for ((i = 1; i <= AGAIN; i++)); do cp -r subs/collapse "subs/again-$i"; done
    "$PARAGRADE" grade -q -a "$REPO/tests/fixtures/races.yaml" --run-id r subs >out.txt 2>&1 ||
        { cat out.txt && return 1; }
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

row() { grep "^$1,$2," reports/r/units.csv; } # SUBMISSION TIER

SHARE='a race: the same values give different results; [0-9]+ of [0-9]+ runs failed'

racy() { # SUBMISSION TIER
    run row "$1" "$2"
    assert_output --partial wrong-answer
    assert_output --regexp "$SHARE"
    refute_output --partial 'when rows are divided'
}

honest() { # SUBMISSION TIER
    run row "$1" "$2"
    assert_output --partial ",pass,"
    run grep "^$1,$2,.*race" reports/r/cases.csv
    refute_output
}

@test "races: the well-known one, in every grading" {
    local i
    racy collapse openmp
    for ((i = 1; i <= AGAIN; i++)); do racy "again-$i" openmp; done
}
@test "races: a reduction that is missing" { racy reduction openmp; }
@test "races: a temporary that threads share" { racy temporary openmp; }
@test "races: a counter of POSIX threads" { racy counter openmp; }
@test "races: a few elements, nearly always right" { racy last_row openmp; }
@test "races: between the threads of MPI ranks" { racy hybrid mpi; }

remarks() { # SUBMISSION TIER
    sed -nE 's/.*"remarks": "(.*)".*/\1/p' "reports/r/units/$1.$2/result.json"
}

@test "races: one that optimisation hides passes, with a remark that names the variables" {
    run row hidden openmp
    assert_output --partial ',pass,'
    run -0 "$PARAGRADE" report --student hidden r
    # It spoils a result or an index, whichever comes first.
    assert_line --regexp '  remark: a build without optimisation \(-O0\) (gives wrong results|fails): a race: '
    assert_line --partial ': a race: threads share and write j (openmp.c:10), sum (openmp.c:11), k (openmp.c:12): declare it in the loop, or use private(...), or reduction(...) for a sum'
    run remarks atomic openmp
    refute_output
    run remarks pool openmp
    refute_output
}

@test "races: tasks that share a variable which changes pass, with a remark that names both lines" {
    run row tasks openmp
    assert_output --partial ',pass,'
    run remarks tasks openmp
    assert_output 'openmp.c:8: i changes here, but tasks of openmp.c:9 share it and may run later: give each its own with firstprivate(i)'
}

@test "races: none, but private copies that are not set, in a build that passes" {
    run row private openmp
    assert_output --partial ',pass,'
    run remarks private openmp
    assert_output --partial 'no race, since it is also wrong with one worker'
}

@test "races: what is told of one once is not told again, but the variables are" {
    run remarks reduction openmp
    refute_output --partial 'probably a race'
    assert_output --regexp '^threads share and write [a-z]+ \(openmp.c:[0-9]+\): declare it'
}

@test "races: a table that is too short passes, with a remark that names its line" {
    local says='naive.c:12: writes outside of a static or global array, row (400 bytes), declared at naive.c:4'
    run row hidden naive
    assert_output --partial ',pass,'
    assert_output --partial "$says"
    assert_output --partial 'without optimisation, with AddressSanitizer: '
    run -0 "$PARAGRADE" report --student hidden r
    assert_line --partial "  remark: $says"
    run -0 jq -r '.units[] | select(.unit == "hidden.naive") | .remarks[0]' \
        <("$PARAGRADE" report --json r)
    assert_output --partial "$says"
    run -0 "$PARAGRADE" report --details r
    assert_line --regexp '^Remarks \(no points depend on them\)'
    assert_line --regexp 'hidden.naive +naive.c:12'
}

@test "races: the second build decides where the assignment says so, and is left out on request" {
    local rule
    for rule in verdict off; do
        sed "s|^tiers:|sanitized: $rule\n&|; s|\.\./\.\./reference|$REPO/reference|" \
            "$REPO/tests/fixtures/races.yaml" >"$rule.yaml"
    done
    run -1 "$PARAGRADE" check -q --no-timing -a verdict.yaml -t openmp --reports v subs/hidden
    assert_line --regexp '^openmp +(wrong-answer|wrote-out-of-bounds|crash)'
    assert_output --regexp 'a build without optimisation \(-O0\) (gives wrong results|fails): a race: '
    run -0 "$PARAGRADE" verify v/*
    run -0 "$PARAGRADE" check -q --no-timing -a off.yaml -t naive -t openmp --reports o subs/hidden
    refute_output --partial remark
}

# A core for two threads: they change places where the second build lets them.
@test "races: the second build finds one on one core as well" {
    sed "s|^tiers:|sanitized: verdict\n&|; s|\.\./\.\./reference|$REPO/reference|; s|edges: yes|edges: no, random: 2|" \
        "$REPO/tests/fixtures/races.yaml" | sed 's/random: 0, //' >core.yaml
    run -1 taskset -c 0 "$PARAGRADE" check -q --no-timing -a core.yaml -t openmp --reports c subs/hidden
    assert_output --partial 'a race: threads share and write j (openmp.c:10), sum (openmp.c:11)'
}

@test "races: honest threads pass: the reference, atomic additions, POSIX threads" {
    honest reference openmp
    honest reference mpi
    honest atomic openmp
    honest pool openmp
}

@test "races: what is wrong every time keeps its pattern" {
    run row thirds openmp
    assert_output --partial wrong-answer
    assert_output --partial 'never written'
    refute_output --partial race
}

# What looks like a race, and is none: the sentence that names it, and commands that show it.
other_cause() { # SUBMISSION SENTENCE COMMANDS
    local again commands
    run row "$1" openmp
    assert_output --partial "$2"
    refute_output --partial 'a race'
    mapfile -t commands < <("$PARAGRADE" report --student "$1" r | sed -nE 's/.*paragrade (replay .*)/\1/p')
    [ "${#commands[@]}" -ge "$3" ] || fail "no command"
    for again in "${commands[@]}"; do
        # shellcheck disable=SC2086
        run "$PARAGRADE" $again
        assert_failure 1
        assert_output --partial "$2"
        refute_output --partial 'a race'
    done
}

@test "races: none, but sums that are kept from call to call" {
    other_cause kept 'the first call in a new process is right' 1
}
@test "races: none, but memory that was never set" {
    other_cause unset 'right if malloc() returns zeros' 1
}
@test "races: none, but a buffer with the size of the first call" {
    other_cause first_size 'alone in a new process this case is right' 1
}
@test "races: what lies beside an input is the same in each process, and named where it is used" {
    local again
    mkdir -p beside
    printf '%s\n' '#include "dot.h"' 'double dot_f64(int n, const double *x, const double *y)' '{' \
        '    double s = 0;' '    for (int i = 0; i < n; i += 2)' \
        '        s += x[i] * y[i] + x[i + 1] * y[i + 1];' '    return s;' '}' >beside/naive.c
    run -1 "$PARAGRADE" check -q --no-timing -a "$REPO/testcases/dot/assignment.yaml" --reports b beside
    assert_output --partial 'bytes beside an input are used'
    again=$(sed -nE 's/.*again: paragrade (replay .*)/\1/p' <<<"$output")
    # shellcheck disable=SC2086
    run -1 "$PARAGRADE" $again
    assert_output --partial 'bytes beside an input are used'
}
@test "races: none, but threads that nobody waits for, whatever ends the process" {
    other_cause left 'the function returns before its threads are done' 1
    refute_output --partial 'stack'
}

# Large problems fail by chance only: the function works for longer than its threads.
@test "races: threads that nobody waits for are found, though they are mostly done in time" {
    mkdir -p in_time
    sed 's|^    }$|&\n    for (volatile int i = 0; i < 5000000 \&\& M > 2; i++) {}|; s|k < s->K|& \&\& k < 4|' \
        "$RACES/left.openmp.c" >in_time/openmp.c
    run -1 "$PARAGRADE" check -q --no-timing -a "$REPO/tests/fixtures/races.yaml" --reports i -t openmp in_time
    assert_output --partial 'the function returns before its threads are done'
}

@test "races: threads in MPI ranks are tried with more threads" {
    run grep -c '^reference,mpi,.*,1,3,' reports/r/cases.csv
    refute_output 0
    run grep -c '^reference,mpi,.*,2,16,' reports/r/cases.csv
    refute_output 0
}

@test "races: the hint repeats often enough to show it, and replay names the share" {
    local again
    again=$("$PARAGRADE" report --student last_row r | sed -nE 's/.*paragrade (replay .*)/\1/p' | head -n 1)
    [[ $again == *" --repeat "* ]] || fail "no --repeat: $again"
    # While another guest of the host has one of two cores, races hardly show: three attempts.
    for _ in 1 2 3; do
        # shellcheck disable=SC2086
        run "$PARAGRADE" $again
        [ "$status" = 0 ] || break
    done
    [ "$status" = 1 ] || fail "$again: $output"
    assert_output --regexp "$SHARE"
    assert_output --regexp '\([0-9]+ of [0-9]+ runs failed\)'
}

@test "races: what compiles slowly without optimisation costs the time of one build" {
    mkdir -p bin slow
    cp "$REPO"/reference/gemm/{naive.c,*.h} slow/
    cat >bin/slowcc <<'SH'
#!/bin/sh
case "$*" in *-O0*) exec sleep 60 ;; esac
exec gcc "$@"
SH
    chmod +x bin/slowcc
    sed "s/^limits: {/&build: 4s, /; s|^reference: .*|reference: $REPO/reference/gemm|; s/compile: gcc/compile: slowcc/" \
        "$REPO/tests/fixtures/races.yaml" >slow.yaml
    PATH=$PWD/bin:$PATH run -0 "$PARAGRADE" check -a slow.yaml --tier naive --no-timing --reports slow.r slow
    run -0 jq -e '.sanitized, .total_seconds < 12' slow.r/*/units/slow.naive/result.json
    assert_line --partial 'not built: the compiler ran longer than'
}

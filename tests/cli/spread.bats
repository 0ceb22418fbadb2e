#!/usr/bin/env bats
# Operands of MPI tiers that are not on rank 0 alone: blocks of rows, and operands on all ranks.

load ../helpers/common

# The reference, changed in one place.
wrong() { # SUBMISSION COMMAND_OF_SED
    mkdir -p "class/$1"
    sed "$2" "$REPO/tests/fixtures/spread/reference/mpi.c" >"class/$1/mpi.c"
    ! cmp -s "$REPO/tests/fixtures/spread/reference/mpi.c" "class/$1/mpi.c" || fail "$1 changes nothing"
}

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    wrong lonely '1i #define ONE_RANK' # only rank 0 has the sum
    wrong past '1i #define PAST'
    wrong beyond 's/^#define READ(i) .*/#define READ(i) x[first + (i)]/' # as if it had all of x
    wrong grow '1i #include "grow.h"
        /MPI_Comm_size/a grow(x, (int)((int64_t)n * (rank + 1) / ranks - (int64_t)n * rank / ranks), comm);'
    cp "$REPO/tests/fixtures/spread/grow.h" class/grow
    wrong local 's/^#define ROW(i) .*/#define ROW(i) (i)/'               # as if it had all rows
    "$PARAGRADE" grade -q -a "$REPO/tests/fixtures/spread/assignment.yaml" --run-id spread class >out 2>err || [ $? = 1 ] || {
        cat err
        return 1
    }
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

# Ranks may have no rows: there are cases of one row.
@test "spread: each rank has its block, what is on all ranks, and nothing else" {
    local s
    for s in 'reference mpi pass' 'lonely mpi wrong-answer' 'local mpi wrong-answer' \
        'beyond mpi crash' 'grow mpi crash' 'past mpi wrote-out-of-bounds'; do
        grep -qx "$s" <(verdicts reports/spread) || {
            cat out
            fail "it is not: $s"
        }
    done
}

@test "spread: messages say on which rank" {
    run -0 cat out
    assert_line --regexp '^lonely.mpi .*: sum\[0\] on rank [12] \(.*\): expected .*; never written$'
    assert_line --regexp '^past.mpi .*: wrote past the end of y on rank 1$'
    assert_line --regexp '^beyond.mpi .*: read past the end of x; in mix_mpi \(mpi.c:[0-9]+\)'
    run -0 grep '^local,mpi' reports/spread/units.csv
    assert_output --partial 'only rows that rank 1 of 2 has when rows are divided evenly'
}

@test "spread: header, template and page say what each rank has" {
    local what a="$REPO/tests/fixtures/spread/assignment.yaml" text
    for what in header page 'template mpi'; do
        # shellcheck disable=SC2086 # two words
        set -- $what
        text=$("$PARAGRADE" kernel "$1" "$a" ${2+"$2"} | sed 's/^ \* //' | tr '\n' ' ')
        [[ $text == *'rank r of p has a block of x (R = n), y (R = n), z (R = n), from row'* ]] ||
            fail "$what: $text"
        [[ $text == *'c, sum: each rank has all of it'*'w, hist: rank 0 has it'* ]] || fail "$what: $text"
    done
}

@test "spread: what makes no sense is refused" {
    local place rest
    cp -r "$REPO/tests/fixtures/spread" refused
    while IFS='|' read -r place rest; do
        sed "$place" "$REPO/tests/fixtures/spread/kernel/mix.yaml" >refused/kernel/mix.yaml
        run -2 "$PARAGRADE" kernel page refused/assignment.yaml
        assert_output --partial "$rest"
    done <<'EDITS'
s/w: {size: \[m\]}/w: {size: [m], on: some}/|'operands.w.on'
s/return: {on: all}/return: {on: block}/|the result is one number, which has no blocks: root or all
s/return: {on: all}/return: {size: [1]}/|operands.return
EDITS
    cp "$REPO/tests/fixtures/spread/kernel/mix.yaml" refused/kernel
    sed -i 's/ ranks: \[3\]/ nodes: [2]\n    ranks_per_node: 1/' refused/assignment.yaml
    run -2 "$PARAGRADE" kernel page refused/assignment.yaml
    assert_output --partial 'mix.yaml gives operands to all ranks (on: all, on: block), which is possible on one node only'
}

@test "spread: an exported program gives each rank what the grader gives it" {
    local name
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    for name in reference lonely local; do
        run -0 "$PARAGRADE" replay --export "$name" reports/spread "$name.mpi" 2x3
        if [ "$name" = reference ]; then
            run -0 make -C "$name" run RUNS=2
            assert_line '0 of 2 runs failed'
        else
            run ! make -C "$name" run RUNS=2
            assert_line '2 of 2 runs failed'
        fi
        [ $name != lonely ] || assert_line --regexp '^sum\[0\] on rank 1: expected '
        [ $name != local ] || assert_line --regexp '^y\[1\]\[[12]\] on rank [12]: expected '
    done
}

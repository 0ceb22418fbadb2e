#!/usr/bin/env bats
# shellcheck disable=SC2154
# paragrade start: what a student begins with, for every assignment that is shipped.

setup() {
    load ../helpers/common
    cd "$BATS_TEST_TMPDIR" || exit 1
    export TMPDIR=$BATS_TEST_TMPDIR/tmp
    mkdir "$TMPDIR"
}

@test "start: wrong arguments" {
    run -2 "$PARAGRADE" start
    run -2 "$PARAGRADE" start a b
    run -2 "$PARAGRADE" start -a nowhere.yaml w
    run -2 "$PARAGRADE" start -t simd,nope w
    assert_output --partial "there is no tier 'nope'; the assignment has naive, simd"
    assert [ ! -e w ]
}

@test "start: for every assignment, sources for all tiers, the header, a README of ten lines" {
    local f dir source
    find "$REPO/testcases" -name '*.yaml' -not -path '*/kernel/*' | while read -r f; do
        dir=w/$(basename "$f" .yaml)
        rm -rf "$dir"
        "$PARAGRADE" start -a "$f" "$dir" >/dev/null
        assert_equal "$(wc -l <"$dir/README.md")" 10
        [ "$(wc -L <"$dir/README.md")" -le 130 ]
        # the comments of the commands stand in one column, two blanks after the longest
        assert_equal "$(awk '/^ .*  #/ {print index($0, "# ")}' "$dir/README.md" | sort -u | wc -l)" 1
        grep -q '[^ ]  # ' "$dir/README.md"
        compgen -G "$dir/*.h" >/dev/null
        # Each compiles, without a warning, where its compiler is here.
        for source in $(compgen -G "$dir/*.c"); do
            case $(cat "$source") in
            *adapter*) ;;
            *mpi*MPI_Comm*) ! command -v mpicc >/dev/null || mpicc -DPARAGRADE_MPI -Wall -Wextra -Werror -c -o o.o "$source" ;;
            *_acc\(*) gcc -DPARAGRADE_OPENACC -Wall -Wextra -Werror -c -o o.o "$source" ;;
            *) gcc -Wall -Wextra -Werror -c -o o.o "$source" ;;
            esac
        done
    done
}

@test "start: what nobody has touched is not yet written; once touched it is graded, and every case fails" {
    local check=("$PARAGRADE" check -q --no-timing -a "$REPO/testcases/spmm/spmm.yaml")
    "$PARAGRADE" start -a "$REPO/testcases/spmm/spmm.yaml" w
    run -1 "${check[@]}" --no-wait -p quick w
    assert_output --partial 'is not yet written'
    refute_output --partial ' failed'
    # Nothing is compared with the reference, so it does not run.
    assert [ -z "$(compgen -G "$TMPDIR/paragrade-*/*/units/reference.*")" ]
    run -1 "${check[@]}" --gcc-style w
    assert_output --regexp ': note: missing: .* is not yet written'
    refute_output --partial ': error: '
    sed -i 's/your turn/mine/' w/*.c*
    run -1 "${check[@]}" --no-wait -p quick w
    refute_output --partial build-error
    refute_output --partial forbidden
    refute_output --partial '  pass'
    assert_output --partial wrong-answer
}

@test "start: what is there stays; the tiers that are named; the directory of the assignment" {
    mkdir w
    echo mine >w/simd.c
    run -0 "$PARAGRADE" start -t simd,naive w
    assert_output '3 new files in w, 1 that was there stays; begin with w/README.md'
    assert_equal "$(cat w/simd.c)" mine
    assert [ ! -e w/openmp.c ]
    sed -e "s|\.\./\.\./|$REPO/|" -e '1i directory: project2/src' "$REPO/tests/fixtures/small.yaml" >a.yaml
    run -0 "$PARAGRADE" start -a a.yaml x
    assert [ -e x/project2/src/naive.c ]
    assert [ -e x/project2/src/gemm.h ]
    run -1 "$PARAGRADE" check -q --no-timing -a a.yaml x/project2/src/naive.c
    assert_output --partial 'naive.c is not yet written'
    refute_output --partial openmp
}

# The fixtures give the assignment by PARAGRADE_ASSIGNMENT; students do not.
@test "start: in another language than C, no source is invented; the template may have one" {
    sed "s|sources: \[naive.c, naive.cpp\]|sources: [naive.f90]|; s|\.\./\.\./|$REPO/|" "$PARAGRADE_ASSIGNMENT" >a.yaml
    "$PARAGRADE" start -a a.yaml -t naive,simd w
    assert_equal "$(cd w && echo *)" 'README.md gemm.h simd.c'
    mkdir t
    echo '! your turn' >t/naive.f90
    sed -i '1i template: t' a.yaml
    "$PARAGRADE" start -a a.yaml -t naive w
    assert [ -e w/naive.f90 ]
}

@test "start: check takes the assignment of start; the first command of the README works where it stands" {
    unset PARAGRADE_ASSIGNMENT
    mkdir 'a course'
    cp "$REPO/tests/fixtures/small.yaml" 'a course/a.yaml'
    sed -i "s|reference: .*|reference: $REPO/reference/gemm|" 'a course/a.yaml'
    "$PARAGRADE" start -a 'a course/a.yaml' v
    run -1 bash -c "cd v; $(sed -n "s|.*paragrade check -a|'$PARAGRADE' check -q --no-timing -a|p" v/README.md)"
    assert_output --partial 'is not yet written'
    run -0 "$PARAGRADE" start -t naive -a "$REPO/testcases/dot/assignment.yaml" w
    cd "$REPO" # has another assignment in testcases/
    run -1 "$PARAGRADE" check --no-timing --reports "$BATS_TEST_TMPDIR/r" "$BATS_TEST_TMPDIR/w"
    assert_output --partial "the assignment of paragrade start: $REPO/testcases/dot/assignment.yaml"
    assert_output --partial 'naive.c is not yet written'
    refute_output --partial build-error
    cd "$BATS_TEST_TMPDIR/w"
    run -0 sed -n 's/^    paragrade check -a //p' README.md
    run -1 "$PARAGRADE" check -q --no-timing --reports "$BATS_TEST_TMPDIR/r" -a "$output"
    assert_output --partial 'naive.c is not yet written'
    # A note whose assignment is gone is no obstacle.
    mkdir ../y
    echo /nowhere.yaml >../y/.paragrade
    run "$PARAGRADE" check --no-timing --reports "$BATS_TEST_TMPDIR/other" ../y
    refute_output --partial nowhere
}

#!/usr/bin/env bats
# Courses with functions or programs of their own: the three examples of docs/adapters.md, and what
# can go wrong with several source files and with adapters.

load ../helpers/common

setup() { cd "$BATS_TEST_TMPDIR" || return 1; }

ADAPTERS=$REPO/testcases/adapters

example() { # NAME
    run -0 "$PARAGRADE" check -q -a "$ADAPTERS/$1/assignment.yaml" --reports . "$ADAPTERS/$1/submission"
    assert_output --partial ' pass '
    assert_output --partial '10.0 of 10 points'
}

own() { # NAME: the example's submission and assignment, to be changed
    cp -r "$ADAPTERS/$1" .
    sed -i "s|reference: .*|reference: $REPO/reference/gemm|; /^template:/d" "$1/assignment.yaml"
}

check_own() { # NAME
    run "$PARAGRADE" check -q -a "$1/assignment.yaml" --reports reports "$1/submission"
}

@test "adapters: a matrix class" { example matrix; }
@test "adapters: arrays of rows, squares only, several source files" { example rows; }
@test "adapters: a program with main, load and save" { example program; }

@test "adapters: a wrong result is found through each of them" {
    local name
    for name in matrix:multiply.cpp:+=:-= rows:lib/dot.c:+=:-= program:product.c:+=:-=; do
        IFS=: read -r name file from to <<<"$name"
        own "$name"
        sed -i "s/$from/$to/" "$name/submission/$file"
        run "$PARAGRADE" check -q -a "$name/assignment.yaml" --reports "$name" "$name/submission"
        assert_failure
        assert_output --partial 'wrong-answer'
    done
}

# Many programs end main without return, which only main may in C++.
@test "adapters: a C++ program whose main ends without return" {
    own program
    sed '/return 0;/d; s/= calloc/= (int *)calloc/' program/submission/product.c >program/submission/product.cpp
    rm program/submission/product.c
    check_own program
    assert_success
    assert_output --partial '10.0 of 10 points'
    # The exported program has two of them.
    local run=(reports/*/)
    run -0 "$PARAGRADE" replay --export out "${run[0]}" submission.product 3
    run -0 make -C out run
    assert_output --partial '0 of 1 runs failed'
    sed -i 's/+=/-=/' out/src/product.cpp
    run make -C out run
    assert_output --partial '1 of 1 runs failed'
}

@test "adapters: a function that is missing is named, without a line of the adapter" {
    own rows
    sed -i 's/matMul/matmul/' rows/submission/matmul.c
    check_own rows
    assert_failure
    assert_output --partial 'build-error'
    assert_output --partial 'calls matMul, but does not define it'
    refute_output --partial 'paragrade_adapter'
}

@test "adapters: one that cannot be read is refused up front" {
    own rows
    rm rows/adapter.c
    check_own rows
    assert_equal "$status" 2
    assert_output --partial "assignment.yaml: the adapter of the tier 'matmul'"
    assert_output --partial 'adapter.c: No such file'
}

@test "adapters: receipts cover every file, and verify finds one that was changed" {
    own rows
    run -0 "$PARAGRADE" grade -q -a rows/assignment.yaml --run-id r rows/submission
    run -0 jq -r '.submissions[] | select(.id == "submission").units[0].sources_sha256 | keys[]' \
        reports/r/receipts.json
    assert_output "$(printf '%s\n' lib/dot.c lib/include/dot.h matmul.c paragrade_adapter)"
    run -0 "$PARAGRADE" verify r
    chmod -R u+w reports/r
    echo '/* changed */' >>reports/r/sources/submission/lib/dot.c
    run -1 "$PARAGRADE" verify r
    assert_output --partial 'lib/dot.c'
    cp rows/submission/lib/dot.c reports/r/sources/submission/lib/dot.c
    echo '/* changed */' >>reports/r/adapters/matmul.c
    run -1 "$PARAGRADE" verify r
    assert_output --partial 'adapters/matmul.c'
}

@test "adapters: further sources that are links are left out, and named" {
    own rows
    mv rows/submission/lib/dot.c dot.c
    ln -s "$PWD/dot.c" rows/submission/lib/dot.c
    check_own rows
    assert_failure
    assert_output --partial 'submission: lib/dot.c left out'
    assert_output --partial 'calls dot, but does not define it'
}

@test "adapters: an exported case has all sources and the adapter" {
    local name
    for name in matrix rows program; do
        PARAGRADE_PROCTOR=$REPO/tests/fixtures/fake-proctor run "$PARAGRADE" grade -q \
            -a "$ADAPTERS/$name/assignment.yaml" --run-id "$name" "$ADAPTERS/$name/submission"
        local unit
        unit=$(jq -r '.units[] | select(.id | startswith("submission.")).id' "reports/$name/plan.json")
        run -0 "$PARAGRADE" replay --export "$name" "$name" "$unit" 3
        run -0 make -C "$name" run
        assert_output --partial '0 of 1 runs failed'
    done
}

@test "adapters: names that a compiler or make could misunderstand are left out, and named" {
    own rows
    sed -i 's|with: .*|with: ["lib/*.c", "*/*.c"]|' rows/assignment.yaml
    mkdir -p rows/submission/-fplugin=d rows/submission/@d
    echo '#error taken' | tee rows/submission/-fplugin=d/p.c rows/submission/@d/o.c \
        rows/submission/lib/$'x\nX!=touch PWNED\nY=.c' >rows/submission/lib/'a b.c'
    check_own rows
    assert_success
    assert_output --partial 'submission: %2Dfplugin%3Dd/p.c left out'
    assert_output --partial 'submission: lib/a%20b.c left out: names of sources may have letters'
    assert_output --partial '10.0 of 10 points'
}

@test "adapters: a directory or header that is called like the adapter changes nothing" {
    own rows
    mkdir rows/submission/paragrade_adapter.c
    echo '#error taken' >rows/submission/paragrade_adapter.c/x.h
    check_own rows
    assert_success
    assert_output --partial '10.0 of 10 points'
}

@test "adapters: what only the adapter includes is searched for pragmas" {
    own matrix
    sed -i 's/^kernel:/pragmas: forbid\nkernel:/' matrix/assignment.yaml
    sed -i '/include "matrix.h"/a #include "extra.h"' matrix/adapter.cpp
    echo '#pragma GCC optimize("Ofast")' >matrix/submission/extra.h
    check_own matrix
    assert_failure
    assert_output --partial 'extra.h:1: #pragma GCC optimize'
    assert_output --partial 'forbidden'
}

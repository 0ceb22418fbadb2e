#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# Courses with functions or programs of their own: the adapters and examples of docs/adapters.md, and
# what can go wrong with several source files and with adapters.

load ../helpers/common

ADAPTERS=$REPO/testcases/adapters

tiers_of() { awk '$1 == "-" && $2 == "name:" { print $3 }' "$ADAPTERS/$1.yaml"; } # ASSIGNMENT

setup_file() {
    load ../helpers/common
    local a s
    cd "$BATS_FILE_TMPDIR" || exit 1
    # The second build, with the adapter, is for programs that crash.
    cp -r "$ADAPTERS" plain
    sed -Ei "s,^(reference|kernel): \.\./,\1: $ADAPTERS/../,; /^kernel:/a sanitized: off
        /^correctness:/s/\}/, smallest_time: 50ms}/" plain/*.yaml
    for a in gemm-i32 gemm-f64 spmv heat; do
        for s in right wrong other crash; do
            [[ $a != gemm* && $s =~ other|crash ]] ||
                "$PARAGRADE" check -q --no-timing --no-wait -a "$([ $s = crash ] && echo "$ADAPTERS" || echo plain)/$a.yaml" --reports "$a-$s" \
                    "$ADAPTERS/examples/$s" >"$a-$s.txt" 2>&1 || [ $? = 1 ]
        done
    done
}

setup() { cd "$BATS_TEST_TMPDIR" || return 1; }

expect() { # ASSIGNMENT SUBMISSION TIER VERDICT
    local graded=$BATS_FILE_TMPDIR/$1-$2
    has_verdict "$graded"/* "${@:2}" "$graded.txt"
}

@test "adapters: through each of them, a right program passes, and a wrong one is wrong" {
    local a tier
    for a in gemm-i32 gemm-f64 spmv heat; do
        for tier in $(tiers_of "$a"); do
            expect "$a" right "$tier" pass
            expect "$a" wrong "$tier" wrong-answer
        done
    done
}

# Many programs in C++ end main without return, which only main may.
@test "adapters: programs in C++, with files and with stdin, and a class and a function with other names" {
    expect gemm-i32 other matrix-class pass
    expect gemm-i32 other program pass
    expect gemm-i32 other typed pass
    expect gemm-i32 other mpi-program pass
    expect gemm-f64 other threads pass
}

@test "adapters: what a program prints besides its result, and what is missing of it, is in the report" {
    run cat "$BATS_FILE_TMPDIR/gemm-i32-wrong.txt"
    assert_output --partial 'The product, by 1 threads:'
    run cat "$BATS_FILE_TMPDIR/gemm-i32-crash.txt"
    assert_output --partial 'the program has ended with status 3'
    assert_output --partial 'the program has written 0 numbers; the result has '
}

@test "adapters: a crash is the student's, with the line, also where the adapter uses what it got" {
    expect gemm-i32 crash matrix-class crash
    expect gemm-i32 crash program crash
    expect gemm-i32 crash load-save crash
    expect gemm-f64 crash dgemm crash
    expect gemm-f64 crash globals crash
    run cat "$BATS_FILE_TMPDIR"/gemm-*-crash.txt
    assert_output --partial 'in Matrix::~Matrix (matrix.hpp:13)'
    assert_output --partial 'in main (product.c:8)'
    assert_output --partial 'in main (load_save.c:11)'
    assert_output --partial 'in square_dgemm (dgemm.c:5)'
    assert_output --regexp "in length_of \(paragrade_adapter.c:[0-9]+\), the course's adapter"
    assert_output --partial 'the array A is not a square of elements of 8 bytes'
}

@test "adapters: those for CUDA compile where nvcc is" {
    command -v nvcc >/dev/null || skip 'no nvcc here'
    [ ! -e /dev/nvidiactl ] || skip 'this machine has a GPU: make check-gpu'
    run "$PARAGRADE" check -q --no-timing -a "$ADAPTERS/gemm-f32-cuda.yaml" --reports . "$ADAPTERS/examples/right"
    assert_equal "$(grep -c 'it compiles, but cannot run here: this machine has no /dev/nvidiactl' <<<"$output")" 3
}

export_case() { # UNIT
    run -0 "$PARAGRADE" replay --export "$1" r "$1" 8x8x8 --values small --seed 1
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 run -0 make -C "$1" run
    assert_output --partial '0 of 1 runs failed'
}

@test "adapters: an exported case has all sources and the adapter, and may have two mains" {
    local tier
    PARAGRADE_PROCTOR=$REPO/tests/fixtures/fake-proctor run "$PARAGRADE" grade -q \
        -a "$ADAPTERS/gemm-i32.yaml" --run-id r "$ADAPTERS/examples"
    for tier in rows program mpi-program; do export_case "right.$tier"; done
    export_case other.program
    sed -i 's/+=/-=/' right.program/src/product.c
    run make -C right.program run
    assert_output --partial '1 of 1 runs failed'
}

# A class's own assignment, with one of the tiers and one submission, to be changed.
own() { # TIER FILE-OF-EXAMPLES...
    local tier=$1
    shift
    cp "$ADAPTERS"/*.* .
    awk -v t="$tier" '$1 == "-" && $2 == "name:" { own = 1; ours = $3 == t } !own || ours' \
        "$ADAPTERS/gemm-i32.yaml" | sed -E "s|^reference: .*|reference: $REPO/reference/gemm|
            s|^(baseline\|yardstick): .*|\1: $tier|; /^kernel:/a sanitized: off" >own.yaml
    mkdir submission
    cp -r "${@/#/$ADAPTERS/examples/}" submission/
}

check_own() { run "$PARAGRADE" check -q --no-timing --no-wait -a own.yaml --reports reports submission; }

@test "adapters: a function that is missing is named, without a line of the adapter" {
    own rows right/matmul.c right/lib
    sed -i 's/matMul/matmul/' submission/matmul.c
    check_own
    assert_failure
    assert_output --partial 'build-error'
    assert_output --partial 'calls matMul, but does not define it'
    refute_output --partial 'paragrade_adapter'
    sed -i 's/^void matmul/static void matMul/' submission/matmul.c
    check_own
    assert_output --partial 'calls matMul, but does not define it'
    assert_output --partial 'or a static one?'
}

@test "adapters: one that cannot be read is refused up front" {
    own rows right/matmul.c right/lib
    rm rows.c
    check_own
    assert_equal "$status" 2
    assert_output --partial "own.yaml: the adapter of the tier 'rows'"
    assert_output --partial 'rows.c: No such file'
}

@test "adapters: receipts cover every file, and verify finds one that was changed" {
    own rows right/matmul.c right/lib
    run -0 "$PARAGRADE" grade -q -a own.yaml --run-id r submission
    run -0 jq -r '.submissions[] | select(.id == "submission").units[0].sources_sha256 | keys[]' \
        reports/r/receipts.json
    assert_output "$(printf '%s\n' lib/dot.c lib/include/dot.h matmul.c paragrade_adapter)"
    run -0 "$PARAGRADE" verify r
    chmod -R u+w reports/r
    echo '/* changed */' >>reports/r/sources/submission/lib/dot.c
    run -1 "$PARAGRADE" verify r
    assert_output --partial 'lib/dot.c'
    cp submission/lib/dot.c reports/r/sources/submission/lib/dot.c
    echo '/* changed */' >>reports/r/adapters/rows.c
    run -1 "$PARAGRADE" verify r
    assert_output --partial 'adapters/rows.c'
}

@test "adapters: further sources that are links are left out, and named" {
    own rows right/matmul.c right/lib
    mv submission/lib/dot.c dot.c
    ln -s "$PWD/dot.c" submission/lib/dot.c
    check_own
    assert_failure
    assert_output --partial 'submission: lib/dot.c left out'
    assert_output --partial 'calls dot, but does not define it'
}

@test "adapters: names that a compiler or make could misunderstand are left out, and named" {
    own rows right/matmul.c right/lib
    sed -i 's|with: .*|with: ["lib/*.c", "*/*.c"]|' own.yaml
    mkdir -p submission/-fplugin=d submission/@d
    echo '#error taken' | tee submission/-fplugin=d/p.c submission/@d/o.c \
        submission/lib/$'x\nX!=touch PWNED\nY=.c' >submission/lib/'a b.c'
    check_own
    assert_success
    assert_output --partial 'submission: %2Dfplugin%3Dd/p.c left out'
    assert_output --partial 'submission: lib/a%20b.c left out: names of sources may have letters'
    assert_output --partial ' pass'
}

@test "adapters: the class Matrix without its header names the option that a directory needs" {
    cp "$ADAPTERS/matrix_class.cpp" .
    run -1 g++ -std=c++17 -I"$REPO/grader/abi" -fsyntax-only matrix_class.cpp
    assert_line --partial 'error: #error "no matrix.hpp or matrix.h: it has another name, or `directory: src` needs -I{dir}/src"'
    mkdir src
    cp "$ADAPTERS/examples/right/matrix.hpp" src
    run -0 g++ -std=c++17 -I"$REPO/grader/abi" -Isrc -fsyntax-only matrix_class.cpp
}

@test "adapters: a directory or header that is called like the adapter changes nothing" {
    own rows right/matmul.c right/lib
    mkdir submission/paragrade_adapter.c
    echo '#error taken' >submission/paragrade_adapter.c/x.h
    check_own
    assert_success
    assert_output --partial ' pass'
}

@test "adapters: what only the adapter includes is searched for pragmas" {
    own matrix-class right/multiply.cpp right/matrix.cpp right/matrix.hpp
    sed -i 's|^pragmas:.*|pragmas: forbid|' own.yaml
    echo '#pragma GCC optimize("Ofast")' >submission/adapter_names.h
    check_own
    assert_failure
    assert_output --partial 'adapter_names.h:1: #pragma GCC optimize'
    assert_output --partial 'forbidden'
}

# As in repositories with several projects; copies that an adapter makes count for both.
@test "adapters: sources in a directory, flags, and a reference with the interface of the course" {
    own rows right/matmul.c right/lib
    mkdir -p repository/project1 repository/project2/src
    cp -r submission/. repository/project2/src
    cp -r submission reference
    echo '#error not this one' >repository/project1/matmul.c
    sed -i 's|^reference: .*|reference: reference\ndirectory: project2/src\nflags: {O: "-std=c11 -O2", I: "-I{dir} -I{abi}"}|
        s|sources: .*|sources: [matmul.c]|; s|adapter: .*|&\n    adapter_for: all|
        s|gcc .*|gcc {O} {I} -fwrapv -fPIC -shared -o {out} {src}|' own.yaml
    run -0 "$PARAGRADE" check -q --no-timing --no-wait -a own.yaml --reports reports repository
    assert_output --partial ' pass'
    run -0 jq -r '.units[] | select(.id == "repository.rows").source' reports/*/plan.json
    assert_output project2/src/matmul.c
}

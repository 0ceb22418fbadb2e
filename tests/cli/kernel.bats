#!/usr/bin/env bats
# shellcheck disable=SC2030,SC2031
# What `paragrade kernel` makes from a kernel file.

load ../helpers/common

@test "kernel: the header compiles in C and in C++, and every template of the exercises with it" {
    local exercise source
    cd "$BATS_TEST_TMPDIR" || exit 1
    for exercise in dot scan histogram; do
        "$PARAGRADE" kernel header "$REPO/testcases/$exercise/assignment.yaml" >$exercise.h
        printf '#include "%s.h"\n' $exercise >a.cpp
        run -0 g++ -std=c++17 -Wall -Wextra -Werror -c -o a.o a.cpp
        for source in naive simd openmp; do
            run -0 gcc -std=c11 -Wall -Wextra -Werror -I. -c -o a.o "$REPO/testcases/$exercise/template/$source.c"
        done
        run -0 mpicc -std=c11 -DPARAGRADE_MPI -I. -c -o a.o "$REPO/testcases/$exercise/template/mpi.c"
    done
}

@test "kernel: what is wrong is said" {
    run -2 "$PARAGRADE" kernel header "$REPO/testcases/gemm-i32.yaml"
    assert_output --partial 'the kernel gemm is built in: its header is gemm.h'
    run -2 "$PARAGRADE" kernel header
    assert_output --partial 'give the word header or check, and an assignment file'
    run -2 "$PARAGRADE" kernel footer "$REPO/testcases/dot/assignment.yaml"
    run -2 "$PARAGRADE" kernel header nowhere.yaml
    assert_output --partial nowhere.yaml
}

check() { # NAME OF A FIXTURE [OPTION]
    sed "s/KERNEL/$1/" "$EXERCISES/assignment.yaml" >"$EXERCISES/$1-assignment.yaml"
    "$PARAGRADE" kernel "${@:2}" check "$EXERCISES/$1-assignment.yaml"
}

# The only thing that is wrong with a fixture is this one, in these words.
finds() { # NAME CHECK WORDS
    run -1 check "$1" --tsv
    [[ $(grep -P "^$2\twrong\t" <<<"$output") == *"$3"* ]] || fail "$1: $2 does not say: $3"
    [ "$(cut -f 2 <<<"$output" | grep -c wrong)" = "${4:-1}" ] || fail "$1: more is wrong"
}

setup() {
    EXERCISES=$BATS_TEST_TMPDIR/exercises
    cp -r "$BATS_TEST_DIRNAME/../fixtures/exercises" "$EXERCISES"
}

@test "kernel check: nothing is wrong with the shipped exercises, and nothing is missing" {
    local exercise
    for exercise in dot scan histogram; do
        run -0 "$PARAGRADE" kernel check "$REPO/testcases/$exercise/assignment.yaml"
        assert_line 'Nothing is wrong.'
        refute_output --regexp '^[a-z]+ +note'
        [ "$(awk 'length > m { m = length } END { print m }' <<<"$output")" -le 80 ]
    done
}

@test "kernel check: programs that compute nothing, and inputs that do not matter" {
    finds null nothing 'a program that writes n passes 38 of 38 cases' 2
    finds null inputs 'x: in 38 cases, other values change no result' 2
    finds ignored inputs 'mass: in 38 cases, other values change no result'
    refute_line --regexp '^inputs.*wrong.*x:'
}

@test "kernel check: results that depend on chance or on memory" {
    finds counting repeats 'a second call gives another result: y[0]: '
    finds addresses repeats 'another process gives another result: y[0]: '
    finds forgotten writes 'case 0 (n = 1, full values): y[0] is not written by the trusted source'
    finds added writes 'y[0] depends on what the output held before'
    finds beyond memory 'beyond.c:12: reads outside of a block from malloc'
    finds overflow memory 'overflow.c:8: signed integer overflow: '
    run -1 check unset --tsv
    assert_line --regexp '^memory.wrong.*y\[0\]: reads memory that it has not set'
}

@test "kernel check: results that are not the right ones" {
    finds example examples "example.yaml:9: field 'examples[1].return': the trusted source gives 17, the example says 6"
    finds disagree second 'y[0]: the trusted source gives -742736517, the second -742736516'
    finds infinite finite 'y[1] is nan; 50 % of the expected elements are not finite'
    finds rounded exact 'case 1 (n = 2, whole values): return: '
}

@test "kernel check: a trusted source that does not build, crashes, or does not end" {
    finds unbuilt runs "unbuilt.c:6:5: error: unknown type name"
    finds crash runs 'case 0 (n = 1, full values): wrote to x, which is read-only'
    finds forever runs 'ran longer than 2 s'
}

@test "kernel check: JSON, and exit statuses" {
    run -1 check ignored --json
    jq -e 'map(select(.check == "inputs") | .state) == ["ok", "wrong"]' <<<"$output"
    run -2 "$PARAGRADE" kernel check "$REPO/testcases/gemm-i32.yaml"
    assert_output --partial 'the kernel gemm is built in'
    run -2 "$PARAGRADE" kernel check nowhere.yaml
    assert_output --partial nowhere.yaml
    sed -i 's/return: 6/return: [6, 7]/' "$EXERCISES/example.yaml"
    run -2 check example
    assert_output --partial "example.yaml:9: field 'examples[1].return': return has 1 element here, and the example gives 2"
}

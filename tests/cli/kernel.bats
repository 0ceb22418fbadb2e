#!/usr/bin/env bats
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
    assert_output --partial 'give the word header, and an assignment file'
    run -2 "$PARAGRADE" kernel footer "$REPO/testcases/dot/assignment.yaml"
    run -2 "$PARAGRADE" kernel header nowhere.yaml
    assert_output --partial nowhere.yaml
}

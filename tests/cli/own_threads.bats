#!/usr/bin/env bats
# Programs that start threads themselves, in a tier whose compile command links OpenMP: the runtime binds the
# first thread, and what that one starts would share its core.

load ../helpers/common

# A right kernel, unless a thread that runs for it sees fewer or more cores than it says.
sees() { # NAME HEADER CONDITION START
    mkdir -p "subs/$1"
    {
        echo '#define _GNU_SOURCE'
        sed -n '/^#include/p' "$REPO/reference/gemm/naive.c"
        cat <<C
#include <$2>
#include <omp.h>
#include <sched.h>
static void look(int *cores)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        *cores = CPU_COUNT(&set);
}
static int c11(void *cores) { return look(cores), 0; }
static void *posix(void *cores) { return look(cores), cores; }
void GEMM(int M, int N, int K, const element *A, const element *B, element *C)
{
    int cores = 0;
    $4
    (void)posix, (void)c11;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            uint32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += (uint32_t)A[(long)i * K + k] * (uint32_t)B[(long)k * N + j];
            C[(long)i * N + j] = (element)sum;
        }
    if (omp_get_max_threads() == 2 && !(cores $3))
        C[0] = ~C[0];
}
C
    } >"subs/$1/openmp.c"
    cp "$REPO"/reference/gemm/element.h "subs/$1/"
}

setup_file() {
    load ../helpers/common
    [ "$(nproc)" -ge 2 ] || return 0
    cd "$BATS_FILE_TMPDIR" || return 1
    sees posix pthread.h '>= 2' 'pthread_t t; if (pthread_create(&t, 0, posix, &cores) == 0) pthread_join(t, 0);'
    sees c11 threads.h '>= 2' 'thrd_t t; if (thrd_create(&t, c11, &cores) == thrd_success) thrd_join(t, 0);'
    sees team omp.h '== 1' '
#pragma omp parallel
    if (omp_get_thread_num() == omp_get_num_threads() - 1)
        look(&cores);'
    sed "s|\.\./\.\./|$REPO/|; s|sizes: \[384\]|sizes: [64]|" "$REPO/tests/fixtures/attest.yaml" >a.yaml
    "$PARAGRADE" grade -q -a a.yaml --tier openmp --run-id r subs >out 2>&1 || [ $? = 1 ] || {
        cat out
        return 1
    }
}

setup() {
    [ "$(nproc)" -ge 2 ] || skip "one core"
    cd "$BATS_FILE_TMPDIR" || return 1
}

@test "own threads: they have all cores of the launch; those of OpenMP have one each" {
    for s in posix c11 team; do
        has_verdict reports/r $s openmp pass
    done
}

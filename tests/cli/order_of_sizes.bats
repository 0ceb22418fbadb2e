#!/usr/bin/env bats
# One process serves all sizes. What the C library keeps of freed memory depends on the largest block so far, so a
# size could be faster behind a larger one.

load ../helpers/common

setup() { cd "$BATS_TEST_TMPDIR" || return 1; }

# The seconds of a kernel with three temporary matrices at 256x256x2, as LIST has it.
seconds_in() { # RUN LIST
    sed "s|\.\./\.\./|$REPO/|; s|sizes: \[384\]|sizes: [$2]|" "$REPO/tests/fixtures/attest.yaml" >"$1.yaml"
    "$PARAGRADE" grade -q -a "$1.yaml" --tier naive --run-id "$1" subs >out 2>&1 || [ $? = 1 ] || {
        cat out
        return 1
    }
    tr -d '\r' <"reports/$1/speedup.csv" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["submission"] == "three" && $at["size"] == "256x256x2" { print $at["seconds"] }'
}

@test "order of sizes: a size is not faster behind a larger one" {
    mkdir -p subs/three
    {
        sed -n '/^#include/p' "$REPO/reference/gemm/naive.c"
        cat <<'C'
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
void GEMM(int M, int N, int K, const element *A, const element *B, element *C)
{
    const size_t bytes = (size_t)M * (size_t)N * sizeof *C;
    element *temporary[3];
    for (int t = 0; t < 3; t++)
        if ((temporary[t] = malloc(bytes)))
            for (size_t i = 0; i < bytes; i += 64)
                ((volatile char *)temporary[t])[i] = 1;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            uint32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += (uint32_t)A[(long)i * K + k] * (uint32_t)B[(long)k * N + j];
            temporary[0][(long)i * N + j] = (element)sum;
        }
    memcpy(C, temporary[0], bytes);
    for (int t = 0; t < 3; t++)
        free(temporary[t]);
}
C
    } >subs/three/naive.c
    cp "$REPO"/reference/gemm/element.h subs/three/
    alone=$(seconds_in alone 256x256x2)
    behind=$(seconds_in behind '1024x1024x2, 256x256x2')
    echo "alone $alone, behind a larger one $behind"
    awk -v a="$alone" -v b="$behind" 'BEGIN { exit !(a > 0 && b > 0 && a < 2 * b) }'
}

#!/usr/bin/env bats
# A course may lie where compilers may read: below /opt, or beside a toolchain on PATH. What the plan
# names stays closed there.

load ../helpers/common

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    mkdir -p tool/bin tool/include tool/share/course/subs/{alice,bob,carol,dave,erin} tool/share/{cache,scratch}
    PATH=$PWD/tool/bin:$PATH
    course=$PWD/tool/share/course
    cp -r "$REPO/reference/gemm" "$course/reference"
    echo 'static const int of_the_toolchain = 1;' >tool/include/common.h
    # An author's own code.
    cat >"$course/subs/bob/naive.c" <<C
#include "gemm.h"
#include <stddef.h>
#include "$PWD/tool/include/common.h"
void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            uint32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += (uint32_t)A[(size_t)i * K + k] * (uint32_t)B[(size_t)k * N + j];
            C[(size_t)i * N + j] = (int32_t)(sum * of_the_toolchain);
        }
}
C
    echo "#include \"$course/subs/bob/naive.c\"" >"$course/subs/alice/naive.c"
    echo "#include \"$course/reference/naive.c\"" >"$course/subs/carol/naive.c"
    { echo "__asm__(\".data; .incbin \\\"$course/roster.csv\\\"; .text\");" && cat "$course/subs/bob/naive.c"; } \
        >"$course/subs/dave/naive.c"
    { echo "#define DIRECTORIES \"$PWD/tool/share/cache\", \"$PWD/tool/share/scratch\"" &&
        cat "$REPO/tests/redteam/withheld/listing.c"; } >"$course/subs/erin/naive.c"
    echo name,id >"$course/roster.csv"
    cat >"$course/a.yaml" <<YAML
name: withheld
kernel: gemm
type: i32
reference: reference
baseline: naive
yardstick: naive
sanitized: off
allow: "*"
correctness: {random: 1, max: 9, edges: no}
performance: {sizes: [64], budget: 10ms, min_sample: 1ms, quiet_node: false}
tiers:
  - {name: naive, sources: [naive.c], points: {correct: 8},
     compile: "gcc -O2 -fwrapv -fPIC -shared -I{abi} -o {out} {src}"}
YAML
}

verdict() { awk -F, -v s="$1" '$1 == s { print $3 }' r/*/units.csv; }

@test "withheld: classmates, the reference and the roster, although they lie beside a toolchain" {
    PARAGRADE_CACHE=$PWD/tool/share/cache TMPDIR=$PWD/tool/share/scratch \
        run -0 "$PARAGRADE" grade -q -a tool/share/course/a.yaml --reports r tool/share/course/subs
    assert_equal "$(verdict bob)" pass
    assert_equal "$(verdict alice)" build-error
    assert_equal "$(verdict carol)" build-error
    assert_equal "$(verdict dave)" build-error
    run grep -o 'HOLE: [^"]*' r/*/units/erin.naive/result.json
    assert_output ''
    assert_equal "$(verdict erin)" pass
}

# It would tell how the right answer is made, and where it is wrong.
@test "withheld: the trusted source, however the assignment names the kernel file" {
    local name
    mkdir -p other tool/share/exercise
    cp -r "$REPO"/testcases/dot/kernel tool/share/exercise/
    cp -r "$REPO"/testcases/dot/reference other/reference
    rm -r "${course:?}"/subs/*
    mkdir "$course/subs/alice"
    printf '%s\n' '#include "dot.h"' '__asm__(".data; .incbin \"'"$PWD"'/tool/share/exercise/kernel/dot.c\"; .text");' \
        'double dot_f64(int n, const double *x, const double *y) {' \
        'double sum = 0; for (int i = 0; i < n; i++) sum += x[i] * y[i]; return sum; }' >"$course/subs/alice/naive.c"
    sed -e "s|^kernel:.*|kernel: $PWD/tool/share/exercise/kernel/dot.yaml|; s/^type:.*/type: f64/" \
        -e "s|^reference:.*|reference: $PWD/other/reference|; s/ -fwrapv//; s/sizes: .64./sizes: [1000]/" "$course/a.yaml" >other/absolute.yaml
    sed 's|^kernel:.*|kernel: ../tool/share/exercise/kernel/dot.yaml|' other/absolute.yaml >other/relative.yaml
    for name in absolute relative; do
        run "$PARAGRADE" grade -q -a other/$name.yaml --reports $name "$course/subs"
        run awk -F, '$2 == "naive" { print $1, $3 }' $name/*/units.csv
        assert_output $'reference pass\nalice build-error'
    done
}

# The directory with the link is the course's as much as that of the file.
@test "withheld: what lies beside a link to the assignment, and sources that are links" {
    local name link=$PWD/tool/share/course file=$PWD/tool/share/lists source=$PWD/tool/share/sources
    local -A wanted=([roster]="$link/roster.csv" [kernel]="$link/kernel/dot.yaml" [part]="$link/kernel/dot.c"
        [source]="$source/dot.c" [list]="$file/list.csv")
    mkdir "$file" "$source"
    cp -r "$REPO"/testcases/dot/kernel "$course/"
    mv "$course/kernel/dot.c" "$source/"
    ln -s "$source/dot.c" "$course/kernel/dot.c"
    rm -r "${course:?}"/subs/* "$course/reference"
    cp -r "$REPO"/testcases/dot/reference "$course/reference"
    for name in "${!wanted[@]}"; do
        mkdir "$course/subs/$name"
        printf '%s\n' '#include "dot.h"' '__asm__(".data; .incbin \"'"${wanted[$name]}"'\"; .text");' \
            'double dot_f64(int n, const double *x, const double *y) {' \
            'double sum = 0; for (int i = 0; i < n; i++) sum += x[i] * y[i]; return sum; }' >"$course/subs/$name/naive.c"
    done
    echo name,id >"$file/list.csv"
    sed -e 's|^kernel:.*|kernel: kernel/dot.yaml|; s/^type:.*/type: f64/' \
        -e 's/ -fwrapv//; s/sizes: .64./sizes: [1000]/' "$course/a.yaml" >"$file/a.yaml"
    ln -sf ../lists/a.yaml "$course/a.yaml"
    run -0 "$PARAGRADE" grade -q -a tool/share/course/a.yaml --reports r --run-id r "$course/subs"
    run awk -F, '$2 == "naive" { print $1, $3 }' r/r/units.csv
    assert_output "reference pass$(printf '\n%s build-error' kernel list part roster source)"
    run -0 "$PARAGRADE" regrade -q r/r # what the assignment names is found again
}

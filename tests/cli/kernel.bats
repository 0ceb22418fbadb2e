#!/usr/bin/env bats
# shellcheck disable=SC2013,SC2016,SC2030,SC2031,SC2154
# What `paragrade kernel` makes from a kernel file.

load ../helpers/common

@test "kernel: headers and templates compile, in C and C++, whatever the exercise and the tier, without a warning" {
    local assignment kernel tier header
    cd "$BATS_TEST_TMPDIR" || exit 1
    for assignment in "$REPO"/testcases/*/kernel; do
        kernel=$(basename "${assignment%/kernel}") assignment=${assignment%/kernel}/assignment.yaml
        "$PARAGRADE" kernel template "$assignment" >naive.c
        header=$(sed -n 's/#include "\(.*\)"/\1/p' naive.c)
        "$PARAGRADE" kernel header "$assignment" >"$header"
        g++ -std=c++17 -Wall -Wextra -Werror -c -o a.o -x c++ "$header"
        for tier in $(sed -n 's/^  - name: \(naive\|openmp\|mpi\|cuda\)$/\1/p' "$assignment"); do
            "$PARAGRADE" kernel template "$assignment" "$tier" >"$tier.c"
            case $tier in
            mpi) mpicc -DPARAGRADE_MPI -std=c11 -Wall -Wextra -Werror -I. -c -o a.o mpi.c ;;
            cuda) [[ $kernel != @(dot|nbody) ]] || ! command -v nvcc || nvcc -DPARAGRADE_CUDA -Werror all-warnings -I. -x cu -c -o a.o cuda.c ;;
            *) gcc -std=c11 -Wall -Wextra -Werror -I. -c -o a.o "$tier.c" ;;
            esac
        done
        # The page beside the exercise is the one that is made; it is short.
        diff <("$PARAGRADE" kernel page "$assignment") "${assignment%/*}/README.md" || fail "$kernel: make README.md again"
        [ "$(wc -l <"${assignment%/*}/README.md")" -le 25 ]
        [ "$(grep -v '^    ' "${assignment%/*}/README.md" | wc -L)" -le 100 ]
    done
    [ -n "$kernel" ]
}

@test "kernel: header, template and page agree for every type, in C and C++" {
    local type tool in_c
    cd "$BATS_TEST_TMPDIR" || exit 1
    for type in i8:int8_t u8:uint8_t i16:int16_t u16:uint16_t i32:int32_t u32:uint32_t i64:int64_t u64:uint64_t f32:float f64:double bool:bool c64:c64 c128:c128; do
        in_c=${type#*:} type=${type%:*}
        cat >types.yaml <<YAML
function: T take(int n, int64_t m, const $in_c *a, int32_t *b, T *c)
types: [$type]
operands: {a: {size: [n]}, b: {size: [m]}, c: {size: [n]}}
values: {plain: {a: choice 0 1}}
trusted: {source: take.c}
YAML
        "$PARAGRADE" kernel header types.yaml >take.h 2>/dev/null
        "$PARAGRADE" kernel template types.yaml >take.c 2>/dev/null
        for tool in 'gcc -std=c11' 'g++ -std=c++17 -x c++'; do
            # shellcheck disable=SC2086 # words
            $tool -Wall -Wextra -Werror -fsyntax-only -I. take.c
        done
        grep -q "^    $in_c take_$type(int n, int64_t m, const $in_c \*a, int32_t \*b, $in_c \*c);" <("$PARAGRADE" kernel page types.yaml 2>/dev/null)
    done
    sed -i 's/types: .*/types: [f32, f32]/' types.yaml
    run -2 "$PARAGRADE" kernel header types.yaml
    assert_output --partial "field 'types': f32 is there twice"
}

@test "kernel: the page says what is changed, how it is checked, and for how many points" {
    sed -e 's/function: .*/function: int32_t pick(int n, const float *x, int32_t *key, float *y, int32_t *few, float *z)/' \
        -e '/^operands/,$d' "$EXERCISES/ignored.yaml" >"$EXERCISES/pick.yaml"
    cat >>"$EXERCISES/pick.yaml" <<'YAML'
operands: {x: {size: [n]}, key: {size: [n]}, y: {size: [n]}, few: {size: [n]}, z: {size: [n, 2], inout: true}}
values: {plain: {all: whole 4}}
compare:
  y: {groups: key, within: {absolute: 0.5}}
  few: {length: return, set: true}
  z: {where: i > 0}
trusted: {source: pick.c}
examples: [{n: 2, x: [1, 2], z: [1, 2, 3, 4], return: 7, key: [1, 1], y: [2, 3], few: [1, 1], after: {z: [0, 0, 0, 0]}}]
YAML
    sed 's/KERNEL/pick/' "$EXERCISES/assignment.yaml" >"$EXERCISES/pick-assignment.yaml"
    run -0 "$PARAGRADE" kernel page "$EXERCISES/pick-assignment.yaml"
    output=$(tr '\n' ' ' <<<"$output")
    assert_output --partial '    int32_t pick(int n, const float *x, int32_t *key, float *y, int32_t *few, float *z);'
    assert_output --partial 'Inputs: `x[n]`. Changed in place: `z[n][2]`. Written: `key[n]`, `y[n]`, `few[n]`.'
    assert_output --partial '`return`, `key` must be exactly right'
    assert_output --partial '`y` may be off by 0.5, in any order where `key` is equal'
    assert_output --partial '`few` must be exactly right, in any order in the first `return` rows'
    assert_output --partial '`z` may be rounded as by other orders of summation, where it counts'
    assert_output --partial '`x` = 1 2, `z` = 1 2 3 4 gives `return` = 7, `key` = 1 1,'
    run -2 "$PARAGRADE" kernel template "$EXERCISES/pick-assignment.yaml" nope
    assert_output --partial "there is no tier 'nope'; the assignment has naive"
}

@test "kernel: what is wrong is said" {
    run -2 "$PARAGRADE" kernel header "$REPO/testcases/gemm-i32.yaml"
    assert_output --partial 'the kernel gemm is built in: its header is gemm.h'
    run -2 "$PARAGRADE" kernel header
    assert_output --partial 'give the word header, template, page or check, and a kernel file or an assignment'
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

@test "kernel: a count of operations that is no positive number at a timed size is an error" {
    local count
    cd "$EXERCISES" || exit 1
    sed 's/KERNEL/checked/' assignment.yaml >counted.yaml
    cp checked.yaml whole.yaml
    for count in 'n / (n - 100000)' 'log2(100 - n)' '100 - n' 'n - 100000'; do
        { cat whole.yaml && echo "operations: $count"; } >checked.yaml
        run -2 "$PARAGRADE" cases counted.yaml
        assert_output --regexp "counted.yaml:.*field 'performance.sizes': .operations. of checked.yaml is [-a-z0-9.e+]+ at n=100000; it must be a number above 0"
    done
    { cat whole.yaml && echo 'operations: n - 2'; } >checked.yaml # at small sizes nobody needs it
    run -0 "$PARAGRADE" cases counted.yaml
}

@test "kernel check: nothing is wrong with the shipped exercises, and nothing is missing" {
    local exercise
    for exercise in dot scan histogram components pairs stencil bfs; do
        run -0 "$PARAGRADE" kernel check "$REPO/testcases/$exercise/assignment.yaml"
        assert_line 'Nothing is wrong.'
        refute_output --regexp '^[a-z]+ +note'
        [ "$(awk 'length > m { m = length } END { print m }' <<<"$output")" -le 80 ]
    done
}

@test "kernel: a kernel file stands for the assignment beside it, or for usual cases and each tier" {
    cp -r "$REPO/testcases/dot/kernel" "$BATS_TEST_TMPDIR/alone"
    cd "$REPO/testcases/dot/kernel" || exit 1
    diff <("$PARAGRADE" kernel page dot.yaml 2>/dev/null) ../README.md
    run -0 --separate-stderr "$PARAGRADE" kernel template dot.yaml mpi
    assert_output --partial 'double dot_f64_mpi('
    [ "$stderr" = 'paragrade: dot.yaml: with the cases and tiers of ../assignment.yaml' ]
    cd "$BATS_TEST_TMPDIR/alone" || exit 1
    run -0 --separate-stderr "$PARAGRADE" kernel page dot.yaml
    assert_output --partial '    float dot_f32('
    refute_output --partial 'Tiers'
    [[ $stderr == *'no assignment beside it or above names it, so the cases are the usual ones'* ]]
    run -0 "$PARAGRADE" kernel template dot.yaml cuda
    assert_output --partial 'dot_f32_cuda(int n, const float *x, const float *y, float *result, cudaStream_t stream)'
    run -0 "$PARAGRADE" kernel check dot.yaml
    assert_line 'Nothing is wrong.'
    sed -i 's/size: \[n\]/size: [m]/' dot.yaml
    run -2 "$PARAGRADE" kernel check dot.yaml
    assert_output --partial "dot.yaml:7: field 'operands.x.size[0]': 'm' is no dimension"
    [ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'paragrade-kernel-*' -newer dot.c)" ]
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
    echo 'compare: {y: {where: i > 0}}' >>"$EXERCISES/forgotten.yaml" # y[0] does not matter
    sed -i 's/int i = 0/int i = 1/' "$EXERCISES/forgotten.c"
    finds forgotten writes 'case 1 (n = 2, full values): y[1] is not written by the trusted source'
    finds added writes 'y[0] depends on what the output held before'
    finds beyond memory 'beyond.c:12: reads outside of a block from malloc'
    finds overflow memory 'overflow.c:8: signed integer overflow: '
    run -1 check unset --tsv
    assert_line --regexp '^memory.wrong.*y\[0\]: reads memory that it has not set'
}

@test "kernel check: results that are not the right ones" {
    finds example examples "example.yaml:9: field 'examples[1].return': the trusted source gives 17, the example says 6"
    finds disagree second 'y[0]: the trusted source gives -742736517, the second -742736516'
    cp "$EXERCISES/disagree.c" "$EXERCISES/same.c"
    sed 's/^trusted:.*/trusted: {source: disagree.c, mistakes: [{source: same.c, says: no}, {source: disagree_second.c, says: yes}]}/' \
        "$EXERCISES/disagree.yaml" >"$EXERCISES/mistakes.yaml"
    finds mistakes mistakes 'same.c gives a wrong result in no case: its words would never be said'
    refute_line --partial 'disagree_second.c'
    finds infinite finite 'y[1] is nan; 50 % of the expected elements are not finite'
    finds rounded exact 'case 1 (n = 2, whole values): return: '
    run -0 check floats --tsv
    assert_line --regexp '^digits.note.at size 100000, rounding allows return to be [0-9.]+ % off.*Time exact values \(timed: [a-z]+\)'
    cat >"$EXERCISES/called_values.c" <<'C'
#include "called.h"
void floats_values(const char *kind, uint64_t key, int n, float *x)
{
    for (int i = 0; i < n; i++)
        x[i] = (float)(next_random(&key) % 2048) / (kind[0] == 'w' ? 1 : 2048);
}
C
    sed 's/uniform: .*/uniform: {x: call, rounded: true}/; s/source: floats.c/&, values: called_values.c/' "$EXERCISES/floats.yaml" >"$EXERCISES/called.yaml"
    sed -i 's/called.h/floats.h/' "$EXERCISES/called_values.c"
    run -0 check called --tsv
    assert_line --regexp '^digits.note.at size 100000, rounding allows return to be [0-9.]+ % off'
    sed -i 's/\bfloat\b/double/' "$EXERCISES"/floats.*
    run -0 check floats --tsv
    refute_line --regexp '^digits'
}

@test "kernel check: timed runs whose results could be kept from call to call" {
    cp -r "$REPO/testcases/dot/kernel" "$BATS_TEST_TMPDIR/dot"
    cd "$BATS_TEST_TMPDIR/dot" || exit 1
    run -0 "$PARAGRADE" kernel check --tsv dot.yaml
    assert_line --partial $'timed\tok\ttimed runs (whole) have new inputs and results each time'
    sed -i 's/^timed:.*/timed: ones/; s/^  whole: .*/&\n  ones: {all: constant 1}/' dot.yaml
    run -0 "$PARAGRADE" kernel check --tsv dot.yaml
    assert_line --regexp '^timed.note.8 runs with the values of timed runs \(ones\) have the same results at size [0-9]+: '
    sed -i 's/ones: .*/ones: {x: constant 1, y: few 1 choice 1 2}/' dot.yaml
    run -0 "$PARAGRADE" kernel check --tsv dot.yaml
    assert_line --regexp '^timed.note.8 runs .* have 2 different inputs at size [0-9]+: '
    run -0 "$PARAGRADE" kernel check --tsv "$REPO/testcases/mandelbrot/assignment.yaml" # all its inputs are numbers
    assert_line --partial $'timed\tok\t'
}

@test "kernel: a program that leaves out terms of a sum of floats is wrong at the timed size, too" {
    local name
    cd "$BATS_TEST_TMPDIR" || exit 1
    mkdir reference
    sed 's/f64/f32/; s/double/float/g' "$REPO/testcases/dot/reference/naive.c" >reference/naive.c
    sed "s|KERNEL.yaml|$REPO/testcases/dot/kernel/dot.yaml\ntype: f32\nsanitized: off|; s/reference: ./reference: reference/
        s/\[100000\]/[4000000], budget: 1ms, quiet_node: false/" "$EXERCISES/assignment.yaml" >floats.yaml
    for name in all seven; do # of eight terms
        mkdir -p "submissions/$name"
        printf '%s\n' '#include "dot.h"' 'float dot_f32(int n, const float *x, const float *y) {' \
            "float part[8] = {0}, sum = 0; enum { all = 8, seven = 7 }; const int parts = n > 200000 ? $name : 8;" \
            'for (int i = 0; i < n; i++) part[i % 8] += x[i] * y[i];' \
            'for (int k = 0; k < parts; k++) sum += part[k];' 'return sum; }' >"submissions/$name/naive.c"
    done
    run -0 "$PARAGRADE" grade -q -a floats.yaml --run-id floats submissions
    run -0 verdicts reports/floats
    assert_line 'all naive pass'
    assert_line 'seven naive wrong-answer'
}

@test "kernel check: whole numbers that real ones decide" {
    sed -i 's/double rounded/int32_t rounded/' "$EXERCISES"/rounded.*
    finds rounded exact ' rounding down: honest programs differ there: choose whole numbers, or let a check accept both'
    sed -i 's|/ 3|>= 0.5|; s/double sum/int sum/' "$EXERCISES/rounded.c"
    sed -i 's/whole: .*/some: {x: choice 0.25 0.75}/' "$EXERCISES/rounded.yaml"
    run -0 check rounded --tsv
    assert_line --partial 'return holds whole numbers, and some values are real ones: where rounding decides'
    echo 'compare: {return: exact}' >>"$EXERCISES/rounded.yaml"
    run -0 check rounded --tsv
    refute_line --partial 'rounding decides'
}

@test "kernel check: a trusted source that does not build, crashes, or does not end" {
    finds unbuilt runs "unbuilt.c:6:5: error: unknown type name"
    echo 'int main(' >"$EXERCISES/disagree_second.c"
    finds disagree second 'building the second source disagree_second.c: '
    finds crash runs 'case 0 (n = 1, full values): wrote to x, which is read-only'
    finds forever runs 'ran longer than 2 s'
    # A second source and a mistake that do not end are not tried in all cases.
    printf '%s\n' '#include "disagree.h"' 'void disagree(int n, const int32_t *x, int32_t *y)' \
        '{ for (volatile int go = 1; go;) y[0] = n + x[0]; }' >"$EXERCISES/disagree_second.c"
    sed -i 's/second: disagree_second.c/&, mistakes: [{source: disagree_second.c, says: no}]/' "$EXERCISES/disagree.yaml"
    SECONDS=0
    finds disagree second 'the second source: ran longer than 2 s' 2
    [ "$SECONDS" -lt 60 ]
}

@test "kernel check: the check of an exercise with many right answers" {
    cd "$BATS_TEST_TMPDIR" || exit 1
    local source=$EXERCISES/checked_check.c
    run -0 check checked
    assert_line --regexp 'check +ok +the check accepts the right answer in [0-9]+ cases'
    assert_line --regexp 'check +ok +it refuses ([0-9]+) of [0-9]+ results that were changed'
    cp "$source" right.c
    # Fewer cases.
    sed -i 's/random: 12/random: 2/; s/case: 2s/case: 1s/' "$EXERCISES/assignment.yaml"
    # Everything is right.
    sed -i 's/int n, const/&/; s/    if (\*result < 0.*/    return 1;\n&/' "$source"
    run -1 check checked --tsv
    assert_line --regexp '^check.wrong.it refuses 0 of [0-9]+ results that were changed'
    assert_line --regexp '^nothing.wrong.a program that writes .*, or compare more strictly'
    # Nothing is.
    sed -i 's/    return 1;/    return 0;/' "$source"
    finds checked check 'case 0 (n = 1, few values): it refuses the right answer'
    # Numbers of a result are used before they are looked at.
    sed 's/if (\*result < 0.*/if (0) {/' right.c >"$source"
    run -0 check checked --tsv
    assert_line --regexp '^check.note.case .*a result may hold anything'
    # It does not end, does not build, has another name, has another prototype.
    sed 's/    if (\*result < 0.*/    while (*result >= 0)\n;\n&/' right.c >"$source"
    finds checked check 'it fails on the right answer: ran longer than 1 s'
    sed 's/int checked_check/int check/' right.c >"$source"
    finds checked check 'checked_check'
    sed 's/(int n,/(long n,/' right.c >"$source"
    finds checked check 'conflicting types'
}

@test "kernel check: values that a C function makes" {
    local source=$EXERCISES/made_values.c
    cd "$BATS_TEST_TMPDIR" || exit 1
    sed -i 's/random: 12/random: 2/; s/case: 2s/case: 500ms/' "$EXERCISES/assignment.yaml"
    run -0 check made --tsv
    assert_line --regexp '^values.ok.the same key makes the same values in ([0-9]+) cases'
    assert_line --regexp '^values.ok.another key makes other values in [0-9]+ of'
    cp "$source" right.c
    local edit words
    while IFS='|' read -r edit words; do
        sed "s|\( *\)\*w = 1|\1$edit\n&|" right.c >"$source"
        finds made values "$words"
    done <<'EDITS'
static int calls; y[0] = calls++;|a second call with the same key makes other values: y[0], now
y[0] = (int64_t)(intptr_t)\&key >> 12;|another process makes other values from the same key: y[0], now
if (n > 5) *(volatile int *)0 = 1;|case 5 (n = 7, m = 7, crowded values): the function that makes the values of the exercise failed: it was killed by signal 11
while (n > 5);|ran longer than 0.5 s
y[n] = 5;|writes past the end of y
EDITS
    sed 's/i < n; i++/i < n - 1; i++/' right.c >"$source"
    finds made values 'it is not written: y[0]'
    sed 's/const int row = /key = 5;\n    &/' right.c >"$source"
    finds made values 'another key makes other values in 0 of'
    sed 's/made_values(/made_value(/' right.c >"$source"
    finds made values 'do not define the function made_values'
    sed -i 's/, values: made_values.c//' "$EXERCISES/made.yaml"
    run -2 check made
    assert_output --partial "'call', so name a source: values: NAME.c, with the function made_values"
    sed -i 's/made.c}/made.c, values: made_values.c}/; s/call/constant 3/g' "$EXERCISES/made.yaml"
    run -2 check made
    assert_output --partial "field 'trusted.values': no kind of values has 'call'"
    sed -i '0,/constant 3/s//sorted call/' "$EXERCISES/made.yaml"
    run -2 check made
    assert_output --partial "'call' stands alone"
}

@test "kernel check: a store between two outputs is beside the nearer one" {
    local store words
    cd "$BATS_TEST_TMPDIR" || exit 1
    cat >two.yaml <<'YAML'
function: int two(int n, const int *x, int *y, int *z)
operands: {x: {size: [n]}, y: {size: [n]}, z: {size: [n]}}
values: {whole: {all: whole}}
trusted: {source: two.c}
YAML
    while IFS='|' read -r store words; do
        printf '#include "two.h"\nint two(int n, const int *x, int *y, int *z)\n{\n    for (int i = 0; i < n; i++)\n        y[i] = z[i] = x[i];\n    %s = 1;\n    return n;\n}\n' "$store" >two.c
        run "$PARAGRADE" kernel check two.yaml
        assert_output --partial "writes $words"
    done <<'STORES'
y[n]|past the end of y
z[-1]|before the start of z
y[-1]|before the start of y
z[n]|past the end of z
STORES
}

@test "kernel check: the check of eight inputs and eight outputs gets all of them" {
    local in=abcdefgh out=stuvwxyz i
    cd "$EXERCISES" || exit 1
    list() { for ((i = 0; i < 8; i++)); do echo -n "${2//%/${1:i:1}}"; done; }
    {
        echo "function: void wide(int n$(list $in ', const int32_t *%')$(list $out ', int32_t *%'))"
        echo "operands: {$(list $in '%: {size: [n]}, ')$(list $out '%: {size: [n]}, ')}"
        echo "values: {small: {all: whole 5}}"
        echo "compare: {$(list $out '%: check, ')}"
        echo "trusted: {source: wide.c, check: wide_check.c}"
    } >wide.yaml
    {
        echo "#include \"wide.h\""
        echo "void wide(int n$(list $in ', const int32_t *%')$(list $out ', int32_t *%')) {"
        for ((i = 0; i < 8; i++)); do echo "for (int i = 0; i < n; i++) ${out:i:1}[i] = ${in:i:1}[i] + $i;"; done
        echo '}'
    } >wide.c
    {
        echo "#include \"wide.h\""
        echo "int wide_check(int n$(list $in ', const int32_t *%')$(list $out ', const int32_t *%')$(list $out ', const int32_t *right_%'), char why[200]) { (void)why;"
        for ((i = 0; i < 8; i++)); do
            echo "for (int i = 0; i < n; i++) if (${out:i:1}[i] != ${in:i:1}[i] + $i || ${out:i:1}[i] != right_${out:i:1}[i]) return 0;"
        done
        echo 'return 1; }'
    } >wide_check.c
    sed -i 's/random: 12/random: 2, edges: no/' assignment.yaml
    run -0 check wide
    assert_line --regexp 'check +ok +the check accepts the right answer in [0-9]+ cases'
    assert_line --regexp 'check +ok +it refuses ([0-9]+) of \1 results that were changed'
}

@test "kernel: a check and its outputs belong together" {
    cd "$EXERCISES" || exit 1
    # Operands of every role, and results of several types, come in the order of the header.
    for type in i16 f64; do
        sed "s/KERNEL.yaml/mixed.yaml\ntype: $type/; s/random: 12/random: 0/" assignment.yaml >mixed-assignment.yaml
        run -0 "$PARAGRADE" kernel check mixed-assignment.yaml
        assert_line --regexp 'check +ok +the check accepts the right answer'
    done
    sed -i 's/, check: checked_check.c//' checked.yaml
    run -2 check checked
    assert_output --partial "field 'trusted': an output has compare: check, so name a source: check: NAME.c, with the function checked_check"
    sed -i 's/^compare: .*//; s/source: checked.c/&, check: checked_check.c/' checked.yaml
    run -2 check checked
    assert_output --partial "field 'trusted.check': no output has compare: check"
}

@test "kernel: an exercise has empty problems if its edges have" {
    cd "$EXERCISES" || exit 1
    cat >empty.yaml <<'YAML'
function: double empty(int n, int m, double a, const double *x, const int32_t *e, const int32_t *o, const int32_t *c, double *y, int32_t *label)
operands: {x: {size: [n, m]}, e: {size: [m]}, o: {size: [n + 1]}, c: {size: [n]}, y: {size: [n, m], inout: true}, label: {size: [n]}}
values:
  whole: {a: whole 3, x: few 3 sorted whole 5, e: below n, o: offsets m, c: count m, y: sparse 0.5 whole 4}
  real: {a: uniform 0 1, x: plant 1 0.5 uniform 0 1, e: distinct, o: offsets m, c: permutation, y: uniform 0 1, rounded: true}
compare: {label: partition}
edges: [0x0, 3x0, 0x7]
trusted: {source: empty.c, second: again.c}
YAML
    cat >empty.c <<'C'
#include "empty.h"
double empty(int n, int m, double a, const double *x, const int32_t *e, const int32_t *o, const int32_t *c, double *y, int32_t *label)
{
    double s = a + o[n / 2];
    for (int i = 0; i < n * m; i++)
        s += y[i] += a * x[i];
    for (int i = 0; i < n; i++)
        label[i] = c[i] % 3;
    for (int i = 0; i < m; i++)
        s += e[i];
    return s;
}
C
    cp empty.c naive.c
    cp empty.c again.c
    sed -i 's/random: 12/random: 1/; s/sizes: .*/sizes: [30x40], budget: 1ms, precision: 0.5, min_sample: 1ms, quiet_node: false}/; s/^title.*/&\nsanitized: off/' assignment.yaml
    run -0 check empty --tsv
    refute_line --regexp '^[a-z]+.wrong'
    mkdir -p s/late s/zero
    sed 's|a + o.n / 2.|n ? a + o[n / 2] : 0|' empty.c >s/late/naive.c
    sed 's/double s =/const int z = 1000 \/ n; & (z < 0) +/' empty.c >s/zero/naive.c
    run -0 "$PARAGRADE" grade --no-wait -q -a empty-assignment.yaml --run-id empty s
    assert_line --regexp 'late.naive +wrong-answer +case 0 .0x0, whole values.: return \(.*\): expected '
    assert_line --regexp 'zero.naive +crash +case 0 .0x0, whole values.: '
    run -1 "$PARAGRADE" replay reports/empty late.naive 0x7
    assert_output --regexp 'return .a = [0-9]+.: expected'
    sed 's/sizes: .30x40./sizes: [0x40]/' empty-assignment.yaml >timed.yaml
    run -2 "$PARAGRADE" cases timed.yaml
    assert_output --partial 'n = 0: empty problems are checked (`edges`), and not timed'
    sed -i 's/^edges.*/edges: [3x0]/' empty.yaml
    run -2 "$PARAGRADE" cases timed.yaml
    assert_output --partial 'n = 0: the exercise has no empty problems, as long as none of its `edges` has 0 for n'
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

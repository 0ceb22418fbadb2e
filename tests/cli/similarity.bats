#!/usr/bin/env bats
# shellcheck disable=SC2154 # bats and helpers set variables
# similarity.csv: which sources resemble each other.

setup() {
    load ../helpers/common
    load ../helpers/class
    make_class
    export FAKE_SLEEP=0
    rm -rf subs
    mkdir -p subs/{ann,ben,cat,dan} given
    cp "$REPO/student_impls/alice/simd.c" subs/ann/simd.c
    sed -E 's/\bsum\b/total/g; s/\bacc\b/register_file/g; s/  +/ /; 1i // all mine' \
        subs/ann/simd.c >subs/ben/simd.c
    cp "$REPO/student_impls/bob/simd.c" subs/cat/simd.c
    cp "$REPO/student_impls/bob/simd.c" subs/dan/simd.c
}

grade() { "$PARAGRADE" grade -q -a a.yaml --run-id r subs; }

@test "similarity: copies are named with how much and where; no grade and no student's report shows it" {
    run -0 grade
    assert_output --partial "similar sources  2  pairs of units"
    run -0 cut -d, -f1-6 reports/r/similarity.csv
    assert_line --partial "simd,cat,dan,identical,"
    assert_line --partial "simd,ann,ben,"
    assert_equal "${#lines[@]}" 3
    run -0 grep '^simd,ann,ben,' reports/r/similarity.csv
    assert_line --regexp ',simd\.c:[0-9]+-[0-9]+=simd\.c:[0-9]+-[0-9]+'
    # A row for two students, for the instructor only.
    "$PARAGRADE" report --all fb r >/dev/null
    run -0 sed -n '/<span>Similar sources/,/<[/]table>/{s/<[^>]*>/ /g; s/  */ /g; p}' fb/index.html
    assert_line --partial ' cat dan '
    assert_line --partial ' simd identical '
    run ! grep -rl 'Similar sources' fb/ann fb/cat
    for format in '' --json; do
        # shellcheck disable=SC2086
        run -0 "$PARAGRADE" report $format --student ann r
        refute_output --partial resembl
        refute_output --partial ben
    done
    run -0 "$PARAGRADE" verify r
    sed -i 's/identical/different/' reports/r/similarity.csv
    run -1 "$PARAGRADE" verify r
    assert_output --partial similarity.csv
}

# How often a command opens the source of ann. Leaks cannot be looked for below strace.
opened() {
    rm -f trace.*
    # A file for each thread: in a common one, a call of one thread is split where another one begins.
    ASAN_OPTIONS=detect_leaks=0 strace -ff -e trace=openat -o trace "$@" >said.txt || return
    cat trace.* | grep -c 'sources/ann/simd.c".*= [0-9]'
}

@test "similarity: a report compares the sources once, for the table and for the line" {
    command -v strace >/dev/null || skip 'needs strace'
    grade >/dev/null
    local for_tables
    for_tables=$(opened "$PARAGRADE" report --csv-only r)
    assert [ "$for_tables" -gt 0 ]
    run -0 opened "$PARAGRADE" report r
    assert_output "$for_tables"
    grep -q "similar sources  2  pairs of units" said.txt
    # Another process is working on the run, so no table is written.
    echo '{"boot":"1","host":"elsewhere","pid":1,"start":"1"}' >reports/r/lock
    run -0 "$PARAGRADE" report r
    assert_output --partial "similar sources  2  pairs of units"
}

@test "similarity: a copy that macros hide is found, and another program with the same macros is not" {
    # All names and loops of cat's, by macros.
    sed -E 's/\bfor \(int (\w+) = 0; \1 < ([^;]+); \1\+\+\)/EACH(\1, \2)/; s/\bint\b/WHOLE/g; s/\[/ AT /g; s/\]/ END /g;
        s/ = / LET /; s/\+=/GROW/; s/\bK\b/DEPTH/g; s/\bC\b/OUT/g' subs/cat/simd.c >body
    {
        printf '#define EACH(v, n) for (int v = 0; v < n; v++)\n#define WHOLE int\n#define AT [\n#define END ]\n'
        printf '#define LET =\n#define GROW +=\n#define DEPTH K\n#define OUT C\n'
        cat body
    } >subs/dan/simd.c
    {
        printf '#define EACH(v, n) for (int v = 0; v < n; v++)\n'
        sed -E 's/\bfor \(int (\w+) = 0; \1 < ([^;]+); \1\+\+\)/EACH(\1, \2)/' subs/ann/simd.c
    } >body
    # Both check for errors with the same macro, from a lecture.
    local who check='#define CHECK(x) do { int e_ = (x); if (e_ < 0) { puts("failed in " #x); abort(); } } while (0)'
    for who in ann cat; do
        {
            printf '#include <stdio.h>\n#include <stdlib.h>\n%s\n' "$check"
            sed '0,/^{/s//{ CHECK(M); CHECK(N); CHECK(K); CHECK(M); CHECK(N); CHECK(K); CHECK(M); CHECK(N);/' \
                "$([ $who = ann ] && echo body || echo subs/cat/simd.c)"
        } >with_check
        mv with_check subs/$who/simd.c
    done
    run -0 "$PARAGRADE" grade -q -a a.yaml --tier simd --run-id r subs
    run -0 cut -d, -f1-4 reports/r/similarity.csv
    assert_line 'simd,cat,dan,parts'
    refute_line --regexp 'simd,(ann|ben),(cat|dan)'
}

@test "similarity: what the students were given does not count; it is kept in the run" {
    cp subs/cat/simd.c given/
    sed -i '1i template: given' a.yaml
    run -0 grade
    assert_output --partial "similar sources  1  pair of units"
    run -0 cut -d, -f1-3 reports/r/similarity.csv
    refute_line --partial cat
    assert [ -e reports/r/template/simd.c ]
    rm -r given
    run -0 "$PARAGRADE" report r
    assert_output --partial "similar sources  1  pair of units"
    run -0 "$PARAGRADE" verify r
}

@test "similarity: a template that does not exist is named with file and field" {
    sed -i '1i template: nowhere' a.yaml
    run -2 grade
    assert_output --partial "a.yaml: template: "
    assert_output --partial "nowhere: no such directory"
    assert [ ! -e reports/r ]
}

@test "similarity: headers that nobody includes, and huge ones, cost the front end nothing" {
    local i who
    for who in ann ben; do
        for ((i = 0; i < 20; i++)); do
            head -c 1000000 /dev/zero | tr '\0' ';' >"subs/$who/big$i.h"
        done
        sed -i '1i #include "big3.h"' "subs/$who/simd.c"
    done
    run -0 grade
    assert_output --partial "similar sources  2  pairs of units"
    [ "$(cat reports/r/sources/ann/* | wc -c)" -lt 5000000 ]
    rm -f reports/r/similarity.csv
    # Before there were limits, it took twice as much.
    run -0 bash -c "ulimit -v 700000; '$PARAGRADE' report --csv-only reports/r"
}

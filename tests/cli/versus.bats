#!/usr/bin/env bats
# One tier compared with another one, of the same submission or of the reference.

load ../helpers/common

# An assignment with these comparisons.
assignment() { # VERSUS
    cat <<YAML
name: compared
kernel: gemm
type: f64
reference: $REPO/reference/gemm
baseline: naive
yardstick: naive
correctness: {random: 1, max: 20, edges: false, stress_threads: []}
performance: {sizes: [96, 128], precision: 0.5, budget: 1ms, quiet_node: false}
versus: $1
sanitized: off
tiers:
  - name: naive
    sources: [naive.c]
    compile: gcc -O2 -fPIC -shared -DGEMM_F64 -I{abi} -o {out} {src}
    sizes: [96, 128]
    points: {correct: 1}
  - name: simd
    sources: [simd.c]
    compile: gcc -O3 -mavx2 -mfma -fPIC -shared -DGEMM_F64 -I{abi} -o {out} {src}
    pragmas: allow
    sizes: [128]
    points: {correct: 1}
  - name: blas
    sources: [blas.c]
    compile: gcc -O2 -fPIC -shared -DGEMM_F64 -I{abi} -o {out} {src} -lopenblas
    reference_only: true
    allow: "*"
    forbid: []
    sizes: [128]
YAML
}

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    assignment '[[simd, naive], [simd, "reference:blas"], [naive, "reference:simd"]]' >a.yaml
    mkdir -p subs/eve subs/zoe
    cp "$REPO"/reference/gemm/{naive,simd}.c "$REPO"/reference/gemm/*.h subs/eve/
    cp "$REPO"/reference/gemm/naive.c "$REPO"/reference/gemm/*.h subs/zoe/
    "$PARAGRADE" grade -q -a a.yaml --run-id r subs >out.txt 2>err.txt || {
        cat err.txt out.txt
        return 1
    }
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

rows() { tail -n +2 reports/r/versus.csv | cut -d, -f1-3,8; }

@test "versus: each comparison has a row for each submission and common size" {
    run rows
    assert_output "reference,simd,naive,128
eve,simd,naive,128
reference,simd,reference:blas,128
eve,simd,reference:blas,128
reference,naive,reference:simd,128
eve,naive,reference:simd,128
zoe,naive,reference:simd,128"
}

@test "versus: the ratio is that of the speeds, lies in its interval, and has both compile commands" {
    # shellcheck disable=SC2016 # awk's own
    run -0 awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { sub(/\r/, "", $i); at[$i] = i }; next }
        { n++; ratio = $at["ratio"]; plain = $at["other_seconds"] / $at["seconds"] }
        ratio < $at["ratio_ci_low"] || ratio > $at["ratio_ci_high"] { print "interval", $0 }
        ratio / plain > 2.5 || plain / ratio > 2.5 { print "ratio", $0 } # a node may be half as fast
        $2 == "simd" && $3 == "naive" && ratio < 2 { print "simd is slow", $0 }
        $at["ratio_end_to_end"] != "" { print "copies", $0 }
        $3 == "reference:blas" && !/-lopenblas/ { print "compile", $0 }
        END { print n }' reports/r/versus.csv
    assert_output 7
}

@test "versus: students hand in nothing for a tier of the reference, and it is no column of grades.csv" {
    run verdicts reports/r
    refute_line --partial 'eve blas'
    assert_line 'reference blas pass'
    run head -n 1 reports/r/grades.csv
    refute_output --partial blas
    assert_output --partial simd_points
}

@test "versus: the class report, the student's report and JSON show it" {
    run -0 "$PARAGRADE" report r
    assert_line --partial 'Compared: how many times as fast'
    assert_line --regexp '^zoe +naive +reference:simd +1 thread +128'
    run -0 "$PARAGRADE" report --student zoe r
    assert_line --regexp '^naive +simd of the reference'
    refute_line --partial eve
    run -0 jq -c '[.units[] | select(.submission == "zoe") | .versus[] | [.other, .shape.m]]' <("$PARAGRADE" report --json r)
    assert_output '[["reference:simd",128]]'
    run -0 "$PARAGRADE" verify r
}

@test "versus: a self-test runs the tiers of the reference that it is compared with" {
    run -0 "$PARAGRADE" check -q -a a.yaml --tier simd --reports c subs/eve
    assert_line --regexp '^simd +blas of the reference'
    run verdicts c/*
    assert_line 'reference blas pass'
    refute_line --partial 'reference simd'
    run -2 "$PARAGRADE" check -q -a a.yaml --tier blas subs/eve
    assert_output --partial "students hand in nothing for the tier 'blas'; the assignment has naive, simd"
    run -0 "$PARAGRADE" check -q -a a.yaml --tier simd --no-timing --reports d subs/eve
    run verdicts d/*
    refute_line --partial reference
}

@test "versus: bad input is refused with file, line and field" {
    local pair says
    while IFS='|' read -r pair says; do
        assignment "$pair" >b.yaml
        run -2 "$PARAGRADE" cases b.yaml
        assert_output --regexp "b.yaml:9: field 'versus[^']*': $says"
    done <<'BAD'
[simd]|a pair has two tiers
[simd, naive, blas]|a pair has two tiers
[[simd, naive], [simd]]|a pair has two tiers
[simd, "reference:nosuch"]|there is no tier
[nosuch, naive]|there is no tier
["reference:simd", naive]|the first one is a tier of a submission
[simd, simd]|a tier cannot be compared with itself
[simd, blas]|only the reference has the tier .blas.: write reference:blas
[blas, simd]|students hand in nothing for .blas.: write it second
[[simd, naive], [simd, naive]]|the pair is given twice
BAD
    assignment '[simd, "reference:naive"]' | sed 's/sizes: \[96, 128\]$/sizes: [96]/' >b.yaml
    run -2 "$PARAGRADE" cases b.yaml
    assert_output --partial "are measured at different sizes"
    assignment '[simd, naive]' | sed -e '/name: naive/a\    threads: [2, 3]' -e '/name: simd/a\    threads: [1, 4]' >b.yaml
    run -2 "$PARAGRADE" cases b.yaml
    assert_output --partial "have no launch (ranks and threads) in common"
    assignment '[simd, naive]' | sed 's/    reference_only: true/    points: {correct: 1}\n    reference_only: true/' >b.yaml
    run -2 "$PARAGRADE" cases b.yaml
    assert_output --partial 'students hand in nothing for this tier, so it cannot give points'
}

#!/usr/bin/env bats
# shellcheck disable=SC2154
# paragrade plot: one drawing code, on a terminal and as SVG.

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    "$PARAGRADE" grade -q -a "$PARAGRADE_ASSIGNMENT" -t naive,simd,openmp --run-id r "$REPO/student_impls/alice" \
        >out.txt 2>&1
    cp -r "$REPO/student_impls/alice" other
    "$PARAGRADE" grade -q -a "$PARAGRADE_ASSIGNMENT" -t naive --run-id two "$REPO/student_impls/alice" other >>out.txt 2>&1
}

setup() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
}

@test "plot: the ladder has a bar for each tier, and the scaling has its ideal line" {
    LC_ALL=C.UTF-8 run -0 "$PARAGRADE" plot r
    assert_line --regexp '^alice: speed-up over the reference.s naive, size 128$'
    assert_line --regexp '^ *simd +█+.* ~?[0-9.]+ \(1 thread\)$'
    assert_line 'alice: roofline'
    assert_line --regexp 'simd: ~?[0-9.]+ GOP/s \(128, 1 thread\)$'
    # Each point of the roofline has its name beside a mark. (Tiers of one speed share a place and a mark.)
    assert_line --regexp '^ .*(● naive|naive ●)'
    assert_line --regexp '^ .*([■▲] simd|simd [■▲])'
    # The faster tier has the longer bar.
    [ "$(grep -m1 '^ *simd ' <<<"$output" | grep -o '█' | wc -l)" -gt \
        "$(grep -m1 '^ *naive ' <<<"$output" | grep -o '█' | wc -l)" ]
    if [ "$(nproc)" -gt 1 ]; then
        assert_line --regexp ' ideal$'
    fi
    [ "$(wc -L <<<"$output")" -le 80 ]
}

@test "plot: without UTF-8, in ASCII" {
    LC_ALL=C run -0 "$PARAGRADE" plot r
    assert_equal "$(LC_ALL=C tr -d '\000-\177' <<<"$output")" ''
    assert_line --regexp '^ *simd +#+.*\(1 thread\)$'
}

@test "plot: SVG is well-formed, has the same texts, and follows dark mode" {
    run -0 "$PARAGRADE" plot -o r.svg r
    assert_output ''
    run -0 python3 -c '
import sys, xml.etree.ElementTree as t
root = t.parse("r.svg").getroot()
print("\n".join(x.text for x in root.iter("{http://www.w3.org/2000/svg}text")))'
    assert_line --regexp '^alice: speed-up over the reference.s naive'
    assert_line 'operations per byte'
    assert_line simd
    grep -q 'prefers-color-scheme: dark' r.svg
    refute grep -qE 'nan|inf' r.svg
    grep -q '<svg .* font-family="monospace" font-size="14">' r.svg # 8.4 pixels a column, also of capitals
    refute grep -q 'var(' r.svg # rsvg-convert and Inkscape would draw it black on black
    run -0 bash -c "'$PARAGRADE' plot -o - r | cmp - r.svg"
}

@test "plot: of a sweep, a bar for each point" {
    cat >>"$BATS_TEST_TMPDIR/sweep.yaml" <<YAML
$(sed -e "s|\.\./\.\./|$REPO/|; /^sweeps:/,\$d" "$PARAGRADE_ASSIGNMENT")
sweeps:
  - {name: width, tier: simd, axes: [{macro: W, values: [1, 2, 3]}]}
YAML
    "$PARAGRADE" sweep -q -a "$BATS_TEST_TMPDIR/sweep.yaml" --run-id sw "$REPO/student_impls/alice" >/dev/null
    LC_ALL=C run -0 "$PARAGRADE" plot sw
    assert_equal "$(grep -cE '^W=[123] +#+ +~?[0-9.]+ GOP/s$' <<<"$output")" 3
    sed -i 's/macro: W,/macro: THE_WIDTH_OF_A_TILE_IN_ELEMENTS_OF_THE_MATRIX_THAT_IS_READ_FIRST,/' "$BATS_TEST_TMPDIR/sweep.yaml"
    "$PARAGRADE" sweep -q -a "$BATS_TEST_TMPDIR/sweep.yaml" --run-id long "$REPO/student_impls/alice" >/dev/null
    LC_ALL=C run -0 "$PARAGRADE" plot long # no name and no number is overwritten
    assert_equal "$(grep -cE '^THE_WIDTH[A-Z_]+_FIRST=[123] +#+ +~?[0-9.]+ GOP/s$' <<<"$output")" 3
}

@test "plot: weak scaling, the size grows with the threads" {
    [ "$(nproc)" -gt 1 ] || skip "two cores are needed"
    cat >"$BATS_TEST_TMPDIR/weak.yaml" <<YAML
name: weak
kernel: gemm
type: i32
seed: 7
reference: $REPO/reference/gemm
baseline: naive
yardstick: naive
correctness: {random: 1, max: 20, edges: no, stress_threads: []}
performance: {sizes: [32], budget: 5ms, precision: 0.5, min_sample: 1ms, quiet_node: false}
limits: {case: 10s, unit: 60s, memory: 300M, output: 100K, failures: 2}
sanitized: off
tiers:
  - {name: naive, sources: [naive.c], compile: 'gcc -O2 -fPIC -shared -I{abi} -o {out} {src}', points: {correct: 1}}
  - name: openmp
    sources: [openmp.c]
    compile: gcc -O2 -mavx2 -fopenmp -fPIC -shared -I{abi} -o {out} {src}
    threads: [1, 2]
    weak: [64]
    points: {correct: 1}
YAML
    "$PARAGRADE" grade -q -a "$BATS_TEST_TMPDIR/weak.yaml" -t openmp --run-id weak "$REPO/student_impls/alice" >weak.txt 2>&1
    run -0 cat weak.txt
    assert_line --partial 'Weak scaling: rate of one worker over that with the fewest'
    # Each number of threads at its own size only. A worker does 2 x 64^3 operations at each.
    run -0 bash -c "tr -d '\r' <reports/weak/weak.csv | grep ^alice | cut -d, -f3,5,8,9 | head -2"
    assert_output $'1,1,64,524288\n2,2,128x64x64,524288'
    run -0 bash -c "tr -d '\r' <reports/weak/weak.csv | awk -F, '/^alice/ { if (!one) one = \$10; e = one / \$10
        if (e - \$12 > 0.001 * e || \$12 - e > 0.001 * e) print }'"
    assert_output ''
    run grep -c ,128x64x64, reports/weak/speedup.csv reports/weak/efficiency.csv
    assert_output $'reports/weak/speedup.csv:0\nreports/weak/efficiency.csv:0'
    LC_ALL=C run -0 "$PARAGRADE" plot weak
    assert_line 'alice: weak scaling, the size grows with the workers'
    run -0 "$PARAGRADE" verify weak
}

@test "plot: wrong arguments, several submissions, nothing to draw" {
    run -2 "$PARAGRADE" plot nowhere
    run -2 "$PARAGRADE" plot two
    assert_output --partial 'say which with --student ID'
    run -0 "$PARAGRADE" plot --student other two
    run -2 "$PARAGRADE" plot --student nobody two
    run -2 "$PARAGRADE" plot -o nodir/x.svg r
    cp -r reports/r "$BATS_TEST_TMPDIR/r"
    rm -f "$BATS_TEST_TMPDIR"/r/units/alice.*/{result,first}.json # the latter where it was timed further
    run -2 "$PARAGRADE" plot "$BATS_TEST_TMPDIR/r"
    assert_output --partial 'nothing to draw'
}

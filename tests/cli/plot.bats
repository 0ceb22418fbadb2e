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
    run -0 bash -c "'$PARAGRADE' plot -o - r | cmp - r.svg"
}

@test "plot: of a sweep, a bar for each point" {
    cat >>"$BATS_TEST_TMPDIR/sweep.yaml" <<YAML
$(sed -e "s|reference: .*|reference: $REPO/reference/gemm|; /^template:/d; /^sweeps:/,\$d" "$PARAGRADE_ASSIGNMENT")
sweeps:
  - {name: width, tier: simd, axes: [{macro: W, values: [1, 2, 3]}]}
YAML
    "$PARAGRADE" sweep -q -a "$BATS_TEST_TMPDIR/sweep.yaml" --run-id sw "$REPO/student_impls/alice" >/dev/null
    LC_ALL=C run -0 "$PARAGRADE" plot sw
    assert_equal "$(grep -cE '^W=[123] +#+ +~?[0-9.]+ GOP/s$' <<<"$output")" 3
}

@test "plot: wrong arguments, several submissions, nothing to draw" {
    run -2 "$PARAGRADE" plot nowhere
    run -2 "$PARAGRADE" plot two
    assert_output --partial 'say which with --student ID'
    run -0 "$PARAGRADE" plot --student other two
    run -2 "$PARAGRADE" plot --student nobody two
    run -2 "$PARAGRADE" plot -o nodir/x.svg r
    cp -r reports/r "$BATS_TEST_TMPDIR/r"
    rm -r "$BATS_TEST_TMPDIR"/r/units/alice.*/result.json
    run -2 "$PARAGRADE" plot "$BATS_TEST_TMPDIR/r"
    assert_output --partial 'nothing to draw'
}

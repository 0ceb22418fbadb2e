#!/usr/bin/env bats
# The roofline: what bounds each tier, in roofline.csv, in words and as a picture.

load ../helpers/common

# The smallest stencil: memory bounds it. BANDWIDTH: of the roofline.
assignment() { # BANDWIDTH
    cat <<YAML
name: lines
kernel: $REPO/testcases/stencil/kernel/stencil5.yaml
type: f64
reference: $REPO/testcases/stencil/reference
baseline: naive
yardstick: naive
correctness: {random: 1, max: 20, edges: false, stress_threads: []}
pragmas: allow
performance: {sizes: [200, 400], precision: 0.5, budget: 1ms, quiet_node: false}
roofline: {bandwidth: $1}
sanitized: off
tiers:
  - name: naive
    sources: [naive.c]
    compile: gcc -O2 -fPIC -shared -I{abi} -o {out} {src}
    points: {correct: 1}
  - name: openmp
    sources: [openmp.c]
    compile: gcc -O3 -mavx2 -mfma -fopenmp -fPIC -shared -I{abi} -o {out} {src}
    threads: [1, 2]
    points: {correct: 1}
YAML
}

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    assignment '[measured, 2.5]' >a.yaml
    mkdir -p subs/eve
    cp "$REPO"/testcases/stencil/reference/{naive,openmp}.c "$REPO"/testcases/stencil/reference/*.h subs/eve/
    "$PARAGRADE" grade -q -a a.yaml --run-id r subs >out.txt 2>err.txt || {
        cat err.txt out.txt
        return 1
    }
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

gnuplot_here() { command -v gnuplot >/dev/null || skip "no gnuplot here"; }

@test "roofline: a row for each unit, launch, size and bandwidth" {
    run awk -F, 'NR > 1 { print $1, $2, $4, $5, $12 }' reports/r/roofline.csv
    assert_line 'eve naive 1 200 measured'
    assert_line 'eve naive 1 200 given'
    assert_line 'reference openmp 2 400 given'
    assert_equal "$(sort -u <<<"$output" | wc -l)" 24
}

@test "roofline: the figures follow from each other and from the record of the node" {
    local peak1 peak2 gbs1
    peak1=$(jq '.ceilings[0].gops' reports/r/nodes/*.naive.json)
    peak2=$(jq '.ceilings[1].gops' reports/r/nodes/*.naive.json)
    gbs1=$(jq '[.ceilings[0].gbs, .ceilings[0].triad_gbs] | max' reports/r/nodes/*.naive.json)
    # shellcheck disable=SC2016 # awk's own
    run awk -F, -v peak1="$peak1" -v peak2="$peak2" -v gbs1="$gbs1" '
        function differ(a, b) { return a > b * 1.001 || a < b / 1.001 }
        NR == 1 { for (i = 1; i <= NF; i++) { sub(/\r/, "", $i); at[$i] = i }; next }
        { sub(/\r/, ""); n = $at["size"]; slope = $at["intensity"] * $at["bandwidth_gbs"]
          low = slope < $at["peak_gops"] ? slope : $at["peak_gops"] }
        $at["operations"] != 5 * n * n || $at["bytes"] != 16 * n * n { print "counts", $0 }
        differ($at["intensity"], 0.3125) { print "intensity", $0 }
        differ($at["roof_gops"], low) { print "roof", $0 }
        differ($at["fraction_of_roof"], $at["gops"] / low) { print "fraction", $0 }
        $at["bound"] != (slope < $at["peak_gops"] ? "memory" : "compute") { print "bound", $0 }
        differ($at["peak_gops"], $at["threads"] == 1 ? peak1 : peak2) { print "peak", $0 }
        $at["bandwidth_from"] == "given" && $at["bandwidth_gbs"] != 2.5 { print "given", $0 }
        $at["bandwidth_from"] == "measured" && $at["threads"] == 1 &&
            differ($at["bandwidth_gbs"], gbs1) { print "measured", $0 }
        END { print NR - 1 }' reports/r/roofline.csv
    assert_output 24
}

@test "roofline: the node's record has the ceilings of every type, of copy and of triad" {
    run jq -e '.ceilings | length > 0 and all(.type_gops.i32 > 0 and .type_gops.f32 > .type_gops.f64
        and .type_gops.f64 == .gops and .gbs > 0 and .triad_gbs > 0 and .tensor_gops == null)' \
        reports/r/nodes/*.naive.json
    assert_success
}

@test "roofline: a student reads what bounds each tier, and what to try next" {
    run -0 "$PARAGRADE" report --student eve r
    # Of the second tier, only what was not said of the first: nothing, if both times are rough.
    assert [ "$(grep -c '  roofline (400, ' <<<"$output")" -ge 1 ]
    assert_output --regexp 'roofline \(400, 1 thread\): Memory bandwidth limits this kernel \(0\.312 operations per byte\)\. (It reaches (about )?[0-9.]+% of|The time is too rough to say how close it is to) what memory allows \([0-9.]+ GB/s\)\.'
    run -0 "$PARAGRADE" report r
    assert_output --regexp 'of peak +of roof'
    assert_output --regexp '~?[0-9]+% memory'
    "$PARAGRADE" report --json r >r.json
    run -0 jq -r '.units[].speeds[].roofline | .bound, (.advice | length > 60)' r.json
    assert_equal "$(sort -u <<<"$output" | tr '\n' ' ')" 'memory true '
}

@test "roofline: a picture, with roofs, points and names" {
    gnuplot_here
    run -0 "$PARAGRADE" report --roofline reports/r/roofline.svg r
    assert_output ''
    run cat reports/r/roofline.svg
    assert_output --partial '<svg'
    assert_output --partial 'Roofline of stencil5 (f64): r'
    assert_output --regexp '>naive: ~?[0-9.]+ GOP/s \(400, 1 thread\)<'
    assert_output --regexp '>openmp: '
    assert_output --regexp 'f64: [0-9.]+ GOP/s, 2.50 GB/s \(given\)<'
    assert_output --partial '>2.50 GB/s<'
    assert_output --regexp '1 core, i32: [0-9.]+ GOP/s|2 cores, i32: [0-9.]+ GOP/s'
    run -0 "$PARAGRADE" verify r # a picture in the run changes nothing
    run -0 "$PARAGRADE" report --student eve --roofline eve.svg r
    run cat eve.svg
    assert_output --partial 'Roofline of stencil5 (f64): eve'
    # A time that is not confirmed has a ~, as in the other picture.
    run -0 grep -oE 'naive: ~?[0-9.]+ GOP/s \(400, 1 thread\)' eve.svg
    "$PARAGRADE" plot --student eve -o - r | grep -F "$output"
}

@test "roofline: without gnuplot, times or a place, the message says so" {
    local dir path
    while IFS= read -r dir; do
        [ -x "$dir/gnuplot" ] || path+=$dir:
    done < <(tr : '\n' <<<"$PATH")
    if PATH=$path command -v jq >/dev/null; then
        PATH=$path run -1 "$PARAGRADE" report --roofline x.svg r
    else
        mkdir -p bin
        PATH=$PWD/bin run -1 "$PARAGRADE" report --roofline x.svg r
    fi
    assert_output --partial 'the picture needs gnuplot: install the package gnuplot-nox'
    assert [ ! -e x.svg ]
    gnuplot_here
    run -2 "$PARAGRADE" report --roofline nowhere/x.svg r
    assert_output --partial 'nowhere'
    run -2 "$PARAGRADE" report --json --roofline x.svg r
    run -2 "$PARAGRADE" report --student nobody --roofline x.svg r
    run -0 "$PARAGRADE" check -q -a a.yaml --no-timing --tier naive --reports none subs/eve
    run -1 "$PARAGRADE" report --roofline x.svg none/lines-*
    assert_output --partial 'there is nothing to draw: no time was measured'
}

@test "roofline: a bandwidth that is none is named with its line" {
    assignment '[measured, quick]' >bad.yaml
    run -2 "$PARAGRADE" check -a bad.yaml subs/eve
    assert_output --partial "bad.yaml:10: field 'roofline.bandwidth[1]': 'quick' is no bandwidth"
}

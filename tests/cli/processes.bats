#!/usr/bin/env bats
# Every time is from several processes, because what a process was given stays the same in it.

load ../helpers/common

setup() {
    command -v mpirun >/dev/null || skip "no mpirun here"
    cd "$BATS_TEST_TMPDIR" || return 1
    sed -e "s|reference: .*|reference: $REPO/reference/gemm|; /^template:/d" -e 's/ranks: \[1, 2, 4\]/ranks: [1]/' -e '/^kernel:/a sanitized: off' \
        -e '/^profiles:/a\  - {name: one, random: 1, max: 20, sizes: [128], budget: 300ms}' \
        "$REPO/testcases/gemm-i32.yaml" >a.yaml
}

# Starts whose samples are in the table: TIER
starts() {
    awk -F, -v tier="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["tier"] == tier { seen[$at["start"]] } END { print length(seen) }' reports/r/samples.csv
}

@test "processes: every time is from several starts, of mpirun as well as of a single process" {
    run -0 "$PARAGRADE" grade -q -a a.yaml -p one -t mpi -t simd --reference --run-id r
    local tier
    for tier in mpi simd; do
        # Three at least; more until the time is confirmed or the budget is spent.
        assert [ "$(starts $tier)" -ge 3 ]
        assert_equal "$(jq -r .verdict reports/r/units/reference.$tier/result.json)" pass
    done
    # And what is written is what verify gets from the samples.
    run -0 "$PARAGRADE" verify r
}

@test "processes: a kernel that is slow for its budget is started four times, with one run in each" {
    sed -i 's/sizes: \[128\], budget: 300ms/sizes: [128], budget: 1ms/' a.yaml
    run -0 "$PARAGRADE" grade -q -a a.yaml -p one -t mpi --reference --run-id r
    assert_equal "$(starts mpi)" 4
    assert_equal "$(grep -c ',mpi,' reports/r/samples.csv)" 4
}

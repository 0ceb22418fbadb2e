#!/usr/bin/env bats
# Times that depend on how a process started are taken from several.

load ../helpers/common

setup() {
    command -v mpirun >/dev/null || skip "no mpirun here"
    cd "$BATS_TEST_TMPDIR" || return 1
    sed -e "s|reference: .*|reference: $REPO/reference/gemm-i32|" -e 's/ranks: \[1, 2, 4\]/ranks: [1]/' \
        -e '/^profiles:/a\  - {name: one, random: 1, max: 20, sizes: [128], budget: 3s, max_samples: 40}' \
        "$REPO/testcases/gemm-i32.yaml" >a.yaml
}

# Processes whose samples are in the table: TIER
processes() {
    awk -F, -v tier="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["tier"] == tier { seen[$at["process"]] } END { print length(seen) }' reports/r/samples.csv
}

@test "processes: times of MPI are from several starts of mpirun, those of threads from one" {
    run -0 "$PARAGRADE" grade -q -a a.yaml -p one -t mpi -t simd --reference --run-id r
    assert [ "$(processes mpi)" -ge 3 ]
    assert_equal "$(processes simd)" 1
    result=reports/r/units/reference.mpi/result.json
    assert_equal "$(jq -r .verdict $result)" pass
    # And what is written is what verify gets from the samples.
    run -0 "$PARAGRADE" verify r
}

@test "processes: a slow kernel is not started again and again" {
    sed -i 's/sizes: \[128\], budget: 3s/sizes: [128], budget: 1ms/' a.yaml
    run -0 "$PARAGRADE" grade -q -a a.yaml -p one -t mpi --reference --run-id r
    assert_equal "$(processes mpi)" 1
}

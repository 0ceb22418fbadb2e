#!/usr/bin/env bats
# Sizes that name Matrix Market files: a run has copies of them, so it needs the files no more.

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    export PARAGRADE_CACHE=$PWD/cache
    mkdir -p course/matrices
    cp "$REPO/testcases/spmm/matrices/empty-rows.mtx" course/matrices
    printf '%%%%MatrixMarket matrix coordinate real general\n30 20 0\n' >course/none.mtx
    cat >course/a.yaml <<EOF
name: files
kernel: spmm_csr
type: f64
reference: $REPO/reference/spmm
baseline: csr-serial
yardstick: csr-serial
correctness: {random: 1, max: 8, edges: no}
performance:
  sizes: [none.mtx:3, matrices/empty-rows.mtx:8]
  budget: 1ms
  precision: 0.3
  quiet_node: false
limits: {build: 60s, case: 20s, unit: 5m}
sanitized: off
tiers:
  - name: csr-serial
    sources: [csr_serial.c]
    compile: gcc -std=c11 -O2 -fPIC -shared -I{abi} -o {out} {src}
    points: {correct: 1, metric: gops, speed: [{size: "matrices/empty-rows.mtx:8", points: 1, curve: [[0.001, 1]]}]}
  - name: ell-serial
    kernel: spmm_ell
    yardstick: ell-serial
    sources: [ell_serial.c]
    compile: gcc -std=c11 -O2 -fPIC -shared -I{abi} -o {out} {src}
    points: {correct: 1}
EOF
    cp -r course original
    grade r course/a.yaml
    rm -r course
}

setup() {
    cd "$BATS_FILE_TMPDIR" || exit 1
    export PARAGRADE_CACHE=$PWD/cache
}

grade() { # RUN ASSIGNMENT
    "$PARAGRADE" grade -q -a "$2" --run-id "$1" "$REPO/testcases/examples/spmm/ana" >out.txt 2>err.txt || {
        cat out.txt err.txt
        false
    }
}

# The original with this size, in the directory `wrong`.
refuses() { # SIZE MESSAGE
    sed "s|sizes: .*|sizes: [$1]|" original/a.yaml >wrong/a.yaml
    run -2 "$PARAGRADE" cases wrong/a.yaml
    assert_output --partial "wrong/a.yaml:9: field 'performance.sizes[0]': "
    assert_output --partial "$2"
}

@test "sparse files: what is wrong is refused with file, line and field" {
    cp -r original wrong
    echo '3 4 1' >>wrong/matrices/empty-rows.mtx
    refuses nowhere.mtx:8 'wrong/nowhere.mtx: No such file or directory'
    refuses ../original/none.mtx:8 "'../original/none.mtx' cannot be the path of a matrix"
    refuses none.mtx:30x20x3 "'none.mtx:30x20x3' is not a size"
    refuses matrices/empty-rows.mtx:8 'wrong/matrices/empty-rows.mtx:717: the file goes on after the 713 entries'
}

@test "sparse files: both formats pass, with empty rows and without any entry" {
    run -0 verdicts reports/r
    assert_output 'ana csr-serial pass
ana ell-serial pass
reference csr-serial pass
reference ell-serial pass'
    run -0 grep '^ana,' reports/r/cases.csv
    assert_line --partial ',performance,300,200,8,matrices/empty-rows.mtx,713,7,0.660476,6.18'
    assert_line --partial ',performance,30,20,3,none.mtx,0,0,0,0,'
    run -0 grep -c '^ana,[a-z]*-serial,1,1,1,0,matrices/empty-rows.mtx:8,' reports/r/speedup.csv
    assert_output 2
    run -0 grep -h ',none.mtx:3,' reports/r/{speedup,samples,roofline}.csv
    refute_output --regexp 'nan|inf'
}

@test "sparse files: without the original, a run is verified, reported and resumed" {
    run -0 "$PARAGRADE" verify r
    run -0 "$PARAGRADE" report r
    cp -r reports/r reports/again
    rm reports/again/units/ana.csr-serial/result.json
    run -0 "$PARAGRADE" resume -q again
    assert [ -f reports/again/units/ana.csr-serial/result.json ]
    run -0 "$PARAGRADE" verify again
    rm -r reports/again
}

# The result has the path of the matrix only.
@test "sparse files: the smallest case that fails may be of a matrix, also of one that the run lacks" {
    local file shape
    cp -r reports/r reports/failed
    for file in matrices/empty-rows.mtx none-such.mtx; do
        jq --arg file $file '.verdict = "wrong-answer" | .smallest = {shape: [$file, 300, 200, 3],
            values: "small", seed: "0x1", ranks: 1, threads: 1, verdict: "wrong-answer",
            message: "C[0][0]", runs: 1, failed_runs: 1, tried: 1, seconds: 1, finished: true}' \
            reports/r/units/ana.csr-serial/result.json >reports/failed/units/ana.csr-serial/result.json
        run -0 --separate-stderr "$PARAGRADE" report --json failed
        shape=$(jq -c '.. | .smallest? | select(. != null) | .shape' <<<"$output")
        echo "$shape"
        assert_equal "$(jq -r .structure <<<"$shape")" $file
        assert_equal "$(jq -c '[.m, .n, .k]' <<<"$shape")" '[300,200,3]'
        [ $file = none-such.mtx ] || assert_equal "$(jq .nnz <<<"$shape")" 713
    done
    rm -r reports/failed
}

@test "sparse files: without the original, a case is replayed and exported" {
    local number
    number=$(grep -m 1 '^ana,.*,matrices/empty-rows.mtx,' reports/r/cases.csv | cut -d, -f3)
    run -0 "$PARAGRADE" replay r ana.csr-serial "$number"
    assert_output --partial 'matrices/empty-rows.mtx, 300 x 200 x 8 (M x N x K), nnz = 713, width = 7'
    run -0 "$PARAGRADE" replay r ana.ell-serial "$number" --export "$BATS_TEST_TMPDIR/case"
    run -0 make -C "$BATS_TEST_TMPDIR/case" run
    assert_output --partial '0 of 1 runs failed'
}

@test "sparse files: receipts cover the matrices" {
    run -0 jq -r '.run.matrices_sha256 | to_entries[] | .key + " " + .value' reports/r/receipts.json
    assert_line "matrices/empty-rows.mtx $(sha256sum <original/matrices/empty-rows.mtx | cut -d' ' -f1)"
    assert_line "none.mtx $(sha256sum <original/none.mtx | cut -d' ' -f1)"
    cp -r reports/r reports/changed
    sed -i '4s/.*/2 36 0.25/' reports/changed/matrices/matrices/empty-rows.mtx
    run -1 "$PARAGRADE" verify -v changed
    assert_line --regexp '^matrices/matrices/empty-rows.mtx: sha256: recorded .*, recomputed '
    assert_line --partial 'receipts.json'
    sed -i '4s/.*/2 0 0.25/' reports/changed/matrices/matrices/empty-rows.mtx
    run -1 "$PARAGRADE" verify -v changed
    assert_line --regexp '^matrices/matrices/empty-rows.mtx: sha256: '
    assert_line --partial 'matrices/matrices/empty-rows.mtx:4: column: 0 is not between 1 and 200'
    rm -r reports/changed
}

@test "sparse files: times of a matrix are not kept for another one with the same path" {
    local before
    before=$(find cache -name 'node-*.json' | wc -l)
    cp -r original course
    sed -i '4s/.*/2 36 0.25/' course/matrices/empty-rows.mtx
    grade other course/a.yaml
    assert_equal "$(find cache -name 'node-*.json' | wc -l)" $((2 * before))
    rm -r course
}

@test "sparse files: one size is checked alone" {
    run -0 "$PARAGRADE" check -q -a original/a.yaml --size matrices/empty-rows.mtx:8 --tier csr-serial \
        --reports part "$REPO/testcases/examples/spmm/ana"
    assert_output --partial 'matrices/empty-rows.mtx:8'
    refute_output --partial none.mtx
    run -2 "$PARAGRADE" check -q -a original/a.yaml --size matrices/empty-rows.mtx:9 "$REPO/testcases/examples/spmm/ana"
    assert_output --partial 'no tier is timed at matrices/empty-rows.mtx:9; possible: none.mtx:3, matrices/empty-rows.mtx:8'
}

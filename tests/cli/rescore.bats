#!/usr/bin/env bats
# paragrade rescore: other points for stored samples.

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    mkdir subs
    cp -r "$REPO/student_impls/alice" "$REPO/student_impls/frank" subs/
    "$PARAGRADE" grade -q -a "$PARAGRADE_ASSIGNMENT" -t simd -t naive --run-id r subs >out.txt 2>&1 || {
        cat out.txt
        return 1
    }
}

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    mkdir reports
    cp -r "$BATS_FILE_TMPDIR/reports/r" reports/
    sed "s|\.\./\.\./|$REPO/|" "$PARAGRADE_ASSIGNMENT" >a.yaml
}

points() { # SUBMISSION TIER
    "$PARAGRADE" report --json r | jq -r \
        ".units[] | select(.submission == \"$1\" and .tier == \"$2\") | .points"
}

@test "rescore: bad arguments and other ways to run are refused, and nothing changes" {
    run -2 env -C / "$PARAGRADE" rescore # no run there
    run -2 "$PARAGRADE" rescore nowhere
    run -2 "$PARAGRADE" rescore --assignment missing.yaml r
    assert_output --partial missing.yaml
    local edit
    while IFS='|' read -r edit field; do
        sed "$edit" a.yaml >b.yaml
        run -2 "$PARAGRADE" rescore --assignment b.yaml r
        assert_output --partial "b.yaml: $field differs from the assignment of the run"
        assert_output --partial 'paragrade regrade --assignment b.yaml RUN'
    done <<'CASES'
s/budget: 20ms/budget: 300ms/|performance.budget
s/mavx2/mavx512f/|tiers.simd.compile
s/failures: 2/failures: 3/|limits.failures
s/name: openmp/name: omp/|the list of tiers
/^seed/d|seed
CASES
    assert [ ! -e reports/r/earlier ]
    assert_equal "$(ls -A reports)" r
    run -0 "$PARAGRADE" verify r
}

@test "rescore: stopped before the tables are written, nothing is changed" {
    # Reading it takes the time in which the signal comes.
    truncate -s 200M reports/r/sources/alice/large.h
    "$PARAGRADE" report --csv-only r
    sed 's/correct: 10/correct: 12/' a.yaml >b.yaml
    local pid status=0
    env --default-signal=INT "$PARAGRADE" rescore --assignment b.yaml r >out.txt 2>&1 3>&- &
    pid=$!
    until [ -d reports/.r.revision ]; do sleep 0.01; done
    kill -INT $pid
    wait $pid || status=$?
    assert_equal "$status" 3
    assert_equal "$(cat out.txt)" 'stopped; nothing was changed in reports/r'
    assert_equal "$(ls -A reports)" r
    assert [ ! -e reports/r/lock ]
    run -0 "$PARAGRADE" verify r
}

@test "rescore: a curve and points change; whose points change is listed, and verify agrees" {
    local before after results
    before=$(points alice simd)
    results=$(sha256sum reports/r/units/*/result.json)
    # Another layout and another title change no sample.
    sed 's/curve: \[\[1, 0\], \[20, 1\]\]/curve: [[1, 0], [1000, 1]]/; s/^name: small/&\ntitle: "Small"/
        s/edges: yes/edges:   yes/' a.yaml >b.yaml
    run -0 --separate-stderr "$PARAGRADE" rescore -n --assignment b.yaml r
    assert_line --regexp '^alice +[0-9.]+ +20\.[0-9]+ +30 +-[0-9.]+ +simd$'
    assert_equal "$(points alice simd)" "$before"
    run -0 --separate-stderr "$PARAGRADE" rescore --assignment b.yaml r
    assert_line --regexp '^alice +[0-9.]+ +20\.[0-9]+ +30 +-[0-9.]+ +simd$'
    refute_line --partial frank # its simd is missing
    assert_line '1 of 2 submissions has other points than before'
    assert_equal "$(sha256sum reports/r/units/*/result.json)" "$results"
    run -0 "$PARAGRADE" verify r
    after=$(points alice simd)
    assert jq -en "$after < $before and $after > 10"
    # The receipt is another one, and the old one is kept.
    assert_equal "$(sha256sum <reports/r/earlier/1/receipts.json)" \
        "$(sha256sum <"$BATS_FILE_TMPDIR/reports/r/receipts.json")"
    run -0 jq -r '.files["earlier/1/receipts.json"]' reports/r/receipts.json
    assert_output "$(sha256sum <reports/r/earlier/1/receipts.json | cut -d' ' -f1)"
    # The new file is the assignment from now on, and a second time nothing changes.
    run -0 --separate-stderr "$PARAGRADE" rescore r
    assert_output '0 of 2 submissions have other points than before'
    run -0 "$PARAGRADE" verify r
    edited=$(sed 's/\[1000, 1\]/[1000, 0.5]/' reports/r/assignment.yaml)
    echo "$edited" >reports/r/assignment.yaml
    run -1 "$PARAGRADE" verify -v r
    assert_output --partial 'grades.csv: row 1 (alice alice): total_points'
}

@test "rescore: within the run, whose directory is another one afterwards" {
    cd reports/r
    run -0 "$PARAGRADE" rescore -a ../../a.yaml .
    for command in verify status report resume rescore; do
        run -2 "$PARAGRADE" $command .
    done
    cd "$PWD"
    run -0 "$PARAGRADE" verify .
}

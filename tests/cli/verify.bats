#!/usr/bin/env bats

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    mkdir subs
    cp -r "$REPO/student_impls/carol" "$REPO/student_impls/frank" subs/
    echo '#define UNUSED 1' >subs/carol/own.h
    "$PARAGRADE" grade -q -a "$PARAGRADE_ASSIGNMENT" --run-id r subs >class.txt 2>err.txt || {
        cat err.txt
        return 1
    }
}

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    mkdir reports
    cp -r "$BATS_FILE_TMPDIR/reports/r" reports/
}

# flip FILE OFFSET: change one bit of one byte.
flip() {
    local byte
    byte=$(od -An -tu1 -j "$2" -N 1 "$1") || return 1
    printf '%b' "\\0$(printf %o $((byte ^ 4)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# Every file of the run that bears on a grade.
evidence() {
    (cd reports/r && find . -type f ! -name 'attempt-*' ! -name '*.log' | sed 's|^\./||' | sort)
}

fingerprint() { (cd "$1" && find . -type f -print0 | sort -z | xargs -0 sha256sum); }

# sed that must change something.
edit() { # SCRIPT FILE
    cp "$2" before
    sed -i "$1" "$2"
    ! cmp -s before "$2" || fail "'$1' changed nothing in $2"
    rm before
}

@test "verify: what is not a run, and what is no digest, is refused" {
    run -2 env -C / "$PARAGRADE" verify # no run there
    run -2 "$PARAGRADE" verify r r
    run -2 "$PARAGRADE" verify nowhere
    assert_output --partial nowhere
    run -2 "$PARAGRADE" verify --digest
    run -2 "$PARAGRADE" verify --digest 12ab r
    assert_output --partial "64 hexadecimal digits"
    mkdir empty
    run -2 "$PARAGRADE" verify empty
}

@test "verify: a run as it was graded; nothing is changed" {
    fingerprint reports/r >before
    run -0 --separate-stderr "$PARAGRADE" verify r
    assert_line --index 0 --regexp '^verified: 3 submissions, 9 units, [0-9]+ files$'
    assert_line --index 1 "digest: $(sha256sum reports/r/receipts.json | cut -d' ' -f1)"
    fingerprint reports/r | cmp - before
    # Where it lies does not matter.
    mv reports/r elsewhere
    run -0 "$PARAGRADE" verify elsewhere
}

@test "verify: every table that is written is verified" {
    local listed
    listed=$(sed -nE 's/^PART\([A-Z]+_TABLE, *"([a-z]+\.csv)".*/\1/p' \
        "$REPO/grader/rundir/parts.def" | sort)
    assert [ -n "$listed" ]
    # There is no file of a table without rows.
    local written
    written=$(grep -vxE '(profile|sweep|versus|counters|weak)\.csv' <<<"$listed")
    assert_equal "$(jq -r '.files | keys[] | select(endswith(".csv"))' reports/r/receipts.json)" "$written"
    # Nothing else ends up beside them.
    assert_equal "$(cd reports/r && ls -- *.csv)" "$written"
}

@test "verify: the receipts say what each grade was made from" {
    local unit='.submissions[] | select(.id == "carol") | .units[] | select(.unit == "carol.simd")'
    jq -e "$unit" reports/r/receipts.json >unit.json
    run -0 jq -r '.sources_sha256 | to_entries[] | "\(.key) \(.value)"' unit.json
    assert_line "simd.c $(sha256sum subs/carol/simd.c 2>/dev/null ||
        sha256sum "$REPO/student_impls/carol/simd.c" | cut -d' ' -f1)"
    assert_line --regexp '^own\.h [0-9a-f]{64}$'
    run -0 jq -r '.verdict, .compile, .compiler, .node, .job, (.samples | tostring)' unit.json
    assert_line --index 0 wrong-answer
    assert_line --index 1 --partial "gcc -std=c11"
    assert_line --index 2 --partial gcc
    run -0 jq -r '.run | .seed, .assignment_sha256, .tools.paragrade, .tools["driver-cpu"]' \
        reports/r/receipts.json
    assert_line --index 0 0x0000000000000007
    assert_line --index 1 "$(sha256sum <reports/r/assignment.yaml | cut -d' ' -f1)"
    assert_line --index 2 "$("$PARAGRADE" --version | cut -d' ' -f2)"
    assert_line --index 3 "$(sha256sum <"$REPO/build/libexec/paragrade/driver-cpu" | cut -d' ' -f1)"
    # Student and instructor read the same receipt.
    local receipt
    receipt=$(jq -r '.submissions[] | select(.id == "carol").receipt' reports/r/receipts.json)
    grep -q "^carol,.*,$receipt"$'\r'"\$" reports/r/grades.csv
    run -0 "$PARAGRADE" report --student carol r
    assert_line "Receipt: $receipt"
    run -0 "$PARAGRADE" report r
    assert_line "Digest: $(sha256sum <reports/r/receipts.json | cut -d' ' -f1)"
}

# However a table or a source is damaged, it is read to its end: one verify for all tables, one for all
# sources. What is parsed before its sum is compared may be refused elsewhere: each alone, and at several
# places.
kind_of() { # FILE
    case $1 in *.csv) echo table ;; sources/*) echo source ;; *) echo other ;; esac
}

@test "verify: one changed bit in any file is found, and the file is named" {
    local file size at n=0 files same kind
    mapfile -t files < <(evidence)
    for kind in table source; do
        same=()
        for file in "${files[@]}"; do [ "$(kind_of "$file")" != $kind ] || same+=("$file"); done
        for file in "${same[@]}"; do flip "reports/r/$file" $(($(stat -c %s "reports/r/$file") / 2)); done
        run -1 --separate-stderr "$PARAGRADE" verify r
        for file in "${same[@]}"; do
            assert_line --regexp "^${file//./\\.}(: | was changed)"
            flip "reports/r/$file" $(($(stat -c %s "reports/r/$file") / 2)) # back
            n=$((n + 1))
        done
    done
    for file in "${files[@]}"; do
        [ "$(kind_of "$file")" = other ] || continue
        size=$(stat -c %s "reports/r/$file")
        for at in 0 $((size / 2)) $((size - 1)); do
            flip "reports/r/$file" "$at"
            run -1 --separate-stderr "$PARAGRADE" verify r
            assert_line --regexp "^${file//./\\.}(: | was changed)"
            flip "reports/r/$file" "$at" # back
            n=$((n + 1))
        done
    done
    [ "$n" -ge 60 ]
    run -0 "$PARAGRADE" verify r
    # The loop has met every kind of file.
    local kind
    for kind in assignment.yaml plan.json resume.json receipts.json grades.csv samples.csv \
        nodes/ sources/carol/own.h sources/reference/ units/carol.simd/result.json; do
        evidence | grep -q "^$kind" || fail "no $kind among the files"
    done
}

@test "verify: a file that is missing, or too much, is named" {
    local file
    for file in $(evidence | grep -vE '^(plan.json|receipts.json)$'); do
        mv "reports/r/$file" kept
        run "$PARAGRADE" verify -v r
        assert [ "$status" = 1 ]
        assert_line --regexp "^${file//./\\.}: .*no such file"
        mv kept "reports/r/$file"
    done
    echo 'int x;' >reports/r/sources/carol/gemm_extra.h
    cp reports/r/nodes/*.json reports/r/nodes/other.json
    run -1 "$PARAGRADE" verify -v r
    assert_line --partial "sources/carol/gemm_extra.h: sha256: recorded (not in receipts.json)"
    assert_line --partial "nodes/other.json: sha256: recorded (not in receipts.json)"
    run -1 "$PARAGRADE" verify r
    assert_line 'nodes/other.json was added'
    rm reports/r/sources/carol/*.c
    run -1 "$PARAGRADE" verify r
    assert_line --regexp '^sources/carol/.*\.c was removed$'
}

@test "verify: a plan or an assignment that cannot be read is named all the same" {
    local file
    for file in plan.json assignment.yaml; do
        echo '{' >"reports/r/$file"
        run -1 "$PARAGRADE" verify -v r
        assert_line --regexp "^$file: sha256: recorded [0-9a-f]{64}, recomputed [0-9a-f]{64}$"
        assert_output --partial "nothing can be recomputed"
        cp "$BATS_FILE_TMPDIR/reports/r/$file" "reports/r/$file"
        rm "reports/r/$file"
        run -1 "$PARAGRADE" verify -v r
        assert_line --regexp "^$file: sha256: recorded [0-9a-f]{64}, recomputed \(no such file\)$"
        cp "$BATS_FILE_TMPDIR/reports/r/$file" "reports/r/$file"
    done
}

@test "verify: fields are named with what was recorded and what comes out" {
    edit 's/^frank,frank,10,10,0,20,10,10,20,/frank,frank,10,10,0,20,10,10,40,/' reports/r/grades.csv
    run -1 "$PARAGRADE" verify -v r
    assert_line "grades.csv: row 2 (frank frank): total_points: recorded 40, recomputed 20"
    cp "$BATS_FILE_TMPDIR/reports/r/grades.csv" reports/r/

    # Another verdict: what the cases say, and what it does to the points.
    edit '0,/"verdict": "wrong-answer"/s//"verdict": "pass"/' \
        reports/r/units/carol.simd/result.json
    run -1 "$PARAGRADE" verify -v r
    assert_line "units/carol.simd/result.json: carol.simd: verdict: recorded pass, recomputed wrong-answer"
    assert_line --regexp '^units.csv: row [0-9]+ \(carol simd\): verdict: recorded wrong-answer, recomputed pass$'
    assert_line --regexp '^receipts.json: carol.simd: points: recorded 0.0, recomputed 10.0$'
    # The cause alone, unless asked for more.
    run -1 "$PARAGRADE" verify r
    assert_equal "${#lines[@]}" 4
    assert_line --index 2 --partial 'Each line above names a file'
    assert_line --index 0 'units/carol.simd/result.json was changed: wrong-answer -> pass'
    assert_line --index 1 --regexp '^[0-9]+ consequences in tables and receipts \(-v: list\)$'
    cp "$BATS_FILE_TMPDIR/reports/r/units/carol.simd/result.json" reports/r/units/carol.simd/

    # Samples that the tables were not made from.
    jq '(.cases[] | .samples[] | .unit) |= . * 2' reports/r/units/reference.simd/result.json >x
    mv x reports/r/units/reference.simd/result.json
    run -1 "$PARAGRADE" verify -v r
    assert_line --regexp '^samples.csv: row [0-9]+ \(reference simd\): seconds: recorded [0-9.e-]+, recomputed [0-9.e-]+$'
    assert_line --regexp '^speedup.csv: row [0-9]+ \(reference simd\): seconds: recorded [0-9.e-]+, recomputed [0-9.e-]+$'
    assert_line --regexp '^receipts.json: reference.simd: samples_sha256: recorded '
    cp "$BATS_FILE_TMPDIR/reports/r/units/reference.simd/result.json" reports/r/units/reference.simd/

    # Of a file with many differences, twelve are printed, and how many more there are.
    # The digest of the file is one of them.
    local rows units
    rows=$(grep -c ,pass, reports/r/cases.csv)
    units=$(grep -c ,pass, reports/r/units.csv)
    assert [ "$rows" -gt 12 ]
    edit 's/,pass,/,crash,/' reports/r/cases.csv
    edit 's/,pass,/,crash,/' reports/r/units.csv
    run -1 "$PARAGRADE" verify -v r
    assert_equal "$(grep -c '^cases.csv: row' <<<"$output")" 11
    assert_line "cases.csv: and $((rows + 1 - 12)) more (--json lists them)"
    assert_equal "$(grep -c '^units.csv: row' <<<"$output")" "$units"

    # Other rules for the points.
    edit 's/points: {correct: 10}/points: {correct: 12}/' reports/r/assignment.yaml
    run -1 "$PARAGRADE" verify --json r
    run -0 jq -r '.differences[] | select(.file == "receipts.json" and .where == "frank.naive" and
        .field == "points") | "\(.recorded) \(.recomputed)"' <<<"$output"
    assert_output "10.0 12.0"
}

@test "verify: receipts that were edited do not agree with themselves" {
    edit 's/"points": 20.0/"points": 40.0/' reports/r/receipts.json
    run -1 "$PARAGRADE" verify r
    assert_line --regexp '^receipts.json: frank: receipt: recorded [0-9a-f]{64}, recomputed [0-9a-f]{64}$'
    assert_line "receipts.json: frank: points: recorded 40.0, recomputed 20.0"
    # The same values in other bytes have another digest.
    local script
    for script in 's/"format": 1/"format":  1/' 's/"points": 20.0/"points": 2e1/' 's/^}/}\n/'; do
        cp "$BATS_FILE_TMPDIR/reports/r/receipts.json" reports/r/
        edit "$script" reports/r/receipts.json
        run -1 "$PARAGRADE" verify r
        assert_line --regexp '^receipts.json: a byte that does not show: recorded [0-9a-f]{64}, recomputed [0-9a-f]{64}$'
    done
}

@test "verify: new receipts for a changed run agree with it, but not with the digest that was kept" {
    local kept receipt
    kept=$(sha256sum <reports/r/receipts.json | cut -d' ' -f1)
    receipt=$(jq -r '.submissions[] | select(.id == "frank").receipt' reports/r/receipts.json)
    run -0 "$PARAGRADE" verify --digest "$kept" r
    run -0 "$PARAGRADE" verify --digest "${kept^^}" r
    run -0 "$PARAGRADE" verify --digest "$receipt" r
    assert_output --partial "is the receipt of frank"
    "$PARAGRADE" report --csv-only r
    run -0 "$PARAGRADE" verify --digest "$kept" r # reporting again gives the same bytes

    edit 's/points: {correct: 10}/points: {correct: 12}/' reports/r/assignment.yaml
    "$PARAGRADE" report --csv-only r
    run -0 "$PARAGRADE" verify r
    run -1 "$PARAGRADE" verify --digest "$kept" r
    assert_line --regexp "^receipts.json: digest: recorded $kept, recomputed [0-9a-f]{64}$"
    run -1 "$PARAGRADE" verify --digest "$receipt" r
}

@test "verify: as JSON it can be read by a program" {
    run -0 bash -c "'$PARAGRADE' verify --json r | jq -r '.state, (.differences | length)'"
    assert_output $'verified\n0'
    flip reports/r/samples.csv 300
    run -0 bash -c "'$PARAGRADE' verify --json r | jq -r '.state, .differences[0].file'"
    assert_output $'different\nsamples.csv'
}

@test "verify: an unfinished run says so" {
    mv reports/r/units/carol.simd/result.json kept
    run -3 "$PARAGRADE" report --csv-only r
    run -3 "$PARAGRADE" verify r
    assert_output --partial "unfinished: 1 of 9 units had no result"
    # The result comes after the report.
    mv kept reports/r/units/carol.simd/result.json
    run -3 "$PARAGRADE" verify r
    assert_output --partial "units/carol.simd/result.json: came after the report was written"
    # What is there is compared all the same.
    flip reports/r/units/frank.naive/result.json 200
    run -1 "$PARAGRADE" verify r
    # Nothing reported yet.
    rm reports/r/units/carol.simd/result.json reports/r/receipts.json
    flip reports/r/units/frank.naive/result.json 200
    run -3 "$PARAGRADE" verify r
    assert_output --partial unfinished
}

@test "verify: a run without receipts says so, and is not verified" {
    rm reports/r/receipts.json
    run -2 --separate-stderr "$PARAGRADE" verify r
    assert_equal "$output" ""
    # shellcheck disable=SC2154 # bats sets it
    [[ $stderr == *"no receipts"* ]]
    # As they were before there were receipts.
    sed -i 's/,[^,]*\r$/\r/' reports/r/grades.csv
    run -2 "$PARAGRADE" verify r
    assert_output --partial "grades.csv: has other columns than this program writes: not compared"
    edit '2s/[0-9]/7/' reports/r/samples.csv
    run -1 "$PARAGRADE" verify r
    assert_line --regexp '^samples.csv: row 1 '
    run -1 "$PARAGRADE" verify --digest "$(sha256sum </dev/null | cut -d' ' -f1)" r
    assert_output --partial "there are no receipts"
}

@test "verify: a run that lost units to the cluster can be verified" {
    rm reports/r/units/frank.openmp/result.json
    echo '{"reason": "node died", "host": "n1", "when": "2026-01-01T00:00:00Z"}' \
        >reports/r/units/frank.openmp/infra-1.json
    export PARAGRADE_PROCTOR=/bin/false
    run -1 "$PARAGRADE" resume -q r
    run -0 grep -c infra-error reports/r/units.csv
    run -0 "$PARAGRADE" verify r
    flip reports/r/units/frank.openmp/infra-1.json 14
    run -1 "$PARAGRADE" verify r
    assert_line 'units/frank.openmp/infra-1.json was changed'
}

# A resume that waits for its proctors, in the background.
begin_resume() {
    cp reports/r/resume.json begun
    printf '#!/bin/sh\nexec sleep 100\n' >waits
    chmod +x waits
    PARAGRADE_PROCTOR=$PWD/waits "$PARAGRADE" resume -q r >resume.txt 2>&1 3>&- &
    RESUME=$!
    wait_until 20 bash -c '! cmp -s begun reports/r/resume.json'
}

end_resume() {
    local status=0
    kill -TERM "$RESUME"
    wait "$RESUME" || status=$?
    assert_equal "$status" 3
    assert [ ! -e reports/r/lock ]
}

teardown() {
    [ -z "${RESUME:-}" ] || kill "$RESUME" 2>/dev/null || true # where a test failed
}

# Whatever else was changed is still named.
assert_compares() { # FILE...
    local file
    for file; do
        flip "reports/r/$file" 300
        run -1 --separate-stderr "$PARAGRADE" verify r
        assert_line --regexp "^${file//./\\.}(: | was changed)"
        flip "reports/r/$file" 300
    done
    run -3 "$PARAGRADE" verify r
}

@test "verify: a resume that runs or was interrupted is unfinished, not different" {
    mv reports/r/units/frank.openmp/result.json result.json
    PARAGRADE_PROCTOR=/bin/false run -1 "$PARAGRADE" resume -q r
    run -0 "$PARAGRADE" verify r
    begin_resume
    run -3 --separate-stderr "$PARAGRADE" verify r
    assert_output "digest: $(sha256sum <reports/r/receipts.json | cut -d' ' -f1)"
    # shellcheck disable=SC2154
    [[ $stderr == *'note: resume.json: is newer than the receipts: a resume has begun and not ended'* ]]
    assert_compares grades.csv plan.json units/frank.naive/result.json
    end_resume
    run -3 "$PARAGRADE" verify r
    assert_compares grades.csv plan.json units/frank.naive/result.json
    # Another node came with it.
    cp reports/r/nodes/*.json reports/r/nodes/other.json
    run -3 "$PARAGRADE" verify r
    assert_output --partial 'note: nodes/other.json: came after the report was written'
    rm reports/r/nodes/other.json
    # Nobody else removes the file.
    mv reports/r/resume.json kept
    run -1 "$PARAGRADE" verify r
    assert_line 'resume.json was removed'
    mv kept reports/r/resume.json
    # The last attempt failed while nobody watched.
    echo '{"reason": "node died", "host": "n1", "when": "2026-01-01T00:00:00Z", "cancelled": true}' \
        >reports/r/units/frank.openmp/infra-a9.json
    run -3 "$PARAGRADE" verify r
    assert_compares grades.csv
    # Or a later one succeeded. That it saw the node faster than the others changes nothing of the report.
    jq '.cases[].samples[].alone |= . / 100' result.json >reports/r/units/frank.openmp/result.json
    run -3 "$PARAGRADE" verify r
    assert_output --partial 'note: units/frank.openmp/result.json: came after the report was written'
    assert_compares grades.csv
    cp result.json reports/r/units/frank.openmp/
    run -3 "$PARAGRADE" verify r
    run -0 "$PARAGRADE" resume -q r
    run -0 "$PARAGRADE" verify r
}

@test "verify: an interrupted resume with another grader notes in the plan who graded, and no more" {
    rm reports/r/units/frank.openmp/result.json
    sed -i 's/"proctor": "......../"proctor": "00000000/' reports/r/resume.json
    run -3 "$PARAGRADE" report --csv-only r
    cp reports/r/plan.json before.json
    begin_resume
    end_resume
    run -1 cmp before.json reports/r/plan.json
    run -3 "$PARAGRADE" verify r
    assert_output --partial 'note: plan.json: is newer than the receipts'
    assert_compares grades.csv plan.json units/frank.naive/result.json
    edit 's/"profile": ""/"profile": "x"/' reports/r/plan.json
    run -1 "$PARAGRADE" verify r
    assert_line 'plan.json was changed'
    sed -i 's/"profile": "x"/"profile": ""/' reports/r/plan.json
    # A grader that is neither the one of the receipts nor noted in them.
    cp reports/r/plan.json kept
    edit '0,/"tools": "..../s//"tools": "0000/' reports/r/plan.json
    run -1 "$PARAGRADE" verify r
    assert_line 'plan.json was changed'
    mv kept reports/r/plan.json
    run -0 "$PARAGRADE" resume -q r
    run -0 "$PARAGRADE" verify r
    # Without a resume, the same plan is a difference.
    cp before.json reports/r/plan.json
    run -1 "$PARAGRADE" verify r
    assert_line 'plan.json was changed'
}

#!/usr/bin/env bats
# shellcheck disable=SC2154 # bats and helpers set variables
# What a person decides: overrides.csv, deadlines, late submissions.

setup() {
    load ../helpers/common
    load ../helpers/class
    make_class
    export FAKE_SLEEP=0
    sed -i 's/{name: \(naive\|simd\|openmp\), /&points: {correct: 10}, /' a.yaml
    printf 'submission,name,canvas_id,group\nalice,Alice,4711,Tue\nwrong,Wim,4712,Tue\nc d,Carl,,Wed\n' >roster.csv
}

grade() { "$PARAGRADE" grade -q -a a.yaml --roster roster.csv --run-id r subs >/dev/null; }

# total SUBMISSION; cell FILE SUBMISSION[,TIER] COLUMN
total() { cell grades.csv "$1" total_points; }
cell() {
    local n
    n=$(head -n 1 "reports/r/$1" | tr -d '\r' | tr , '\n' | grep -nx "$3" | cut -d: -f1)
    grep "^$2," "reports/r/$1" | tr -d '\r' | cut -d, -f"$n"
}

@test "overrides: mistakes in the file are named with line and field, and nothing is made" {
    local row message
    while IFS='|' read -r row message; do
        printf 'student,tier,points,delta,deadline,reason\nalice,naive,9,,,fine\n%b\n' "$row" >overrides.csv
        run -2 "$PARAGRADE" grade -q -a a.yaml --roster roster.csv --run-id r subs
        assert_output --partial "overrides.csv:3: $message"
    done <<'CASES'
alic,naive,5,,,x|the run has no submission 'alic'; did you mean 'alice'?
zoe,naive,5,,,x|the run has no submission 'zoe'; it has: alice, wrong, c%20d
,naive,5,,,x|student is empty
alice,fast,5,,,x|alice has no tier 'fast' in this run; it has: naive, simd, openmp
alice,simd,,,,x|give one of points, delta and deadline, not none
alice,simd,5,1,,x|give one of points, delta and deadline, not several
alice,simd,five,,,x|points:
alice,simd,-1,,,x|points:
alice,simd,,much,,x|delta:
alice,,,,yesterday,x|deadline:
alice,simd,,,2026-11-30T23:59:00Z,x|a deadline is that of the whole submission
alice,simd,5,,,|there is no reason
alice,naive,,1,,again|a second row for alice and naive
reference,naive,5,,,x|reference is the reference
CASES
    printf 'student,tier,point,reason\nalice,naive,9,fine\n' >overrides.csv
    run -2 "$PARAGRADE" grade -q -a a.yaml --roster roster.csv --run-id r subs
    assert_output --partial "overrides.csv:1: unknown or repeated column 'point'"
    run -2 "$PARAGRADE" grade -q -a a.yaml --overrides nowhere.csv --run-id r subs
    assert_output --partial nowhere.csv
    assert [ ! -e reports/r ]
}

@test "overrides: points, deltas and totals, kept over every report, covered by receipts" {
    cat >overrides.csv <<'CSV'
student,tier,points,delta,reason
Wim,naive,4,,"complaint of 3 December, see mail"
wrong,simd,5,,handed in by mail
alice,openmp,,-2.5,quoted without a source
c d,,,+3,bonus
CSV
    grade
    assert_equal "$(total wrong) $(total alice) $(total c%20d)" '9 27.5 33'
    assert_equal "$(cell units.csv wrong,naive points) $(cell units.csv wrong,naive scored_points)" '4 0'
    run grep '^c%20d' reports/r/grades.csv
    assert_output --partial 'changed by +3: bonus'
    run -0 "$PARAGRADE" verify r
    run -0 "$PARAGRADE" report --student wrong r
    assert_line 'Decided by the instructor: naive set to 4: complaint of 3 December, see mail'
    assert_line --regexp '^naive +wrong-answer +4\.0 of 10 points$'
    assert_line --regexp '^Total: 9\.0 of 30 points'
    run -0 jq -r '.submissions[].units[] | select(.unit == "wrong.naive") | .override' reports/r/receipts.json
    assert_output 'set to 4: complaint of 3 December, see mail'
    # The original file is gone: the run has its copy.
    rm overrides.csv
    run -0 "$PARAGRADE" report r
    assert_line --regexp '^decided by a person  [0-9]+  .*alice.openmp'
    run -0 "$PARAGRADE" rescore r
    run -0 "$PARAGRADE" regrade -q --only alice r
    assert_equal "$(total wrong) $(total alice)" '9 27.5'
    run -0 "$PARAGRADE" verify r
    sed -i 's/,4,/,9,/' reports/r/overrides.csv
    run -1 "$PARAGRADE" verify -v r
    assert_line --regexp '^overrides.csv: sha256'
    assert_output --partial 'total_points: recorded 9, recomputed 14'
}

@test "overrides: the student's page and JSON show what was decided and why, and lateness" {
    echo 'deadline: {at: "2026-11-30T12:00:00Z", penalty: 0.5}' >>a.yaml
    printf 'submission,submitted\nalice,2026-11-30T14:00:00Z\nwrong,2026-11-30T11:00:00Z\n' >subs/submitted.csv
    printf 'student,tier,points,delta,reason\nwrong,naive,4,,"mail: 1 < 2"\nalice,,,+1,bonus\n' >overrides.csv
    grade
    run -0 "$PARAGRADE" report --all fb r
    run -0 cat fb/wrong/feedback.html
    assert_output --partial 'Decided by the instructor: naive set to 4: mail: 1 &lt; 2'
    refute_output --partial 'Late:'
    run -0 cat fb/alice/feedback.html
    assert_output --partial 'Late: submitted 2026-11-30T14:00:00Z, 2.0 h after the deadline: -15.0 points'
    assert_output --partial 'Decided by the instructor: submission changed by +1: bonus'
    run -0 jq -c '.submissions[0] | [.submitted_utc, .late_seconds, .late_penalty, .override]' fb/*/feedback.json
    assert_output "$(printf '%s\n' '["2026-11-30T14:00:00Z",7200,15,"changed by +1: bonus"]' '[null,0,0,""]' \
        '["2026-11-30T11:00:00Z",0,0,""]')"
    run -0 jq -c '.units[0] | [.scored_points, .late_penalty, .points, .override]' fb/alice/feedback.json fb/wrong/feedback.json
    assert_output "$(printf '%s\n' '[10,5,5,""]' '[0,0,4,"set to 4: mail: 1 < 2"]')"
}

@test "overrides: a delta of a unit that does not count is not told to the student" {
    printf 'student,tier,points,delta,reason\nalice,naive,,3,bonus\nalice,simd,4,,by mail\n' >overrides.csv
    FAKE_STATUS='alice.*:9' grade || true
    run -0 "$PARAGRADE" report --student alice r
    assert_line --regexp '^naive +infra-error +\(does not count\)'
    assert_line 'Decided by the instructor: simd set to 4: by mail'
    refute_output --partial bonus
    assert_line --regexp '^Total: 4\.0 of 10 points'
}

@test "overrides: JSON has no points of a unit that does not count, as units.csv" {
    FAKE_STATUS='alice.naive:9' grade || true
    run -0 jq -c '.units[] | select(.submission == "alice") |
        [.tier, .counted, .points, .max_points, .scored_points, .late_penalty]' <("$PARAGRADE" report --json r)
    assert_output '["naive",false,null,null,null,null]
["simd",true,10,10,10,0]
["openmp",true,10,10,10,0]'
}

@test "overrides: the points of the class are of those who have a tier that counts" {
    FAKE_STATUS='alice.*:9' grade || true
    run -0 "$PARAGRADE" report r
    assert_line --regexp '^ +2 +0\.0 +7\.5 +15\.0 +22\.5 +30\.0 +30$'
    run -0 "$PARAGRADE" report --all fb r
    run -0 grep -c '█' fb/index.html
    assert_output 2
}

@test "overrides: a later decision is taken by rescore, also from another file" {
    grade
    assert_equal "$(total alice)" 30
    printf 'student;points;tier;reason\nalice;2;naive;late finding\n' >overrides.csv
    run -0 "$PARAGRADE" rescore r
    assert_line --regexp '^alice +30\.00 +22\.00 +30 +-8\.00 '
    printf 'student;points;tier;reason\n4711;2;naive;by an id\n' >overrides.csv
    run -0 "$PARAGRADE" rescore -n r
    assert_line --regexp '^0 of 3 submissions'
    printf 'student;points;tier;reason\nTue;2;naive;two are in this group\n' >overrides.csv
    run -2 "$PARAGRADE" rescore -n r
    assert_output --partial "the run has no submission 'Tue'"
    printf 'student,tier,points,reason\nalice,naive,3,other\n' >other.csv
    run -0 "$PARAGRADE" rescore --overrides other.csv r
    assert_equal "$(total alice)" 23
    # What is gone is named.
    rm other.csv a.yaml
    for command in rescore regrade; do
        run -0 "$PARAGRADE" $command r
        assert_line --regexp '/other\.csv is not there any more: the overrides in the run stay$'
        assert_line --regexp '/a\.yaml is not there any more: the assignment '
        assert_equal "$(total alice)" 23
    done
    run -0 "$PARAGRADE" verify r
}

@test "deadline: late submissions lose points, by submitted.csv; an extension helps" {
    cat >>a.yaml <<'YAML'
deadline: {at: "2026-11-30T23:59:00+01:00", grace: 15m, penalty: 0.1, every: 24h, most: 0.5, closed: 240h}
YAML
    cat >subs/submitted.csv <<'CSV'
submission,submitted
alice,2026-12-01T00:10:00+01:00
wrong,2026-12-02T09:00:00+01:00
c d,2026-12-02T09:00:00+01:00
CSV
    grade
    # alice is within the grace and therefore not late; c d is in the second day.
    assert_equal "$(total alice) $(total c%20d)" '30 24'
    assert_equal "$(cell grades.csv c%20d submitted_utc)" 2026-12-02T08:00:00Z
    assert_equal "$(cell grades.csv c%20d late_seconds) $(cell grades.csv c%20d late_penalty)" '118860 6'
    assert_equal "$(cell grades.csv alice late_seconds) $(cell grades.csv alice late_penalty)" ' '
    run -0 "$PARAGRADE" report r
    assert_line --regexp '^late +[0-9]+  .*c%20d'
    assert_equal "$(jq '.submissions[] | select(.id == "alice") | .late_seconds' reports/r/receipts.json)" 0
    run -0 "$PARAGRADE" report --student alice r
    refute_output --partial Late
    assert_equal "$(cell units.csv c%20d,simd points) $(cell units.csv c%20d,simd late_penalty)" '8 2'
    run -0 "$PARAGRADE" report --student 'c d' r
    assert_line 'Late: submitted 2026-12-02T09:00:00+01:00, 33.0 h after the deadline: -6.0 points'
    run -0 "$PARAGRADE" report --all fb r
    run -0 grep -o '[0-9.]* points are open' fb/wrong/feedback.html
    assert_line --index 0 '8.0 points are open' # of ten
    run -0 "$PARAGRADE" verify r
    printf 'student,deadline,reason\nc d,2026-12-02T12:00:00+01:00,ill\n' >overrides.csv
    run -0 "$PARAGRADE" rescore r
    assert_equal "$(total c%20d)" 30
    # A new time, and nothing else: no unit runs.
    sed -i 's/^alice.*/alice,2026-12-20T00:00:00Z/' subs/submitted.csv
    run -0 "$PARAGRADE" regrade r
    assert_line '0 units run again, 12 keep their results'
    assert_equal "$(total alice)" 0
    run -0 "$PARAGRADE" verify r
    sed -i 's/^alice.*/alice,yesterday/' subs/submitted.csv
    run -2 "$PARAGRADE" regrade r
    assert_output --partial "submitted.csv:2: submitted: 'yesterday' is not a time"
}

@test "deadline: without a deadline of the assignment, an extension changes nothing and is not shown" {
    printf 'submission,submitted\nalice,2026-12-20T00:00:00Z\n' >subs/submitted.csv
    printf 'student,deadline,reason\nalice,2026-12-02T12:00:00+01:00,ill\n' >overrides.csv
    grade
    assert_equal "$(total alice) $(cell grades.csv alice override)" '30 '
    run -0 "$PARAGRADE" report --student alice r
    refute_output --partial deadline
    # A deadline that comes later makes the row count.
    echo 'deadline: {at: "2026-11-30T12:00:00Z", penalty: 0.01}' >>a.yaml
    run -0 "$PARAGRADE" rescore --assignment a.yaml r
    assert_equal "$(cell grades.csv alice override)" 'deadline 2026-12-02T11:00:00Z: ill'
}

@test "deadline: points that a person set have no late penalty" {
    echo 'deadline: {at: "2026-11-30T13:00:00+01:00", penalty: 0.2}' >>a.yaml
    printf 'submission,submitted\nalice,2026-11-30T13:00:00Z\nc d,2026-11-30T13:00:00Z\n' >subs/submitted.csv
    printf 'student,tier,points,reason\nalice,naive,10,mail\nc d,,25,mail\n' >overrides.csv
    grade
    assert_equal "$(total alice) $(total c%20d)" '26 25'
    assert_equal "$(cell units.csv alice,naive late_penalty) $(cell units.csv alice,simd late_penalty)" ' 2'
    assert_equal "$(cell grades.csv alice late_penalty) $(cell grades.csv c%20d late_penalty)" '4 0'
    run -0 "$PARAGRADE" report --student alice r
    # in the zone of the deadline
    assert_line 'Late: submitted 2026-11-30T14:00:00+01:00, 1.0 h after the deadline: -4.0 points'
    run -0 "$PARAGRADE" report --student 'c d' r
    assert_line 'Late: submitted 2026-11-30T14:00:00+01:00, 1.0 h after the deadline'
    run -0 "$PARAGRADE" verify r
}

@test "deadline: by the times of files; copying them anew is not handing them in" {
    echo 'deadline: {at: "2026-11-30T12:00:00Z", penalty: 0.5, times: files}' >>a.yaml
    touch -d 2026-11-30T11:00:00Z subs/*/*.c
    touch -d 2026-11-30T13:00:00Z subs/alice/naive.c
    grade
    assert_equal "$(total alice) $(total c%20d)" '15 30'
    touch -d 2026-12-05T13:00:00Z 'subs/c d/naive.c'
    run -0 "$PARAGRADE" regrade r
    assert_output --partial 'nothing has changed'
    echo 'int y;' >'subs/c d/naive.c'
    touch -d 2026-11-30T12:30:00Z 'subs/c d/naive.c'
    run -0 "$PARAGRADE" regrade -q r
    assert_equal "$(total c%20d)" 15
    run -0 "$PARAGRADE" verify r
}

@test "deadline: a late file is late, also when the unit would have run again without it" {
    echo 'deadline: {at: "2026-11-30T12:00:00Z", penalty: 0.5, times: files}' >>a.yaml
    touch -d 2026-11-30T11:00:00Z subs/*/*.c
    grade
    assert_equal "$(total alice) $(total c%20d) $(total wrong)" '30 30 0'
    echo 'int y;' >subs/alice/naive.c
    touch -d 2026-11-30T13:00:00Z subs/alice/naive.c
    run -0 "$PARAGRADE" regrade --only alice r
    assert_line --regexp '^asked for: alice.naive'
    assert_equal "$(total alice)" 15
    echo 'int y;' >'subs/c d/naive.c'
    touch -d 2026-11-30T13:00:00Z 'subs/c d/naive.c' subs/wrong/*.c
    sed -i '/name: naive/s/gcc -o/gcc -g -o/' a.yaml
    run -0 "$PARAGRADE" regrade r
    assert_line --regexp '^assignment: tiers.naive.compile: .*c%20d.naive'
    assert_equal "$(total c%20d)" 15
    # `wrong` was only copied anew.
    assert_equal "$(cell grades.csv wrong late_seconds)" ''
    run -0 "$PARAGRADE" verify r
}

@test "deadline: corrected times: regrade --dry-run says whose points would change, and rescore takes them" {
    echo 'deadline: {at: "2026-11-30T12:00:00Z", penalty: 0.1}' >>a.yaml
    printf 'submission,submitted\nalice,2026-11-30T11:00:00Z\nc d,2026-11-30T11:00:00Z\n' >subs/submitted.csv
    grade
    assert_equal "$(total alice) $(total c%20d)" '30 30'
    sed -i 's/^alice,.*/alice,2026-11-30T13:00:00Z/' subs/submitted.csv
    run -0 "$PARAGRADE" regrade --dry-run r
    assert_line '0 units run again, 12 keep their results'
    assert_line --regexp '^alice +30\.00 +27\.00 +30 +-3\.00'
    assert_line '1 of 3 submissions has other points than before'
    refute_output --partial 'known only'
    # Those of units that run again are not known yet.
    cp subs/alice/naive.c alice.c
    echo 'int y;' >>subs/alice/naive.c
    run -0 "$PARAGRADE" regrade --dry-run r
    assert_line '1 unit runs again, 11 keep their results'
    assert_line '1 more is known only after units have run again'
    assert_line --regexp '^alice +simd .*-1.00'
    refute_line --regexp '^alice +(total|naive)'
    cp alice.c subs/alice/naive.c
    assert_equal "$(total alice)" 30
    run -0 "$PARAGRADE" rescore --dry-run r
    assert_line --regexp '^alice +30\.00 +27\.00 +30 +-3\.00'
    run -0 "$PARAGRADE" rescore r
    assert_equal "$(total alice)" 27
    run -0 "$PARAGRADE" verify r
    # What has gone stays.
    rm subs/submitted.csv
    run -0 "$PARAGRADE" rescore r
    assert_equal "$(total alice)" 27
    printf 'submission,submitted\nalice,yesterday\n' >subs/submitted.csv
    run -2 "$PARAGRADE" rescore r
    assert_output --partial "submitted.csv:2: submitted: 'yesterday' is not a time"
    assert_equal "$(total alice)" 27
}

@test "deadline: late by the roster, but in time or without a time: named until it is settled" {
    local unknown='late by the roster, but its time is not known: c%20d. 1 submission has no late penalty.'
    local in_time='late by the roster, but in time by submitted.csv: alice. 1 submission has no late penalty.'
    printf 'submission,name,late\nalice,Alice,yes\nwrong,Wim,\nc d,Carl,YES\n' >roster.csv
    printf 'submission,submitted\nalice,2026-11-30T11:00:00Z\nwrong,2026-11-30T11:00:00Z\n' >subs/submitted.csv
    run -0 "$PARAGRADE" grade -a a.yaml --roster roster.csv --run-id none subs
    refute_output --partial 'late by' # there is no deadline
    # Whoever forgot the times is told.
    cp reports/none/plan.json plan.json
    echo 'deadline: {at: "2026-11-30T12:00:00Z", penalty: 0.1}' >>reports/none/assignment.yaml
    jq 'del(.submissions[] | select(.id == "wrong") | .submitted)' plan.json >reports/none/plan.json
    run -0 "$PARAGRADE" report none
    assert_line --partial 'the time of 1 submission is not known, so it is not late: wrong. Write submitted.csv (docs/semester.md), then '
    jq '.submissions[] |= (del(.submitted) | if .roster then .roster[-1] = "" else . end)' \
        plan.json >reports/none/plan.json
    run -0 "$PARAGRADE" report none
    assert_line --partial 'no time of a submission is known, so nobody is late. Write submitted.csv (docs/semester.md), then '
    echo 'deadline: {at: "2026-11-30T12:00:00Z", penalty: 0.1}' >>a.yaml
    run -0 "$PARAGRADE" grade -a a.yaml --roster roster.csv --run-id r subs
    assert_line --partial "$unknown"
    assert_line --partial "$in_time"
    run -0 "$PARAGRADE" report r
    assert_line --partial "$unknown"
    run -0 "$PARAGRADE" regrade r
    run -0 "$PARAGRADE" rescore r
    assert_line --partial "$in_time"
    printf 'c d,2026-11-30T14:00:00Z\n' >>subs/submitted.csv
    printf 'student,deadline,reason\nalice,2026-11-30T12:00:00Z,I have looked\n' >overrides.csv
    run -0 "$PARAGRADE" rescore r
    refute_output --partial 'late by'
    assert_equal "$(total alice) $(total c%20d)" '30 27'
}

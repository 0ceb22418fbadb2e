#!/usr/bin/env bats
# A class that a fake proctor grades: alice and c d pass everything, wrong fails and lacks a tier.

load ../helpers/common

setup_file() {
    load ../helpers/common
    load ../helpers/class
    BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR make_class
    sed -i -E 's/(name: (naive|simd|openmp), )/\1points: {correct: 10}, /' a.yaml
    printf 'submission,name,canvas_id,moodle_id,email\nalice,Alice <A.>,101,7001,alice@example.org\nwrong,Ürsula W.,102,7002,w@example.org\nc d,Carl D.,103,7003,c@example.org\n' >roster.csv
    "$PARAGRADE" grade -q -a a.yaml --run-id r --roster roster.csv subs >out.txt 2>&1 || true
    [ -s reports/r/grades.csv ]
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

@test "export: what cannot be understood" {
    local words says
    printf 'ID,Product (1),Sum (2)\n101,,\n' >two.csv
    printf 'ID,Product (1)\n999,\n' >strangers.csv
    printf 'ID,Product (1)\n"101,\n' >open.csv
    while IFS='|' read -r words says; do
        # shellcheck disable=SC2086
        run -2 "$PARAGRADE" export $words
        assert_line --index 0 --partial "paragrade export: $says"
        [ ! -e out.csv ]
    done <<'TABLE'
r|give one of --canvas, --moodle, --gradescope, --junit and --jsonl
--junit x.xml --jsonl x r|give one of
--junit x.xml r r|give one run at most: its directory
--junit x.xml --column y r|--output, --column and --out-of are for --canvas and --moodle
--canvas two.csv r|give --output FILE
--canvas two.csv -o out.csv nowhere|nowhere
--canvas nowhere.csv -o out.csv r|nowhere.csv: No such file
--canvas two.csv -o out.csv r|two.csv:1: say with --column which column gets the grades; the columns are: 'ID', 'Product (1)', 'Sum (2)'
--canvas two.csv --column X -o out.csv r|two.csv:1: there is no column 'X'; the columns are
--canvas strangers.csv -o out.csv r|strangers.csv: none of its rows is a student of the run
--canvas open.csv -o out.csv r|open.csv:2: a quoted field is not closed
--moodle two.csv --out-of 0 -o out.csv r|--out-of: 
--jsonl nodir/deep/x r|nodir/deep/x: there is no directory nodir/deep; create it first
--junit two.csv/x r|two.csv/x: two.csv is not a directory
--jsonl reports r|reports: is a directory; give the name of a file
--canvas strangers.csv -o nodir/out.csv r|nodir/out.csv: there is no directory nodir; create it first
TABLE
}

@test "export: Canvas: one column changes, and who is missing is named" {
    printf '\xef\xbb\xbfStudent,ID,SIS Login ID,Section,Product (4711),Sum\r\n    Points Possible,,,,30.00,\r\n"A., Alice",101,alice,Tue,,1\r\n"W., Ursula",102,w,,5.00,2\r\n"Guest, Gil",999,abc,,,\r\n"Student, Test",998,,,,\r\n' >canvas.csv
    cp canvas.csv before.csv
    run -1 --separate-stderr "$PARAGRADE" export --canvas canvas.csv -o filled.csv r
    assert_output "2 grades written into the column 'Product (4711)' of filled.csv; 1 was another one before
students were found by 'ID' = 'canvas_id'"
    # shellcheck disable=SC2154
    assert_equal "$stderr" "1 student is in the gradebook, but not in the run; their grades stay:
  999
1 student is in the run, but not in the gradebook:
  c%20d"
    run cat filled.csv
    assert_output "$(printf '\xef\xbb\xbfStudent,ID,SIS Login ID,Section,Product (4711),Sum\r\n    Points Possible,,,,30.00,\r\n"A., Alice",101,alice,Tue,30.00,1\r\n"W., Ursula",102,w,,0.00,2\r\n"Guest, Gil",999,abc,,,\r\n"Student, Test",998,,,,\r\n')"
    run cmp canvas.csv before.csv
    assert_output ''
    # The same again, and in place.
    run -1 "$PARAGRADE" export --canvas filled.csv -o filled.csv r
    refute_output --partial 'before'
}

@test "export: tiers that do not count are told of where they have points" {
    cp -r reports/r reports/less
    sed -i 's/"verdict": "pass"/"verdict": "skipped"/' reports/less/units/alice.simd/result.json
    printf 'Student,ID,Product (4711)\n"A., Alice",101,\n"W., Ursula",102,\n"D., Carl",103,\n' >canvas.csv
    run -0 --separate-stderr "$PARAGRADE" export --canvas canvas.csv -o filled.csv less
    assert_regex "$stderr" '^1 student has tiers that do not count .*, so their maximum is smaller;'
    sed -i '/name: simd/s/points: {correct: 10}, //' reports/less/assignment.yaml
    run -0 --separate-stderr "$PARAGRADE" export --canvas canvas.csv -o filled.csv less
    assert_equal "$stderr" ''
}

@test "export: a word in the place of a grade stays, such as EX for excused" {
    printf 'Student,ID,Product (4711)\n"A., Alice",101,EX\n"W., Ursula",102,\n"D., Carl",103,\n' >excused.csv
    run -0 --separate-stderr "$PARAGRADE" export --canvas excused.csv -o filled.csv r
    assert_line --index 0 "2 grades written into the column 'Product (4711)' of filled.csv"
    assert_equal "$stderr" "1 student is marked with a word and not with a grade; the field stays as it is:
  alice: EX"
    run cut -d, -f3- filled.csv
    assert_line --index 1 '101,EX'
}

@test "export: two students whose names are each other's; what each row was found by is printed" {
    # alice passed, and her first name is what somebody is called who did not.
    printf 'First,Last,E-Mail,Product\nWrong,Alice,alice@example.org,\nAlice,Wrong,w@example.org,\nCarl,Doe,c@example.org,\n' >turned.csv
    run -0 "$PARAGRADE" export --moodle turned.csv --column Product -o filled.csv r
    assert_line "students were found by 'E-Mail' = 'email'"
    run cat filled.csv
    assert_line --index 1 'Wrong,Alice,alice@example.org,30.00'
    assert_line --index 2 'Alice,Wrong,w@example.org,0.00'
    # Without the addresses, nothing says which name is the one.
    printf 'First,Last,Product\nWrong,Alice,\nAlice,Wrong,\n' >names.csv
    rm -f none.csv
    run -2 "$PARAGRADE" export --moodle names.csv --column Product -o none.csv r
    assert_line "paragrade export: names.csv:2: by 'First' = 'submission', this row is wrong; but by 'Last' = 'submission', it is alice. Correct the one that is wrong, in the gradebook or in the roster"
    [ ! -e none.csv ]
    # Several keys.
    printf 'ID,Login,Product\n101,alice,\n102,wrong,\n,c%%20d,\n' >several.csv
    run -0 "$PARAGRADE" export --moodle several.csv --column Product -o filled.csv r
    assert_line "students were found by 'Login' = 'submission'"
    printf 'E-Mail,Login,Product\nalice@example.org,alice,\nw@example.org,wrong,\n,c%%20d,\n' >several.csv
    run -0 "$PARAGRADE" export --moodle several.csv --column Product -o filled.csv r
    assert_line "students were found by 'E-Mail' = 'email'"
    assert_line "and by 'Login' = 'submission': c%20d"
}

@test "export: other gradebooks: # in front of ids, titles, sep=, Blackboard's own words" {
    printf 'sep=;\nOrgDefinedId;Lab 3 Points Grade <Numeric MaxPoints:30>\n#0101;\n#00102;Needs Grading(7.00)\n#103;ill\n' >book.csv
    run -0 "$PARAGRADE" export --moodle book.csv --column 'Lab 3' -o filled.csv r
    assert_line --partial '2 grades written'
    assert_line "students were found by 'OrgDefinedId' = 'canvas_id'"
    run cat filled.csv
    assert_output $'sep=;\nOrgDefinedId;Lab 3 Points Grade <Numeric MaxPoints:30>\n#0101;30.00\n#00102;0.00\n#103;ill'
    printf '"Course: Computing, winter"\n\nNumber;Grade;Remark\n101;;x\n' >titles.csv
    run -1 "$PARAGRADE" export --moodle titles.csv -o filled.csv r
    run cat filled.csv
    assert_output $'"Course: Computing, winter"\n\nNumber;Grade;Remark\n101;30.00;x'
}

@test "export: Moodle: participants, e-mail addresses, a decimal comma, another maximum" {
    printf 'Identifier,Full name,Grade,Maximum Grade\nParticipant 7001,Alice,,100.00\nParticipant 7002,U,-,100.00\nParticipant 7003,C,,100.00\n' >worksheet.csv
    run -0 "$PARAGRADE" export --moodle worksheet.csv -o out1.csv r
    assert_line "the maximum of the column is 100, but the points are out of 30; use --out-of 100 if they should fit"
    assert_line "students were found by 'Identifier' = 'moodle_id'"
    run -0 --separate-stderr "$PARAGRADE" export --moodle worksheet.csv --out-of 100 -o out2.csv r
    assert_equal "$stderr" ''
    run cut -d, -f1,3 out2.csv
    assert_output 'Identifier,Grade
Participant 7001,100.00
Participant 7002,0.00
Participant 7003,100.00'
    # A German export in UTF-16.
    printf 'Nachname;E-Mail-Adresse;Aufgabe: Produkt;Maximum Grade\r\nÄ;ALICE@example.org;-;30,00\r\n' |
        iconv -t UTF-16LE >body
    { printf '\xff\xfe' && cat body; } >german.csv
    run -1 "$PARAGRADE" export --moodle german.csv --column 'Aufgabe: Produkt' -o out3.csv r
    run iconv -f UTF-16 out3.csv
    assert_output "$(printf 'Nachname;E-Mail-Adresse;Aufgabe: Produkt;Maximum Grade\r\nÄ;ALICE@example.org;30,00;30,00\r\n')"
    assert_equal "$(head -c 2 out3.csv | od -An -tx1)" ' ff fe'
}

@test "export: a student without a tier that counts gets no grade, unless the total was set" {
    cp -r reports/r reports/s
    sed -i 's/"verdict": "pass"/"verdict": "skipped"/' reports/s/units/alice.*/result.json
    printf 'ID,Product (1)\n101,7\n102,\n103,\n' >skipped.csv
    for more in '' '--out-of 60'; do
        # shellcheck disable=SC2086
        run -1 --separate-stderr "$PARAGRADE" export --canvas skipped.csv -o left.csv $more s
        assert_line --index 0 "2 grades written into the column 'Product (1)' of left.csv"
        # shellcheck disable=SC2154
        assert_equal "$stderr" "1 student is without a tier that counts (grades.csv says why); the field stays as it is:
  alice"
    done
    run cat left.csv
    assert_output $'ID,Product (1)\n101,7\n102,0.00\n103,60.00'
    # A total is set: it is in proportion to the maximum of the assignment.
    printf 'student,points,reason\nalice,12,oral exam\n' >total.csv
    "$PARAGRADE" rescore --overrides total.csv s
    run -0 "$PARAGRADE" export --canvas skipped.csv -o set.csv s
    run -0 "$PARAGRADE" export --canvas skipped.csv -o set60.csv --out-of 60 s
    run grep -h 101 set.csv set60.csv
    assert_output $'101,12.00\n101,24.00'
    # An assignment without points has no maximum.
    sed -i 's/points: {correct: 10}, //' reports/s/assignment.yaml
    run -2 "$PARAGRADE" export --canvas skipped.csv -o none.csv --out-of 60 s
    assert_output "paragrade export: the total of alice was set to 12 points, but the assignment has no maximum, so --out-of cannot convert it; leave out --out-of"
    [ ! -e none.csv ]
}

@test "export: Gradescope: results.json of each student" {
    run -0 "$PARAGRADE" export --gradescope gs r
    assert_output "written: gs"
    run -0 jq -c '[.score, (.tests[] | [.name, .status, .score, .max_score])]' gs/wrong/results.json
    assert_output '[0,["naive","failed",0,10],["simd","failed",0,10],["openmp","failed",0,10]]'
    run -0 jq -r '.output, .score' gs/alice/results.json
    assert_line --index 0 --regexp '^receipt: [0-9a-f]{64}$'
    assert_line --index 1 30
    run ls gs
    assert_output "$(printf '%s\n' alice c%20d wrong)"
    grep -q "$(jq -r .output gs/alice/results.json | cut -d' ' -f2)" reports/r/grades.csv
}

@test "export: Gradescope: the tests add up to the score, also after a penalty and an override" {
    cp -r reports/r reports/late
    jq '(.submissions[] | select(.id == "alice") | .submitted) = "2026-12-01T10:00:00Z"' reports/r/plan.json >reports/late/plan.json
    echo 'deadline: {at: "2026-12-01T00:00:00Z", penalty: 0.2}' >>reports/late/assignment.yaml
    printf 'student,tier,points,reason\nwrong,naive,4,mail\n' >reports/late/overrides.csv
    run -0 "$PARAGRADE" export --gradescope gs2 late
    run -0 jq -c '[.score, ([.tests[].score] | add), .tests[0].score]' gs2/alice/results.json gs2/wrong/results.json
    assert_output "$(printf '[24,24,8]\n[4,4,4]')"
    run -0 jq -r .output gs2/alice/results.json gs2/wrong/results.json
    assert_line 'Late: submitted 2026-12-01T10:00:00Z, 10.0 h after the deadline: -6.0 points'
    assert_line 'Decided by the instructor: naive set to 4: mail'
}

@test "export: Gradescope: a student without a tier that counts gets no score, and no file" {
    cp -r reports/r reports/skipped
    sed -i 's/"verdict": "pass"/"verdict": "skipped"/' reports/skipped/units/alice.*/result.json
    run -0 "$PARAGRADE" export --gradescope gs3 r
    for _ in 1 2; do
        run -1 --separate-stderr "$PARAGRADE" export --gradescope gs3 skipped
        assert_output 'written: gs3'
        # shellcheck disable=SC2154
        assert_equal "$stderr" "1 student is without a tier that counts (grades.csv says why); there is no results.json:
  alice"
        # That of an earlier export would be taken for the grade.
        run ls gs3/alice gs3/wrong "gs3/c%20d"
        assert_output $'gs3/alice:\n\ngs3/c%20d:\nresults.json\n\ngs3/wrong:\nresults.json'
    done
    # A total that a person has set is a score.
    printf 'student,points,reason\nalice,12,oral exam\n' >total3.csv
    "$PARAGRADE" rescore --overrides total3.csv skipped
    run -0 "$PARAGRADE" export --gradescope gs3 skipped
    run -0 jq -c '[.score, (.tests[] | [.output, .score])]' gs3/alice/results.json
    assert_output '[12,["does not count: skipped",null],["does not count: skipped",null],["does not count: skipped",null]]'
}

@test "export: JUnit XML: a suite per student, escaped" {
    cp -r reports/r reports/x
    sed -i '0,/"message": ""/s//"message": "a < b \& \\"c\\" \\u001b]\\uffff"/' reports/x/units/wrong.naive/result.json
    run -0 "$PARAGRADE" export --junit x.xml x
    run -0 cat x.xml
    assert_line --index 1 --regexp '^<testsuites name="demo" tests="9" failures="3" errors="0" skipped="0" time="[0-9.]+">$'
    assert_line '    <testcase classname="c%20d" name="simd" time="0.200"/>'
    assert_line --partial 'type="wrong-answer" message="a &lt; b &amp; &quot;c&quot; '
    assert_line --partial '<failure type="missing"'
    refute_output --partial $'\e'
    refute_output --partial $'\uffff' # no character of XML
    refute_output --partial 'reference'
    # Every element is closed.
    assert_equal "$(grep -c '<testsuite ' x.xml) $(grep -c '</testsuite>' x.xml)" '3 3'
}

@test "export: JSON Lines: an object for each unit" {
    run -0 "$PARAGRADE" export --jsonl lines r
    run -0 jq -c '[.unit, .name, .verdict, .points, .reference, .run]' lines
    assert_equal "${#lines[@]}" 12
    assert_line '["alice.simd","Alice <A.>","pass",10,false,"r"]'
    assert_line '["wrong.simd","Ürsula W.","missing",0,false,"r"]'
    assert_line --partial '["reference.simd","reference","pass"'
}

@test "export: a device, a pipe or a link keeps its place; what it leads to is written" {
    run -0 "$PARAGRADE" export --jsonl file r
    mkfifo pipe
    timeout 20 cat pipe >got 3>&- &
    ln -sf target link
    for to in pipe link; do run -0 timeout 20 "$PARAGRADE" export --jsonl $to r; done
    wait $!
    assert [ -p pipe ]
    assert [ -L link ]
    diff file got
    diff file target
}

@test "export: - is standard output, and messages are on stderr" {
    local option
    for option in --jsonl --junit; do
        run -0 "$PARAGRADE" export $option file r
        run -0 --separate-stderr "$PARAGRADE" export $option - r
        assert_equal "$output" "$(cat file)"
        # shellcheck disable=SC2154
        assert_equal "$stderr" ''
    done
    printf 'ID,Product (1)\n101,\n102,\n103,\n' >three.csv
    run -0 "$PARAGRADE" export --canvas three.csv -o file r
    run -0 --separate-stderr "$PARAGRADE" export --canvas three.csv -o - r
    assert_equal "$output" "$(cat file)"
    [[ $stderr == "3 grades written into the column 'Product (1)' of standard output"* ]]
    run -2 "$PARAGRADE" export --gradescope - r
    assert_line --index 0 'paragrade export: --gradescope writes a directory; give its name instead of -'
    run -1 bash -c "'$PARAGRADE' export --jsonl - r >/dev/full"
    assert_equal "$(find . -maxdepth 1 -name '-*')" ''
}

@test "export: nothing is written of a run that is not finished, and a full disk is an error" {
    cp -r reports/r reports/half
    rm reports/half/units/alice.naive/result.json
    run -3 "$PARAGRADE" export --jsonl half.jsonl half
    assert_output --partial "1 unit has no result; continue it with \`paragrade resume\`"
    [ ! -e half.jsonl ]
    run -1 "$PARAGRADE" export --jsonl /proc/none r
    run -1 bash -c "'$PARAGRADE' export --jsonl ok.jsonl r >/dev/full"
}

@test "export: feedback files for Moodle, by the numbers of its participants" {
    run -2 "$PARAGRADE" report --moodle fb.zip r
    assert_output --partial '--moodle goes with --all'
    run -0 --separate-stderr "$PARAGRADE" report --all fb --moodle fb.zip r
    assert_line 'for Moodle, of 3 students: fb.zip'
    run -0 unzip -Z1 fb.zip
    assert_output 'alice_7001_assignsubmission_file_/feedback.html
wrong_7002_assignsubmission_file_/feedback.html
c%20d_7003_assignsubmission_file_/feedback.html'
    unzip -p fb.zip 'wrong_*' | cmp - fb/wrong/feedback.html
    # Somebody without a number, and a run without numbers.
    sed 's/7001//' roster.csv >some.csv
    "$PARAGRADE" grade -q -a a.yaml --run-id some --roster some.csv subs >out.txt 2>&1 || true
    run -0 --separate-stderr "$PARAGRADE" report --all fb2 --moodle fb2.zip some
    # shellcheck disable=SC2154
    assert_regex "$stderr" $'1 student has no number in the column moodle_id, and is left out:\nalice$'
    run -0 unzip -Z1 fb2.zip
    assert_equal "${#lines[@]}" 2
    "$PARAGRADE" grade -q -a a.yaml --run-id bare subs >out.txt 2>&1 || true
    run -2 "$PARAGRADE" report --all fb3 --moodle fb3.zip bare
    assert_output --partial 'the roster of this run has no column moodle_id'
    [ ! -e fb3.zip ]
}

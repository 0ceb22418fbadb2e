#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# paragrade grade on this machine. The proctor is a fake; what real ones find is tested elsewhere.

setup() {
    load ../helpers/common
    load ../helpers/class
    make_class
}

@test "grade: wrong arguments" {
    run "$PARAGRADE" grade
    assert_failure 2
    assert_output --partial 'which submissions?'
    run "$PARAGRADE" grade --nope subs
    assert_failure 2
    run "$PARAGRADE" grade -a a.yaml --jobs 0 subs
    assert_failure 2
    assert_output --partial '--jobs'
    run "$PARAGRADE" grade -a a.yaml --seed 12x subs
    assert_failure 2
    assert_output --partial '--seed'
    run "$PARAGRADE" grade -a a.yaml --seed-file a.yaml subs
    assert_failure 2
    assert_output --partial 'a.yaml'
    echo 7 >seed
    run "$PARAGRADE" grade -a a.yaml --seed 7 --seed-file seed subs
    assert_failure 2
    assert_output --partial 'one seed'
    run "$PARAGRADE" grade -a a.yaml --seed-file seed --seed 8 subs
    assert_failure 2
    run "$PARAGRADE" grade -a a.yaml --reports seed subs
    assert_failure 2
    assert_output --partial '--reports: seed is a file; give a directory'
    run "$PARAGRADE" check -a a.yaml --reports seed/below subs/alice
    assert_failure 2
    assert_output --partial 'seed/below lies below a file'
    assert_equal "$(cat seed)" 7
    run "$PARAGRADE" grade -a a.yaml --local --partition p subs
    assert_failure 2
    run "$PARAGRADE" grade -a a.yaml --slurm --jobs 2 subs
    assert_failure 2
    assert [ ! -e reports ]
}

@test "grade: wrong input names what is wrong, and leaves no run" {
    run "$PARAGRADE" grade -a none.yaml subs
    assert_failure 2
    assert_output --partial none.yaml
    run "$PARAGRADE" grade -a a.yaml nowhere
    assert_failure 2
    assert_output --partial 'nowhere: no such directory'
    run "$PARAGRADE" grade -a a.yaml --tier nope subs
    assert_failure 2
    assert_output --partial 'naive, simd, openmp'
    run "$PARAGRADE" grade -a a.yaml --profile nope subs
    assert_failure 2
    assert_output --partial quick
    rm -r ref
    run "$PARAGRADE" grade -a a.yaml subs
    assert_failure 2
    assert_output --partial 'reference'
    run ls -A reports
    assert_output ''
}

@test "grade: a class" {
    run --separate-stderr "$PARAGRADE" grade -a a.yaml --run-id one subs
    assert_success
    assert_graded reports/one
    [[ $stderr == *'if interrupted: paragrade resume reports/one'* ]]
    [[ $output == *alice* ]]
    assert_equal "$(stat -c %a reports/one reports/one/plan.json | tr '\n' ' ')" '700 600 '
    assert [ ! -e reports/one/lock ]
    run "$PARAGRADE" grade -a a.yaml --run-id one subs
    assert_failure 2
    assert_output --partial 'exists already'
}

@test "grade: the only assignment in testcases/ is the default" {
    mkdir testcases
    sed 's|reference: ref|reference: ../ref|' a.yaml >testcases/x.yaml
    run "$PARAGRADE" grade -q --run-id d subs
    assert_success
    cp testcases/x.yaml testcases/y.yaml
    run "$PARAGRADE" grade subs
    assert_failure 2
    assert_output --partial 'x.yaml, y.yaml'
    PARAGRADE_ASSIGNMENT=testcases/y.yaml run "$PARAGRADE" grade -q --run-id e subs
    assert_success
}

@test "grade: several at a time give the same" {
    run "$PARAGRADE" grade -a a.yaml -j 4 --run-id j4 subs
    assert_success
    assert_graded reports/j4
}

@test "grade: a source that lies beside the submissions makes them one submission: a note says so" {
    cp subs/alice/naive.c subs
    run --separate-stderr "$PARAGRADE" grade -a a.yaml --tier naive --run-id one subs
    assert_success
    [[ $stderr == *"$PWD/subs: is graded as one submission, because it holds naive.c; "* ]]
    printf 'submission\nalice\nwrong\n' >class.csv
    run -2 "$PARAGRADE" grade -a a.yaml --roster class.csv subs
    assert_output --partial "$PWD/subs: is taken as one submission, because it holds naive.c; directories in it hold sources, too. If these are the submissions, move that file away"
    rm subs/naive.c
    run --separate-stderr "$PARAGRADE" grade -a a.yaml --tier naive --run-id many subs
    [[ $stderr != *'as one submission'* ]]
}

@test "grade: the roster gives order and membership" {
    printf 'submission\nwrong\ncarol\nalice\nn1\nn2\nn3\nn4\nn5\n' >class.csv
    run --separate-stderr "$PARAGRADE" grade -a a.yaml --roster class.csv --run-id r subs
    assert_success
    [[ $stderr == *'6 students of the roster without a directory, reported as missing: carol, n1, n2, n3, n4, ...'* ]]
    [[ $stderr == *'c%20d: left out, not on the roster'* ]]
    run cut -d, -f1 reports/r/grades.csv
    assert_line --index 1 wrong
    assert_line --index 2 carol
    assert_line --index 3 alice
    refute_line 'c%20d'
}

@test "grade: a nightly run with -q says nothing of students who have handed in nothing" {
    printf 'submission\nwrong\ncarol\nalice\nc d\n' >class.csv
    run --separate-stderr "$PARAGRADE" grade -q -a a.yaml --roster class.csv --run-id r subs
    assert_success
    assert_equal "$stderr" ''
    run grep '^carol,' reports/r/grades.csv
    assert_success
}

@test "grade: which assignment is used, if none is named and none lies here" {
    run -2 "$PARAGRADE" grade nobody
    assert_output --partial 'no --assignment was given: using /'
    assert_output --partial 'testcases/gemm-i32.yaml'
}

@test "grade: the roster says what students are called" {
    printf 'submission,name\nwrong,"Wong, R."\nalice,\n' >class.csv
    run "$PARAGRADE" grade -q -a a.yaml --roster class.csv --run-id r subs
    assert_success
    run cut -d, -f1-3 reports/r/grades.csv
    assert_line --index 1 --partial 'wrong,"Wong, R."'
    assert_line --index 2 --partial 'alice,alice'
}

# The values of one column of grades.csv, one line each. A small reader of CSV: fields may be quoted.
grades_column() { # RUN COLUMN
    jq -rRs --arg column "$2" '
        [match("(\"(?:[^\"]|\"\")*\"|[^,\r\n]*)(,|\r\n)"; "g")
            | [(.captures[0].string | if startswith("\"") then .[1:-1] | gsub("\"\""; "\"") else . end),
               .captures[1].string]]
        | reduce .[] as $f ([[]]; .[-1] += [$f[0]] | if $f[1] == "," then . else . + [[]] end)
        | .[:-1] | (.[0] | index($column)) as $at | .[1:][] | .[$at]' "$1/grades.csv"
}

@test "grade: grades.csv repeats the columns of the roster, in its order" {
    printf '%s\r\n' 'Group;submission;name;e-mail;simd_points;note' \
        'Tue;wrong;"Wong; R.";"""R"" <w@x>, y@z";1;' \
        $'"W\xc3\xa9\r\nd";c d;Mia;m@x;;"late, ill"' \
        ';carol;Carol;=1+1;;' >class.csv
    run --separate-stderr "$PARAGRADE" grade -q -a a.yaml --roster class.csv --run-id r subs
    assert_success
    run head -n 1 reports/r/grades.csv
    assert_output "submission,name,Group,roster_submission,e-mail,roster_simd_points,roster_note,\
naive_points,naive_max_points,simd_points,simd_max_points,openmp_points,openmp_max_points,total_points,\
total_max_points,percent,uncounted_tiers,note,submitted_utc,late_seconds,late_penalty,override,receipt"$'\r'
    assert_equal "$(grades_column reports/r submission)" $'wrong\nc%20d\ncarol'
    assert_equal "$(grades_column reports/r roster_submission)" $'wrong\nc d\ncarol'
    assert_equal "$(grades_column reports/r name)" $'Wong; R.\nMia\nCarol'
    assert_equal "$(grades_column reports/r Group)" $'Tue\nW\xc3\xa9\r\nd'
    assert_equal "$(grades_column reports/r e-mail)" $'"R" <w@x>, y@z\nm@x\n\'=1+1'
    assert_equal "$(grades_column reports/r roster_note)" $'\nlate, ill'
    # The files of the other tables join by the id.
    run -0 grep -c '^c%20d,' reports/r/units.csv
    assert_output 3
    # The columns are in the plan: the report can be written again, and verified.
    cp reports/r/grades.csv before.csv
    rm class.csv
    echo 'x,y' >reports/r/profile.csv # of an earlier report
    run -0 "$PARAGRADE" report --csv-only r
    cmp before.csv reports/r/grades.csv
    assert [ ! -e reports/r/profile.csv ]
    run -0 "$PARAGRADE" verify r
}

@test "grade: two students of one name" {
    printf 'submission,name\nwrong,Mia Work\nalice,Mia Work\nc d,alice\n' >class.csv
    "$PARAGRADE" grade -q -a a.yaml --roster class.csv --run-id r subs
    run -0 cut -d, -f1,2 reports/r/grades.csv
    assert_output $'submission,name\nwrong,Mia Work\nalice,Mia Work\nc%20d,alice'
    run -2 "$PARAGRADE" report --student 'Mia Work' r
    assert_output --partial "'Mia Work' is the name of both wrong and alice: give one of these instead"
    # An id comes before a name, and the directory's own name is as good.
    run -0 "$PARAGRADE" report --student alice r
    assert_line --index 0 'demo: Mia Work (alice)'
    local student
    for student in 'c%20d' 'c d'; do
        run -0 "$PARAGRADE" report --student "$student" r
        assert_line --index 0 'demo: alice (c%20d)'
    done
    printf 'name\nalice\nwrong\nalice\n' >class.csv
    run -2 "$PARAGRADE" grade -q -a a.yaml --roster class.csv subs
    assert_output --partial "class.csv:4: 'alice' is listed twice, first on line 2"
    assert_output --partial "a column 'submission'"
}

@test "grade: --quiet says nothing on stderr, --json prints one document" {
    run --separate-stderr "$PARAGRADE" grade -a a.yaml --quiet --json --run-id q subs
    assert_success
    assert_equal "$stderr" ''
    [ "${output:0:1}" = '{' ]
}

@test "grade: a seed from a file" {
    echo 0x2a >seed
    "$PARAGRADE" grade -q -a a.yaml --seed-file seed --run-id s subs
    run grep seed reports/s/plan.json
    assert_output --partial 2a
}

@test "grade: infrastructure failures are repeated, and then cost no points" {
    FAKE_DIE='alice.simd' run --separate-stderr "$PARAGRADE" grade -a a.yaml --run-id d subs
    assert_failure 1
    [[ $stderr == *'1 unit has no verdict'* ]]
    assert_equal "$(find reports/d/units/alice.simd -name 'infra-*.json' | wc -l)" 3
    run cat reports/d/units/alice.simd/infra-*.json
    assert_output --partial 'killed by signal 9'
    run "$PARAGRADE" resume reports/d
    assert_success
    assert_graded reports/d
}

@test "grade: a proctor that cannot be used stops the run with its own words" {
    PARAGRADE_PROCTOR=$BATS_TEST_TMPDIR/none run "$PARAGRADE" grade -a a.yaml --run-id p subs
    assert_failure 1
    assert_output --partial 'installation is incomplete'
    FAKE_STATUS='*:2' run "$PARAGRADE" grade -a a.yaml --run-id p2 subs
    assert_failure 1
    assert_output --partial 'cannot be used'
    assert_equal "$(find reports/p2/units -name 'infra-*.json' | wc -l)" 0
}

@test "grade: where no file can be locked, no proctor builds ahead: it could not wait for its turn" {
    [ "$(id -u)" = 0 ] || skip 'needs root, to put another file over the locked one'
    unshare --mount true || skip 'no mount namespace can be made here'
    mkdir now
    cat >spy <<SPY
#!/bin/bash
mkdir '$PWD/now/'\$\$
ls '$PWD/now' | wc -l >>'$PWD/at-a-time'
'$PARAGRADE_PROCTOR' "\$@"
status=\$?
rmdir '$PWD/now/'\$\$
exit \$status
SPY
    chmod +x spy
    PARAGRADE_PROCTOR=$PWD/spy run -0 "$PARAGRADE" grade -q -a a.yaml --jobs 1 --run-id a subs
    grep -qx 3 at-a-time
    rm at-a-time
    (umask 077 && touch /tmp/.paragrade-0.quiet)
    PARAGRADE_PROCTOR=$PWD/spy run -0 unshare --mount sh -c 'mount --bind /dev/null /tmp/.paragrade-0.quiet && exec "$@"' sh \
        "$PARAGRADE" grade -q -a a.yaml --jobs 1 --run-id b subs
    assert_equal "$(sort -un at-a-time | xargs)" 1
}

@test "grade: a failing reference: a warning about all grades" {
    cp "$PARAGRADE_PROCTOR" proctor
    sed -i 's/case $unit in \*wrong\*)/case $unit in *wrong*|reference.simd)/' proctor
    PARAGRADE_PROCTOR=$PWD/proctor run "$PARAGRADE" grade -a a.yaml --run-id f subs
    assert_failure 1
    assert_output --partial 'the reference itself fails'
}

@test "grade: a damaged result is made again" {
    FAKE_DAMAGE=$PWD/once run "$PARAGRADE" grade -a a.yaml --run-id d subs
    assert_success
    assert_output --partial 'damaged'
    assert_graded reports/d
}

@test "grade: Ctrl-C stops tidily, and no proctor is left" {
    # The shell ignores SIGINT for what it starts in the background.
    FAKE_SLEEP=30 env --default-signal=INT "$PARAGRADE" grade -a a.yaml --run-id i -j 2 subs 2>err &
    pid=$!
    wait_until 10 compgen -G 'reports/i/units/*/attempt-*.json'
    kill -INT $pid
    status=0
    wait $pid || status=$?
    assert_equal $status 3
    run cat err
    assert_output --partial 'To continue: paragrade resume reports/i'
    run pgrep -f "$PARAGRADE_PROCTOR --run $PWD"
    assert_failure
    assert [ ! -e reports/i/lock ]
    run "$PARAGRADE" resume i
    assert_success
    assert_graded reports/i
}

@test "grade: names of all kinds" {
    mv subs/alice 'subs/-rf $(touch pwned) "x"'
    mv subs/wrong $'subs/new\nline'
    mkdir $'subs/\xff' && cp ref/*.c $'subs/\xff'
    run "$PARAGRADE" grade -a a.yaml --run-id n subs
    assert_success
    assert [ ! -e pwned ]
    run result_verdicts reports/n
    assert_line '%2Drf%20%24%28touch%20pwned%29%20%22x%22.naive pass'
    assert_line 'new%0Aline.naive pass'
    assert_line '%FF.naive pass'
}

@test "grade: a run directory with blanks and signs" {
    run --separate-stderr "$PARAGRADE" grade -a a.yaml --reports "my runs \$(touch pwned) 50%j" --run-id n subs
    assert_success
    assert [ ! -e pwned ]
    [[ $stderr == *"paragrade resume 'my runs \$(touch pwned) 50%j/n'"* ]]
}

# A cluster on PATH that takes note of what it is asked to run.
fake_cluster() { # MAXARRAYSIZE
    mkdir -p bin
    printf '#!/bin/sh\ntouch submitted\n' >bin/sbatch
    printf '#!/bin/sh\necho "MaxArraySize = %s"\n' "$1" >bin/scontrol
    chmod +x bin/*
}

@test "grade --dry-run: on this machine, one likely number from an earlier run" {
    run -0 "$PARAGRADE" grade --dry-run -a a.yaml subs
    assert_line '11 units to run here, 1 known without running'
    assert_output --partial 'there is no earlier run of this assignment and profile'
    assert [ ! -e reports ]
    "$PARAGRADE" grade -q -a a.yaml --run-id was subs >/dev/null
    find reports/was/units -name result.json -exec sed -i 's/"total_seconds": *[0-9.]*/"total_seconds": 30/' {} +
    run -0 "$PARAGRADE" grade --dry-run -a a.yaml subs
    assert_output --partial 'likely 6 min, as in run was'
    run -0 "$PARAGRADE" grade --dry-run -a a.yaml -p quick subs
    assert_output --partial 'there is no earlier run'
    fake_cluster 6
    PATH=$PWD/bin:$PATH run -0 "$PARAGRADE" grade --dry-run --slurm -a a.yaml subs
    assert_line 'Likely, as in run was:'
    assert_line --regexp '^  all units together +6 min$'
    assert_line --regexp '^  node-hours +0\.09$'
}

@test "grade --dry-run: prints tables for nobody" {
    run "$PARAGRADE" grade --dry-run --slurm --json -a a.yaml subs
    assert_failure 2
    assert_output --partial '--json'
}

@test "grade --dry-run: what Slurm would be asked for, and nothing is submitted or left" {
    fake_cluster 6
    export TMPDIR=$PWD/tmp
    mkdir tmp
    PATH=$PWD/bin:$PATH run "$PARAGRADE" grade --dry-run --partition 'a;b' -a a.yaml --run-id x subs
    assert_success
    assert_line '11 units to run, 1 known without running'
    # 7 units of one shape in arrays of at most 6 elements; 4 units that want two processors.
    assert_equal "$(grep -c ^sbatch <<<"$output")" 3
    assert_line --regexp "^sbatch .*--array=0-5%3 '--partition=a;b' .*/reports/x/slurm/array-1.json\$"
    assert_line --regexp '^sbatch .*--array=0-0%1 '
    assert_line --regexp '^sbatch .*--array=0-3%4 .*--cpus-per-task=2 '
    # The words before the proctor.
    PATH=$PWD/bin:$PATH run -0 "$PARAGRADE" grade --dry-run --slurm --module gcc/13 --scratch "$PWD/tmp" --nice 5 \
        -a a.yaml --run-id x subs
    assert_line --regexp "/slurm/array-1.json .*/sbatch/with-modules gcc/13 -- env TMPDIR=$PWD/tmp nice -n 5\$"
    PATH=$PWD/bin:$PATH run "$PARAGRADE" grade --dry-run --partition 'a;b' -a a.yaml --run-id x subs
    # 11 units with limits of 60 s for compiling and 600 s.
    assert_line --regexp '^  all units together +[0-9].* to 2\.0 h$'
    assert_line --regexp '^  until the end +[0-9]+ s to 22 min$'
    assert_line --regexp '^  node-hours +0\.[0-9]+ to 2\.02$'
    assert [ ! -e submitted ]
    assert [ ! -e reports ]
    assert_equal "$(ls tmp)" ''
    # Wrong input is what it is in a real run.
    sed -i 's/baseline: naive/baseline: nope/' a.yaml
    PATH=$PWD/bin:$PATH run "$PARAGRADE" grade --dry-run --slurm -a a.yaml subs
    assert_failure 2
    assert_output --partial a.yaml:
    assert_equal "$(ls tmp)" ''
}

@test "grade: a terminal shows each unit and a bar; both are gone at the end" {
    load ../helpers/terminal
    FAKE_SLEEP=0.4 FAKE_STAGE=building on_terminal 24x80 out "$PARAGRADE" grade -a a.yaml --run-id r subs
    run -0 shown out
    assert_line --regexp '^ +naive +simd +openmp$'
    assert_line --regexp '^wrong +to do +missing +to do$'
    assert_line --regexp '^wrong +wrong-answer +missing'
    assert_line --regexp '^(reference|alice|c d) .*(pass .*(building|running)|(building|running) .*pass)' # in any order
    assert_line --regexp '^\[ +\] 0/11  reference\.naive: building$'
    assert_line --regexp '^\[#{12}\] 11/11  '
    [ "$(widest out)" -le 80 ]
    # After the last picture was removed, the tables begin.
    run -0 grep -A 3 '11/11' out
    assert_output --partial $'\033[J'
    assert_output --partial 'Tiers'
}

@test "grade: a large class on a small terminal is shown as numbers" {
    load ../helpers/terminal
    for i in {1..30}; do cp -r subs/alice "subs/a long name of a submission $i"; done
    on_terminal 12x50 out "$PARAGRADE" grade -a a.yaml --jobs 8 --run-id r subs
    run -0 shown out
    assert_line --regexp '^naive +[0-9]+ of 34 done: [0-9]+ pass, [01] fail'
    assert_line --regexp '^simd .*, 1 missing'
}

@test "grade: without a terminal, progress is plain lines on stderr; -q says nothing" {
    run -0 --separate-stderr "$PARAGRADE" grade -a a.yaml --run-id r subs
    refute_output --partial '/11'
    assert_equal "$(grep -c '^11/11  ' <<<"$stderr")" 1
    refute [ -n "$(tr -d '[:print:]\n' <<<"$stderr")" ]
    load ../helpers/terminal
    on_terminal 24x80 out "$PARAGRADE" grade -q -a a.yaml --run-id q subs
    run -0 shown out
    refute_output --regexp '[0-9]+/11|to do|building'
    assert_output --partial 'Verdicts'
}

@test "grade: proctors have sessions of their own, whose priority they may raise" {
    cat >proctor <<SH
#!/bin/sh
echo \$\$ \$(ps -o sid= \$\$) >>"$PWD/sessions"
exec "$PARAGRADE_PROCTOR" "\$@"
SH
    chmod +x proctor
    PARAGRADE_PROCTOR=$PWD/proctor run "$PARAGRADE" grade -q -a a.yaml --run-id s subs
    assert_graded reports/s
    assert [ -s sessions ]
    run awk '$1 != $2' sessions
    refute_output
}

@test "grade: a proctor is told not to wait for other runs" {
    FAKE_WORDS=$PWD/words "$PARAGRADE" grade -q -a a.yaml --run-id r subs >/dev/null
    assert_equal "$(grep -c -e ' --no-wait' words)" 0
    rm words
    FAKE_WORDS=$PWD/words "$PARAGRADE" grade -q -a a.yaml --no-wait --run-id n subs >/dev/null
    assert_equal "$(grep -c -e ' --no-wait' words)" 11
    rm words
    FAKE_WORDS=$PWD/words "$PARAGRADE" check -q -a a.yaml --no-wait --reports c subs/alice >/dev/null
    assert_equal "$(grep -c -e ' --no-wait' words)" 3
}

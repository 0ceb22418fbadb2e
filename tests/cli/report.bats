#!/usr/bin/env bats

load ../helpers/common

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    mkdir subs
    cp -r "$REPO/student_impls/carol" "$REPO/student_impls/frank" subs/
    mkdir subs/alice
    cp "$REPO/student_impls/alice/simd.c" subs/alice/
    "$PARAGRADE" grade -q -a "$PARAGRADE_ASSIGNMENT" --run-id r subs >class.txt 2>err.txt || {
        cat err.txt
        return 1
    }
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

@test "report: the class table has a row per submission and a column per tier" {
    run -0 "$PARAGRADE" report r
    assert_line --regexp '^submission +naive +simd +openmp +points +of$'
    assert_line --regexp '^carol +pass +wrong-answer +wrong-answer '
    assert_line --regexp '^frank +pass +missing +pass '
    assert_line --regexp '^reference +pass +pass +pass '
}

@test "report: a student reads the first wrong element, the pattern and how to see it again" {
    run -0 "$PARAGRADE" report --student carol r
    assert_output --partial "expected"
    assert_output --partial "is not a multiple of 8"
    assert_output --partial "C must be assigned"
    assert_line --regexp '^  again: paragrade replay r carol.simd [0-9x]+ .*--launch 1x1'
    refute_output --partial frank
    # one command for each failed tier, and one line at the end
    assert_equal "$(grep -c 'again: ' <<<"$output")" "$(grep -c 'cases failed:' <<<"$output")"
    assert_line --regexp '^Total: [0-9.]+ of [0-9.]+ points, 1 passed, 2 failed'
    run -0 "$PARAGRADE" report --student frank r
    assert_line --regexp '^Total: [0-9.]+ of [0-9.]+ points, 2 passed, 1 missing'
    run -2 "$PARAGRADE" report --student nobody r
    assert_output --partial "no submission 'nobody'"
}

@test "report: what a student's page says to run shows the failure again, without the run" {
    "$PARAGRADE" report --all pages r
    cp -r subs/carol mine
    local command commands
    commands=$(sed -e '/<pre><code>paragrade/!d' -e 's/.*<code>//; s/<.*//' pages/carol/feedback.html)
    assert [ "$(wc -l <<<"$commands")" -ge 5 ]
    cd mine
    export TMPDIR=$BATS_TEST_TMPDIR
    while read -r command; do
        # shellcheck disable=SC2086
        run "$PARAGRADE" ${command#paragrade }
        case $command in
        *--export*) assert_success ;;
        *) assert_failure 1 && assert_output --partial wrong-answer ;;
        esac
    done <<<"$commands"
    run -2 "$PARAGRADE" replay naive 0
    assert_output --partial "was a run without the tier 'naive'"
}

@test "report: a launch without times says why, on the terminal and on the page" {
    cp -r reports/r reports/few-cores
    local result=reports/few-cores/units/frank.openmp/result.json
    jq '.cores = 1 | (.cases[] | select(.threads == 2)).oversubscribed = true' "$result" >new.json
    mv new.json "$result"
    run -0 "$PARAGRADE" report --student frank few-cores
    assert_line --partial '  not timed: 2 threads, because there was only 1 core. The results were checked.'
    run -0 "$PARAGRADE" report --student carol few-cores
    refute_output --partial 'not timed'
    run -0 "$PARAGRADE" report few-cores
    assert_output --partial '1 time was not taken, because the launch has more workers than the node has cores or GPUs.'
    run -0 "$PARAGRADE" report --all few-cores few-cores
    grep -q 'Some launches were not timed: 2 threads' few-cores/frank/feedback.html
    run -1 grep -q 'not timed' few-cores/carol/feedback.html
    rm -r few-cores reports/few-cores
}

@test "report: a student learns no directory of the instructor, and of a profile only that it limits" {
    local form
    mkdir -p other/subs/broken
    echo 'int x' >other/subs/broken/naive.c
    sed "s|\.\./\.\./|$REPO/|" "$PARAGRADE_ASSIGNMENT" >other/a.yaml
    echo 'profiles: [{name: less, sizes: [64]}, {name: fewer, random: 3}]' >>other/a.yaml
    for form in less fewer; do
        "$PARAGRADE" grade -q -a other/a.yaml -p $form --tier naive --reports other/reports --run-id $form \
            other/subs >/dev/null
    done
    cd /
    for form in '' --json; do
        # shellcheck disable=SC2086
        run -0 "$PARAGRADE" report $form --student broken "$BATS_FILE_TMPDIR/other/reports/less"
        assert_output --partial "error: expected"
        refute_output --partial "$BATS_FILE_TMPDIR"
        refute_output --partial "$REPO"
    done
    run -0 "$PARAGRADE" report --student broken "$BATS_FILE_TMPDIR/other/reports/less"
    assert_output --regexp '  gcc .* -o \{out\} \{src\}'
    assert_output --partial '; the full run measures more sizes, for more points'
    run -0 "$PARAGRADE" report --student broken "$BATS_FILE_TMPDIR/other/reports/fewer"
    refute_output --partial 'measures more sizes'
    run -0 "$PARAGRADE" report --student carol "$BATS_FILE_TMPDIR/reports/r"
    assert_output --partial 'paragrade replay r carol.simd'
    refute_output --partial "$BATS_FILE_TMPDIR"
}

@test "report: on a terminal no line is too wide, and elsewhere lines stay whole" {
    local words
    for words in 'report r' 'report -s carol r' 'verify r' doctor 'report --json nowhere'; do
        script -qc "stty cols 80; '$PARAGRADE' $words" /dev/null </dev/null |
            tr -d '\r' | sed 's/\x1b\[[0-9;]*m//g' >screen.txt
        [ "$(LC_ALL=C.UTF-8 wc -L <screen.txt)" -le 80 ] || fail "$(cat screen.txt)"
        [ -s screen.txt ]
    done
    run -0 "$PARAGRADE" report -s carol r
    assert_line --regexp '^  case .* C must be assigned$'
}

# Print every row that has another number of fields than the header. Quoted text does not count.
uneven_rows() { # FILE
    awk -v RS='\r\n' '
        { gsub(/"[^"]*"/, ""); fields = gsub(/,/, "") + 1 }
        NR == 1 { wanted = fields }
        fields != wanted { print FILENAME ": row " NR ": " fields " fields, not " wanted }' "$1"
}

@test "report: every CSV file has its header and as many fields in every row" {
    local f
    printf 'a,b\r\n"1,""2""\n3",4\r\n' >even.csv
    run -0 uneven_rows even.csv
    assert_output ""
    printf 'a,b\r\n1\r\n1,2,3\r\n' >uneven.csv
    run -0 uneven_rows uneven.csv
    assert_output $'uneven.csv: row 2: 1 fields, not 2\nuneven.csv: row 3: 3 fields, not 2'
    for f in reports/r/*.csv; do
        run -0 uneven_rows "$f"
        assert_output ""
        [ "$(wc -l <"$f")" -ge 2 ] # no file without rows
    done
    run -0 cut -d, -f1-3 reports/r/units.csv
    assert_line "carol,simd,wrong-answer"
    run -0 grep "^alice,simd,.*,$(sha256sum <subs/alice/simd.c | cut -d' ' -f1)," reports/r/units.csv
    run -0 head -n 1 reports/r/grades.csv
    assert_output "submission,name,naive_points,naive_max_points,simd_points,simd_max_points,\
openmp_points,openmp_max_points,total_points,total_max_points,percent,uncounted_tiers,note,submitted_utc,late_seconds,late_penalty,override,receipt"$'\r'
}

# shellcheck disable=SC2016 # awk's
@test "report: the memory of every unit that passed was looked at" {
    run -0 awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["verdict"] == "pass" { n++; if (!($at["peak_memory_bytes"] > 10000)) print $1, $2 }
        END { if (n < 5) print n, "units passed" }' reports/r/units.csv
    assert_output ""
}

@test "report: every column is explained in the documents" {
    local name
    while IFS= read -r name; do
        grep -qE "^\| [^|]*\`$name\`[^|]* \|" "$REPO/docs/columns.md" || fail "docs/columns.md lacks $name"
    done < <(sed -nE 's/^COLUMN\(.*, "(.*)"\)/\1/p' "$REPO/grader/report/columns.def" | sort -u)
}

@test "report: as JSON it can be read by a program" {
    run -0 bash -c "'$PARAGRADE' report --json r | jq -r '.units[] | select(.unit == \"carol.simd\").verdict'"
    assert_output wrong-answer
}

@test "report: a student's view has nothing of anybody else, in every format" {
    local name options
    for options in '' --json; do
        # shellcheck disable=SC2086
        run -0 --separate-stderr "$PARAGRADE" report --student carol $options r
        assert_output --partial carol
        for name in $(tail -n +2 reports/r/grades.csv | cut -d, -f1 | grep -v carol) "$PWD"; do
            refute_output --partial "$name"
        done
    done
    run -0 jq -r '[.submissions[].id, (.units | length)] | @csv' <<<"$output"
    assert_output '"carol",3'
    run -2 "$PARAGRADE" report --student nobody --json r
    run -2 "$PARAGRADE" report --student carol --csv-only r
    assert_output --partial '--csv-only prints no table'
}

@test "report: colour only when asked for" {
    run -0 "$PARAGRADE" report r
    refute_output --partial $'\033['
    run -0 "$PARAGRADE" --color=always report r
    assert_output --partial $'\033['
}

@test "report: what is not a run is refused" {
    run -2 "$PARAGRADE" report nowhere
    assert_output --partial nowhere
    run -2 "$PARAGRADE" report r r
    mkdir empty
    cd empty
    TMPDIR=$PWD run -2 "$PARAGRADE" report # the user's self-tests do not matter
}

@test "report: a run that is not finished says so" {
    cp -r reports/r half
    rm half/units/carol.simd/result.json
    run -0 "$PARAGRADE" report half
    assert_output --regexp 'unfinished: 1 of [0-9]+ units'
    run -0 "$PARAGRADE" report --student carol half
    assert_output --partial 'the run is not finished'
    run -3 "$PARAGRADE" report --csv-only half
    assert_output --regexp '^[0-9]+ of [0-9]+ units have a result$'
    rm -r half
}

@test "report: without the record of a node, times are not graded, and nobody loses points" {
    cp -r reports/r lost
    rm lost/nodes/*.json
    run -1 --separate-stderr "$PARAGRADE" report lost
    assert_output --partial 'not gradable: the record of its node is missing:'
    # shellcheck disable=SC2154
    [[ $stderr == *"alice.simd: the record of its node is missing: "*/lost/nodes/*.simd.json* ]]
    [[ $stderr == *"no points are lost. Put the missing files back"* ]]
    run -0 grep '^alice,' lost/grades.csv
    assert_output --partial 'simd: the record of its node is missing'
    run -1 "$PARAGRADE" report --student alice lost
    assert_output --partial 'its times cannot be graded'
    cp reports/r/nodes/*.json lost/nodes/
    run -0 "$PARAGRADE" report --csv-only lost
    diff <(sed 's/,[^,]*$//' reports/r/grades.csv) <(sed 's/,[^,]*$//' lost/grades.csv) # receipts differ
    rm -r lost
}

@test "report: a result or a record that cannot be opened is an error, and nothing is written or moved" {
    local file files
    mkdir -p link/reports
    cp -r reports/r link/reports/
    cd link
    for file in reports/r/units/alice.simd/result.json reports/r/nodes/*.json; do
        mv "$file" whole
        ln -s nowhere "$file"
        files=$(ls reports/r/units/alice.simd)
        for command in report resume; do
            rm -f reports/r/*.csv
            run -1 "$PARAGRADE" $command r
            assert_output --partial "${file#reports/}: No such file or directory"
            assert [ ! -e reports/r/grades.csv ]
            assert_equal "$(ls reports/r/units/alice.simd)" "$files"
            assert [ -L "$file" ]
        done
        for command in 'compare r' 'export --jsonl -'; do
            # shellcheck disable=SC2086 # words
            run -1 "$PARAGRADE" $command r
            assert_output --partial "${file#reports/}: No such file or directory"
        done
        mv whole "$file"
        run -0 "$PARAGRADE" report --csv-only r
        assert [ -e reports/r/grades.csv ]
    done
}

@test "report: another user's run is closed, not missing" {
    [ "$(id -u)" = 0 ] || skip "only root can become another user"
    chmod 755 "$BATS_FILE_TMPDIR"
    run -2 setpriv --reuid 65534 --clear-groups "$PARAGRADE" report "$BATS_FILE_TMPDIR/reports/r"
    assert_output --partial 'ermission denied'
}

@test "report: scoring again gives the same bytes" {
    run -0 "$PARAGRADE" report --csv-only r
    cp reports/r/grades.csv before.csv
    cp reports/r/receipts.json before.json
    rm reports/r/*.csv
    run -0 "$PARAGRADE" report --csv-only r
    assert_output --regexp '^[0-9]+ of [0-9]+ units have a result$'
    cmp before.csv reports/r/grades.csv
    cmp before.json reports/r/receipts.json
}

@test "report: a picture that cannot be written is a wrong argument, before anything is drawn" {
    run -2 "$PARAGRADE" report --roofline nodir/x.svg r
    assert_output 'paragrade report: nodir/x.svg: there is no directory nodir; create it first'
    run -2 "$PARAGRADE" report --roofline subs r
    assert_output 'paragrade report: subs: is a directory; give the name of a file'
    run -2 "$PARAGRADE" report --roofline - r
    assert_line --index 0 'paragrade report: --roofline writes a file; give its name instead of -'
}

#!/usr/bin/env bats
# report --all: the pages of a class, from made-up results.

load ../helpers/common

EVIL='<img src=x onerror=alert(1)></td></table><script src="http://evil.example/x.js"></script>&lt;'

setup_file() {
    load ../helpers/common
    load ../helpers/prepared_class
    cd "$BATS_FILE_TMPDIR" || return 1
    prepared_class 12
    # carlos' file for SIMD does not compile, and what he printed is hostile
    local dir=x-carlos case
    LOG=$'simd.c:1:1: error: '"$EVIL"$'\n' MESSAGE="simd.c:1:1: error: $EVIL" \
        prepared_result reports/r "$dir.simd" build-error </dev/null
    for case in 0 1; do
        prepared_case $case 1 "$([ $case = 0 ] && echo pass || echo wrong-answer)" null null \
            'C[0][1]: expected 3, got 4'
    done | MESSAGE='case 1: C[0][1]: expected 3, got 4' OUTPUT=$'\e[31mred\e[0m \xe2\x80\xaeback '"$EVIL" \
        prepared_result reports/r "$dir.openmp" wrong-answer
    export KERNEL="void tiled<8, 8>(int const*)$EVIL" # names of kernels are students' text, too
    prepared_profile reports/r x-anna.simd "$KERNEL"
    printf 'submission,pseudonym\nx-anna,Fast <b>Fox</b>\nx-emil,  Owl \nx-ivan,\nx-carlos,Crow\n' >optin.csv
    "$PARAGRADE" report --all fb --leaderboard optin.csv r >said.txt
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return 1
    mapfile -t STUDENTS < <(cd fb && find . -name feedback.html | sed 's|^\./||; s|/.*||' | sort)
}

page_problems() { awk -f "$REPO/tests/helpers/page_problems.awk" "$1"; }
contrasts() { awk -f "$REPO/tests/helpers/page_contrast.awk" "$1"; }
# Text as it is read: without tags, entities resolved.
page_text() {
    sed -e '/<style>/,/<\/style>/d' -e 's/<[^>]*>/ /g' \
        -e 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&#39;/'"'"'/g; s/&amp;/\&/g' "$1" |
        tr -s ' ' | sed -e 's/^ //' -e '/^$/d'
}

@test "pages: a directory for each student, and the class" {
    assert_equal "$(cat said.txt)" 'feedback for 12 students: fb/index.html'
    assert_equal "${#STUDENTS[@]}" 12
    local s
    for s in "${STUDENTS[@]}"; do
        assert [ -s "fb/$s/feedback.txt" ]
        run -0 jq -r '.submissions[0].id' "fb/$s/feedback.json"
        assert_output "$s"
        grep -qF "$s" "fb/$s/feedback.txt"
    done
    run -0 find fb -type f
    assert_equal "$(wc -l <<<"$output")" $((3 * 12 + 3))
    refute_output --partial reference
}

@test "pages: feedback.txt is what a terminal of 80 columns shows, without colours" {
    local s
    for s in x-anna x-emil "$(basename fb/x-b%22*)"; do
        script -qc "stty cols 80; '$PARAGRADE' report --student '$s' r" /dev/null </dev/null |
            tr -d '\r' | sed 's/\x1b\[[0-9;]*m//g' >screen.txt
        assert [ "$(wc -l <screen.txt)" -gt 10 ]
        diff screen.txt "fb/$s/feedback.txt"
    done
    run -1 grep -rl $'\t' fb --include=feedback.txt
    "$PARAGRADE" --color=always report --all colour r
    run -0 diff -r fb/x-anna colour/x-anna
}

@test "pages: feedback.txt names the student, and the id for commands" {
    local s
    s=$(basename fb/x-b%22*)
    run -0 head -n 1 "fb/$s/feedback.txt"
    assert_output "Product of <matrices>: x-b\"' onload='x&amp; ($s)"
    run -0 head -n 1 fb/x-anna/feedback.txt
    assert_output 'Product of <matrices>: x-anna'
}

# Of a unit: CHANGE of its samples, in a copy of the run.
changed_samples() { # UNIT CHANGE
    rm -rf reports/changed changed
    cp -r reports/r reports/changed
    jq ".cases[].samples |= ($2)" "reports/r/units/$1/result.json" >"reports/changed/units/$1/result.json"
}

@test "pages: feedback.txt explains ~ where a number is not confirmed, and only there" {
    local change
    run -1 grep -F '~' fb/x-anna/feedback.txt
    # Too few starts, starts that do not agree, and a yardstick slower than the node's record.
    for change in '.[:2]' 'map(.unit *= 1 + .start / 10)' \
        'map(.alone *= 1.03 | .yardstick *= 1.03)'; do
        changed_samples x-anna.simd "$change"
        run -0 "$PARAGRADE" report --all changed changed
        run -0 grep -cE '^ .* ~[0-9]' changed/x-anna/feedback.txt
        run -0 cat changed/x-anna/feedback.txt
        assert_output --partial 'A number with ~ is not confirmed'
        run -1 grep -F '~' changed/x-emil/feedback.txt
    done
    # A ratio of tiers has the mark of both.
    changed_samples x-anna.naive '.[:2]'
    run -0 "$PARAGRADE" report --all changed changed
    run -0 grep -F '~' changed/x-anna/feedback.txt
    assert_line --regexp '^SIMD +Naive .* ~'
    assert_line --partial 'A number with ~ is not confirmed'
}

@test "pages: every page works alone, without scripts, and with a screen reader" {
    local f
    for f in fb/*.html fb/*/feedback.html; do
        run -0 page_problems "$f"
        assert_output ''
    done
    # a table beside each picture, and all pictures
    assert_equal "$(grep -c '^<svg' fb/x-anna/feedback.html)" 3
    assert [ "$(grep -c '<table' fb/x-anna/feedback.html)" -ge 6 ]
}

@test "pages: the check of pages finds what is wrong" {
    local what from to
    while IFS='|' read -r what from to; do
        sed "s|$from|$to|" fb/x-anna/feedback.html >bad.html
        refute cmp -s bad.html fb/x-anna/feedback.html
        run -0 page_problems bad.html
        assert_output --partial "$what"
    done <<'BAD'
unknown element: script|<main|<script></script><main
event handler|<main|<main onclick="x()"
address: |<main|<a href="http://a.example"></a><main
no policy|default-src 'none'|default-src *
heading 3 below 1|<h2 |<h3 
id twice: verdicts|id="next"|id="verdicts"
nothing has the id tiers|id="tiers"|id="others"
nav: 0 times|nav|div
a table without caption|<caption>|<p>
without scope|<th scope="col"|<th
a row has|<td>1 thread</td>|
picture without text|role="img"|role="none"
cannot be scrolled|tabindex="0"|
colour of its own|var(--s1)|#0072B2
no language|lang="en"|
BAD
}

@test "pages: only the page of the class has a script, and only the one that its policy names" {
    run -0 grep -c "script-src 'sha256-" fb/index.html
    run -0 bash -c "sed -n '/^<script>/,/<\/script>/p' fb/index.html | sed 's/^<script>//; s/<\/script>\$//' |
        head -c -1 | openssl dgst -sha256 -binary | base64"
    assert_equal "$output" "$(grep -oE "sha256-[^']*" fb/index.html | cut -d- -f2-)"
    run -1 grep -rlE '^<script|script-src' fb --include=feedback.html
    sed 's/<main/<script>x()<\/script><main/' fb/x-anna/feedback.html >bad.html
    run -0 page_problems bad.html
    assert_output --partial 'unknown element: script'
}

@test "pages: the page of the class begins with where it stands, and has what a grade depends on" {
    run -0 page_text fb/index.html
    assert_line --regexp '^simd 12 11 1 build-error ?$'
    assert_line --regexp '^80 to 100 % [0-9]+ █+ ?$'
    assert [ "$(grep -n 'id="class"' fb/index.html | cut -d: -f1)" -lt "$(grep -n 'id="verdicts"' fb/index.html | cut -d: -f1)" ]
    printf 'student,tier,points,reason\nx-anna,simd,4,mail\n' >decided.csv
    cp -r reports/r reports/decided
    cp decided.csv reports/decided/overrides.csv
    run -0 "$PARAGRADE" report --all decided decided
    run -0 page_text decided/index.html
    assert_line --regexp '^submission name points of naive simd openmp decided ?$'
    assert_line --regexp '^x-anna 24\.0 40 ✓ pass ✓ pass ✓ pass 1 ?$'
}

@test "pages: the colours have enough contrast, light and dark" {
    local mode ink on contrast count=0
    while read -r mode ink on contrast; do
        awk "BEGIN { exit !($contrast >= 4.5) }" || fail "$mode: $ink on $on: $contrast"
        count=$((count + 1))
    done < <(contrasts fb/x-anna/feedback.html)
    assert_equal $count 30
    run -0 contrasts <(printf '<style>\n--paper: #ffffff; --panel: #ffffff; --ink: #000000; --dim: #777777;\n</style>\n')
    assert_line 'light ink paper 21.00'
    assert_line 'light dim paper 4.48'
}

@test "pages: text of students is shown as text" {
    run -0 page_text fb/x-carlos/feedback.html
    assert_output --partial "error: $EVIL"
    assert_output --partial $'\xef\xbf\xbd[31mred\xef\xbf\xbd[0m \xef\xbf\xbdback <img'
    run -0 page_text fb/index.html
    assert_output --partial "error: $EVIL"
    assert_output --partial 'x-<script>alert(1)<|script>'
    assert_output --partial "x-b\"' onload='x&amp;"
    assert_output --partial 'Product of <matrices>'
    refute grep -rq $'\e' fb --include='*.html'
    run -0 page_text fb/x-b%22*/feedback.html
    assert_output --partial "Feedback for x-b\"' onload='x&amp;"
}

@test "pages: a student has nothing of anybody else, in every format" {
    local s f
    "$PARAGRADE" report --json r >all.json
    for s in "${STUDENTS[@]}"; do
        # ids, names and points of the others, and exact numbers that only they have
        jq -r --arg s "$s" '(.submissions[] | select(.id != $s and .reference == false) |
                .id, .name, (.name | @html),
                (.points | tostring | select(length > 3) | "\"points\": " + .), # not 10
                (.points * 10 | round | tostring | .[:-1] + "." + .[-1:] + " of 40")),
            (.units[] | select(.submission != $s and .submission != "reference") | .speeds[] |
                .seconds.value, .gops, .speedup.value | tostring | select(length > 5)),
            (.units[] | select(.submission != $s and .submission != "reference") | .versus[] |
                .ratio.value | tostring | select(length > 5))' all.json >others.txt
        jq -r --arg s "$s" '.units[] | select(.submission == $s or .submission == "reference") |
            (.speeds[] | .seconds.value, .gops, .speedup.value), (.versus[] | .ratio.value)' \
            all.json >own.txt
        grep -vxFf own.txt others.txt | sort -u >foreign.txt
        assert [ "$(wc -l <foreign.txt)" -gt 200 ]
        for f in html txt json; do
            run -1 grep -nowFf foreign.txt "fb/$s/feedback.$f" || fail "$s: $output"
        done
    done
    # the check finds what it looks for
    run -0 grep -cwFf foreign.txt fb/index.html
}

@test "pages: what a student needs: first failing case, how to run it, what bounds the tier, what is next" {
    run -0 page_text fb/x-carlos/feedback.html
    assert_output --partial 'case 1: C[0][1]: expected 3, got 4'
    # students have the assignment, but not the run
    assert_line --regexp '^ *paragrade check -t openmp --case 1 *$'
    assert_line --regexp '^ *paragrade replay --export case1 openmp 1 *$'
    refute_output --partial 'paragrade replay r '
    run -0 grep -F 'again, in your directory: paragrade check -t openmp --case 1' fb/x-carlos/feedback.txt
    run -1 grep -E 'replay.* r x-' fb/x-carlos/feedback.*
    run -0 page_text fb/x-carlos/feedback.html
    assert_output --partial 'gcc -o {out} {src}'
    assert_output --partial '20.0 points are open. Compile with the command below'
    assert_output --partial 'No tier that passed was timed with more than one worker.'
    refute_output --partial "$PWD"
    run -0 page_text fb/x-anna/feedback.html
    assert_output --partial 'Arithmetic limits this kernel'
    assert_output --partial 'At size 512, the next step is speed-up 50.0'
    assert_output --regexp 'OpenMP +512 +8 threads .* [0-9.]+ ±[0-9.]+% +[0-9]+%'
}

@test "pages: points that a person set do not grow" {
    cp -r reports/r reports/set
    printf 'student,tier,points,deadline,reason\nx-carlos,simd,5,,by hand\n' >reports/set/overrides.csv
    run -0 "$PARAGRADE" report --all set.pages set
    run -0 page_text set.pages/x-carlos/feedback.html
    assert_output --partial 'build-error. Compile with the command below'
    refute_output --partial '20.0 points are open. Compile'
}

@test "pages: tiers that the assignment compares, of the student and of the class" {
    # (0.91 - 2 * 0.0713) / (0.02 - 2 * 0.0007), see prepared_class
    run -0 page_text fb/x-anna/feedback.html
    assert_line --regexp '^SIMD Naive 1 thread 512 41\.3 ±[0-9.]+%'
    assert_line --regexp '^OpenMP SIMD of the reference 8 threads 1 thread 512 4\.63 ±[0-9.]+%'
    assert_output --partial 'how many times as fast as another tier'
    refute_output --partial 'ratio with copies'
    run -0 page_text fb/x-carlos/feedback.html # both tiers have to pass
    assert_output --partial 'Nothing can be compared yet'
    refute_output --regexp 'SIMD of the reference [0-9]+ threads [0-9]'
    run -0 page_text fb/index.html
    assert_line --regexp '^x-anna simd naive 1 thread 512 41\.3 ±'
    assert_equal "$(grep -cE '^x-[^ ]* openmp reference:simd [^.]* 512 ' <<<"$output")" $((11 * 4))
    # an assignment that compares nothing
    cp -r reports/r reports/alone
    sed -i '/^versus:/d' reports/alone/assignment.yaml
    run -0 "$PARAGRADE" report --all alone alone
    run grep -rlE 'id="compared"' alone
    assert_output ''
}

@test "pages: times with copies are compared where a device computed" {
    cp -r reports/r reports/copies
    jq '.cases[].samples[] |= (.end_to_end = 2 * .unit)' \
        reports/r/units/x-anna.simd/result.json >reports/copies/units/x-anna.simd/result.json
    run -0 "$PARAGRADE" report --all copies copies
    run -0 page_text copies/x-anna/feedback.html
    assert_line --partial 'size ratio with copies'
    assert_line --regexp '^SIMD Naive 1 thread 512 41\.3 ±[0-9.]+% 20\.6'
    run -0 page_problems copies/x-anna/feedback.html
    assert_output ''
}

@test "pages: what the profiler of a GPU said, in its student's page only" {
    run -0 page_text fb/x-anna/feedback.html
    assert_output --partial 'One call at 512, with the copies'
    assert_line --partial "75.0% 3.00 ms 2 1.50 ms 40 4096 B 256 1024 50% $KERNEL"
    assert_line --partial '25.0% 1.00 ms 2 500 us copy host to device'
    assert_line --partial '75.0% 6.00 ms 3 2.00 ms cudaMalloc'
    run grep -rl 'cudaMalloc' fb --include='*.html'
    assert_output fb/x-anna/feedback.html
}

@test "pages: the smallest failing case, and the command that runs it again" {
    cp -r reports/r reports/small
    jq '.smallest = {shape: [1, 3, 1], values: "small", seed: "0x2a", ranks: 1, threads: 2, runs: 4,
        failed_runs: 4, tried: 9, seconds: 0.1, finished: true, verdict: "wrong-answer",
        message: "C[0][1]: expected <3>"}' reports/r/units/x-carlos.openmp/result.json \
        >reports/small/units/x-carlos.openmp/result.json
    run -0 "$PARAGRADE" report --all small small
    run -0 page_text small/x-carlos/feedback.html
    assert_output --partial 'Smallest case found that fails (1x3x1, small values, 2 threads): C[0][1]: expected <3>'
    assert_output --partial 'paragrade replay openmp 1x3x1 --values small --seed 0x000000000000002a --launch 1x2'
    run -0 jq -r '.units[].smallest.replay // empty' small/x-carlos/feedback.json
    assert_output 'paragrade replay openmp 1x3x1 --values small --seed 0x000000000000002a --launch 1x2'
    run -0 page_text fb/x-carlos/feedback.html
    refute_output --partial 'Smallest case'
}

@test "pages: where the class is: shares and one digit, and only in a class of ten" {
    run -0 page_text fb/x-anna/feedback.html
    assert_line --regexp '^80 to 100 % +[0-9]+ █+ here'
    assert_output --regexp 'SIMD 90% [0-9]0? to [0-9]0 38.4 ±'
    cp -r reports/r reports/nine
    jq 'del(.submissions[10, 11, 12]) | .units |= map(select(.submission < 10))' reports/r/plan.json \
        >reports/nine/plan.json
    run -0 "$PARAGRADE" report --all nine nine
    assert_output 'feedback for 9 students: nine/index.html'
    run -0 page_text nine/x-anna/feedback.html
    assert_output --partial 'classes of at least 10 submissions'
    refute_output --partial '80 to 100'
}

@test "pages: the leaderboard has those who asked for it, under pseudonyms only" {
    run -0 page_text fb/leaderboard.html
    assert_output --partial 'Fast <b>Fox</b>'
    assert_output --partial Owl
    for name in x- anna emil ivan; do refute_output --partial "$name"; done
    run -0 cut -d, -f1-4 fb/leaderboard.csv
    assert_line 'simd,512,1,Fast <b>Fox</b>'
    assert_line 'simd,512,2,Owl'
    assert_line 'simd,512,,reference'
    refute_line --partial 'simd,512,3' # carlos did not pass there, and ivan did not ask
    assert_line 'naive,512,3,Owl'
    # Crow cannot be told from Fox there: the intervals overlap
    assert_line --regexp '^naive,512,1,Fast'
}

@test "pages: a leaderboard's file with a mistake is refused, and nothing is written" {
    local text wanted
    while IFS='|' read -r text wanted; do
        printf '%b' "$text" >bad.csv
        run -2 "$PARAGRADE" report --all refused --leaderboard bad.csv r
        assert_output --partial "$wanted"
        assert [ ! -e refused ]
    done <<'BAD'
submission\nx-anna\n|bad.csv:1: the column 'pseudonym' is missing
submission,pseudonym\nx-anna,A\nnobody,B\n|bad.csv:3: field 'submission': the run has no submission 'nobody'
submission,pseudonym\nreference,B\n|bad.csv:2: field 'submission': 'reference' is the reference
submission,pseudonym\nx-anna,A\nx-anna,B\n|bad.csv:3: field 'submission': 'x-anna' is there twice
submission,pseudonym\nx-anna,A\nx-emil,a\n|bad.csv:3: field 'pseudonym': 'a' is the pseudonym of two submissions
submission,pseudonym\nx-anna,X-Emil\n|bad.csv:2: field 'pseudonym': 'X-Emil' is the name of another submission
submission,pseudonym\nx-anna,Reference\n|bad.csv:2: field 'pseudonym': 'Reference' is what the leaderboard calls the reference
submission,pseudonym\nx-anna,The Reference\n|bad.csv:2: field 'pseudonym': 'The Reference' is what the leaderboard calls the reference
submission,pseudonym\nx-anna,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n|longer than 40 characters
submission,pseudonym\nx-anna,a\x07b\n|has a control character
submission,pseudonym\nx-anna,\xff\n|bad.csv:2: field 'pseudonym' is not UTF-8
BAD
    run -2 "$PARAGRADE" report --all refused --leaderboard nowhere.csv r
    assert_output --partial nowhere.csv
}

@test "pages: written again, they are the same, and nothing else lies there" {
    cp -r fb before
    run -0 "$PARAGRADE" report --all fb --leaderboard optin.csv r
    run -0 diff -r before fb
    rm -r before
}

@test "pages: the links of the class lead to the students" {
    local link n=0
    while read -r link; do
        n=$((n + 1))
        assert [ -f "fb/${link//%25/%}" ]
    done < <(grep -oE 'href="[^"#]*feedback.html"' fb/index.html | cut -d'"' -f2)
    assert_equal $n 12
    # a failure leads to its tier
    run -0 grep -c 'href="x-carlos/feedback.html#tier-simd-title"' fb/index.html
    run -0 grep -c 'id="tier-simd-title"' fb/x-carlos/feedback.html
}

@test "pages: without gnuplot they have no pictures, but all numbers" {
    run -0 --separate-stderr env PATH=/nowhere "$PARAGRADE" report --all bare r
    assert_equal "$output" 'feedback for 12 students: bare/index.html'
    # shellcheck disable=SC2154 # of bats
    assert_regex "$stderr" 'no pictures: .*install the package gnuplot-nox'
    run -0 page_problems bare/x-anna/feedback.html
    assert_output ''
    refute grep -q '<svg' bare/x-anna/feedback.html
    diff <(grep '<t[rd]' bare/x-anna/feedback.html) <(grep '<t[rd]' fb/x-anna/feedback.html)
}

@test "pages: a run without results yet, and what cannot be done" {
    cp -r reports/r reports/none
    rm reports/none/units/*/result.json
    run -0 "$PARAGRADE" report --all empty none
    run -0 page_problems empty/x-anna/feedback.html
    assert_output ''
    run -0 page_text empty/x-anna/feedback.html
    assert_output --partial 'not run'
    run -0 page_text empty/index.html
    assert_output --partial '39 of 39 units have no result yet'
    run -2 "$PARAGRADE" report --all fb --json r
    assert_output --partial '--all writes the pages of all students'
    run -2 "$PARAGRADE" report --leaderboard optin.csv r
    assert_output --partial '--leaderboard goes with --all'
    touch file
    run "$PARAGRADE" report --all file r
    assert_failure
    assert_output --partial file
    jq '.submissions[1].id = "index.html"' reports/none/plan.json >plan.json
    cp plan.json reports/none/plan.json
    run -2 "$PARAGRADE" report --all other none
    assert_output --partial "'index.html' has the name of a page of the class"
    assert [ ! -e other ]
}

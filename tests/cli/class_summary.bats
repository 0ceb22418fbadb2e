#!/usr/bin/env bats
# A class on one screen: where it stands and what to look at. The details only when asked for.

load ../helpers/common

setup_file() {
    load ../helpers/common
    load ../helpers/prepared_class
    local name
    cd "$BATS_FILE_TMPDIR" || return 1
    for name in {13..57}; do PREPARED_NAMES+=("student$name"); done
    prepared_class 57
    for name in anna carlos diana emil; do
        MESSAGE='case 0: wrong' prepared_result reports/r "x-$name.simd" wrong-answer </dev/null
    done
    MESSAGE='no memory' prepared_result reports/r x-goran.simd out-of-memory </dev/null
    MESSAGE='the node failed' prepared_result reports/r x-hana.openmp infra-error </dev/null
    for name in naive simd openmp; do prepared_result reports/r "x-ivan.$name" missing </dev/null; done
    jq '.attested = false | .evidence = "no vector instruction"' reports/r/units/x-kofi.simd/result.json >new.json
    mv new.json reports/r/units/x-kofi.simd/result.json
}

setup() {
    load ../helpers/prepared_class
    cd "$BATS_FILE_TMPDIR" || return 1
}

# What a terminal of 80 columns (or COLS) shows of a command, without colours.
screen() {
    script -qc "stty cols ${COLS:-80}; '$PARAGRADE' $*" /dev/null </dev/null | tr -d '\r' | sed 's/\x1b\[[0-9;]*m//g'
}

@test "class summary: 57 students fit on a screen, with what there is to look at" {
    run -0 screen report r
    assert [ "${#lines[@]}" -le 40 ]
    [ "$(LC_ALL=C.UTF-8 wc -L <<<"$output")" -le 80 ]
    assert_line --regexp '^tier +handed in +passed +most usual failure$'
    assert_line --regexp '^naive +56 +56$'
    assert_line --regexp '^simd +56 +51 +4 wrong-answer$'
    assert_line --regexp '^openmp +56 +55 +1 infra-error$'
    assert_line --regexp '^submissions +lowest +a quarter +median +three quarters +highest +of$'
    assert_line --regexp '^ +57 +0\.0 +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +40$'
    assert_line 'handed in nothing  1  x-ivan'
    assert_line 'flagged            1  x-kofi.simd'
    assert_line 'undecided          1  x-hana.openmp'
    refute_output --partial x-anna
    assert_line 'Each submission: paragrade report --details r'
}

@test "class summary: the details when they are asked for, for programs, and of a small class" {
    run -0 screen report --details r
    assert_line --regexp '^x-goran +pass +memory|out-of-memory +pass +'
    assert_line --regexp '^x-anna\.simd +wrong-answer +case 0: wrong$'
    assert_line --regexp '^simd +56 +51 '
    assert [ "${#lines[@]}" -gt 300 ]
    run -0 "$PARAGRADE" report --tsv r
    assert_line $'x-anna.simd\twrong-answer\tcase 0: wrong\t'
    cp -r reports/r reports/ten
    jq 'del(.submissions[11:]) | .units |= map(select(.submission < 11))' reports/r/plan.json >reports/ten/plan.json
    run -0 "$PARAGRADE" report ten
    assert_line --regexp '^x-anna\.simd +wrong-answer +case 0: wrong$'
    refute_output --partial --details
    # On a terminal that is too narrow, what is the same for all goes, and the table stays one.
    local heading
    heading=$(screen report ten | grep -E '^submission .* points +of$')
    COLS=$((${#heading} - 1)) run -0 screen report ten
    assert_line --regexp '^submission +naive .* points$'
    refute_line --regexp '^submission +(points +)?of$'
}

@test "class summary: who handed in, in a tier that the machine cannot run" {
    local result
    cp -r reports/r reports/skipped
    for result in reports/skipped/units/*.openmp/result.json; do
        sed -i '0,/"verdict": "[a-z-]*"/s//"verdict": "skipped"/' "$result"
    done
    jq '(.units[] | select(.id == "x-ivan.openmp")) |= del(.source)' reports/r/plan.json >reports/skipped/plan.json
    run -0 "$PARAGRADE" report skipped
    assert_line --regexp '^openmp +56 +0 +56 skipped$'
    # A failure says more, even one.
    prepared_result reports/skipped x-anna.openmp build-error </dev/null
    run -0 "$PARAGRADE" report skipped
    assert_line --regexp '^openmp +56 +0 +1 build-error$'
    assert_line --regexp '^handed in nothing +1 +x-ivan$'
}

@test "class summary: points that a person gave count where no tier does" {
    local tier
    cp -r reports/r reports/given
    for tier in naive simd openmp; do
        MESSAGE='no compiler' prepared_result reports/given "x-ivan.$tier" skipped </dev/null
    done
    printf 'student,tier,points,reason\nx-ivan,,5,by hand\n' >reports/given/overrides.csv
    run -0 "$PARAGRADE" report --student x-ivan given
    assert_line 'Total: 5.0 of 0 points, 3 skipped'
    run -0 "$PARAGRADE" report --details given
    assert_line --regexp '^x-ivan +skipped +skipped +skipped +5\.0 +0$'
    run -0 "$PARAGRADE" report --all given.pages given
    refute grep -q 'Every tier passed' given.pages/x-ivan/feedback.html
    run -0 grep -o 'No tier failed, and no points are open' given.pages/x-ivan/feedback.html
}

@test "class summary: a run of the reference alone has none" {
    cp -r reports/r reports/alone
    jq 'del(.submissions[1:]) | .units |= map(select(.submission < 1))' reports/r/plan.json >reports/alone/plan.json
    run -0 "$PARAGRADE" report alone
    assert_line --regexp '^reference +pass'
    refute_output --partial 'handed in'
    refute_output --partial $'\n\n\n'
    run -0 "$PARAGRADE" report --all pages alone
    refute grep -q 'handed in' pages/index.html
}

@test "class summary: of a student, a roofline that says nothing new is left out" {
    cp -r reports/r reports/same
    sed 's/\.naive/.simd/g' reports/r/units/x-anna.naive/result.json >reports/same/units/x-anna.simd/result.json
    run -0 "$PARAGRADE" report --student x-anna same
    assert_line --regexp '^  roofline \(512, 1 thread\): .'
    refute_line --regexp '^  roofline .*: *$'
}

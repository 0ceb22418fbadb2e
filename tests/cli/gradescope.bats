#!/usr/bin/env bats
# The autograder in packaging/gradescope, on a tree like that of Gradescope's container. A fake proctor grades.

load ../helpers/common

setup() {
    load ../helpers/common
    load ../helpers/class
    make_class
    sed -i -E 's/(name: (naive|simd|openmp), )/\1points: {correct: 10}, /' a.yaml
    mkdir -p course autograder/{submission,results,source}
    mv a.yaml ref course
    export AUTOGRADER_ROOT=$PWD/autograder PATH=$PWD/bin:${PARAGRADE%/*}:$PATH
    mkdir bin
}

@test "gradescope: an archive, what it installs, and what it says of a submission" {
    local pack=$REPO/packaging/gradescope/pack
    run -2 "$pack"
    assert_output --partial 'pack [-o OPTIONS] [-d DIRECTORY] ASSIGNMENT ZIP'
    run -2 "$pack" nowhere.yaml x.zip
    assert_output 'pack: nowhere.yaml: no such file'
    run -2 "$pack" course/a.yaml x.zip
    assert_output --partial 'course/a.yaml does not lie in'
    [ ! -e x.zip ]
    run -0 "$pack" -d course -o '--tier naive' course/a.yaml x.zip
    unzip -q x.zip -d autograder/source
    [ -f autograder/source/paragrade/Makefile ]

    # The image is built.
    # shellcheck disable=SC2016
    printf '#!/bin/sh\necho "$(basename "$0") $* in $PWD" >>"%s/called"\n' "$PWD" | tee bin/apt-get bin/make >/dev/null
    chmod +x bin/*
    run -0 autograder/source/setup.sh
    run -0 grep -c "^make .* in $AUTOGRADER_ROOT/source/paragrade$" called
    assert_output 3
    rm bin/make

    # A submission is graded.
    cp subs/alice/naive.c autograder/submission
    run -0 autograder/source/run_autograder
    run -0 jq -r '"\(.score) \(.tests | length) \(.tests[0].name) \(.tests[0].status) \(.tests[0].score)/\(.tests[0].max_score)"' \
        autograder/results/results.json
    assert_output '10 1 naive passed 10/10'

    # The time at which it was handed in decides whether it is late.
    echo 'deadline: {at: "2018-07-01T00:00:00Z", penalty: 0.2}' >>autograder/source/course/a.yaml
    printf '{"id": 7, "created_at": "2018-07-01T14:22:32.365935-07:00", "previous_submissions": [{"results": {"created_at": "2018-06-01"}}]}' \
        >autograder/submission_metadata.json
    run -0 autograder/source/run_autograder
    run -0 jq -r '"\(.score) \(.output)"' autograder/results/results.json
    assert_output --partial 'Late: submitted 2018-07-01T21:22:32Z'
    assert_line --index 0 --partial '8 '
    sed -i '$d' autograder/source/course/a.yaml

    # Nothing useful: the student is told, and the score is 0.
    mv autograder/submission/naive.c 'autograder/submission/naive (1).c'
    run -0 autograder/source/run_autograder
    run -0 jq -r '"\(.score) \(.tests[0].output)"' autograder/results/results.json
    assert_output '0 missing: there is no naive.c; naive (1).c is there: rename it'

    # The grader's trouble: there are no results, so Gradescope does not show 0 points.
    echo 'name: [' >autograder/source/course/a.yaml
    run -2 autograder/source/run_autograder
    [ ! -e autograder/results/results.json ]
}

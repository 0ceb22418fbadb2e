#!/usr/bin/env bats
# A directory in which students put their own directories: names that stand for somebody else's.

load ../helpers/common

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    mkdir -p box/bob box/carol
    cp "$REPO"/reference/gemm/{naive.c,*.h} box/bob/
    cp "$REPO"/reference/gemm/{naive.c,*.h} box/carol/
    sed -e "s|\.\./\.\./|$REPO/|" "$REPO/tests/fixtures/small.yaml" >a.yaml
    printf 'name,id\nAlice,alice\nBob,bob\nCarol,carol\n' >roster.csv
}

grade() { run "$PARAGRADE" grade -q -a a.yaml --tier naive --roster roster.csv --run-id r box; }

verdict() { awk -F, -v s="$1" '$1 == s { print $3 }' reports/r/units.csv; }

@test "drop box: a link to a classmate's directory is nobody's submission" {
    [ "$(id -u)" = 0 ] || skip "only root can make links for others"
    ln -s bob box/alice
    chown -h 4711 box/alice
    chown -R 4712 box/bob
    grade
    assert_output --partial 'box/alice: left out, because it is a link that neither you nor the owner of its target made'
    assert_equal "$(verdict alice)" missing
    assert_equal "$(verdict bob)" pass
    # Nor later, in the place of a directory that was handed in.
    chown -hR 4711 box/carol
    rm -r box/carol
    ln -s bob box/carol
    chown -h 4711 box/carol
    echo '/* mine */' >>box/bob/naive.c
    run -0 "$PARAGRADE" regrade r
    assert_output --partial 'carol'
    assert_equal "$(grep -l mine reports/r/sources/*/naive.c)" reports/r/sources/bob/naive.c
    # Nor does it hide from the others what they need.
    ln -sfn /usr box/carol
    chown -h 4711 box/carol
    echo '/* again */' >>box/bob/naive.c
    run -0 "$PARAGRADE" regrade r
    assert_equal "$(verdict bob)" pass
}

@test "drop box: links of the owner and of the grader count" {
    mkdir elsewhere
    mv box/carol elsewhere/
    ln -s ../elsewhere/carol box/carol
    if [ "$(id -u)" = 0 ]; then
        chown -hR 4713 box/carol elsewhere/carol
    fi
    grade
    assert_equal "$(verdict carol)" pass
}

@test "drop box: two names of one directory are an error that says both" {
    ln -s bob box/alice
    grade
    assert_equal "$status" 2
    assert_output --partial "box/alice and $PWD/box/bob are the same directory"
    # A student cannot stop the class with it.
    [ "$(id -u)" = 0 ] || return 0
    ln -s bob box/zoe
    chown -hR 4712 box/{alice,bob,zoe}
    grade
    assert_success
    assert_output --partial "box/alice: left out, because it is a link to $PWD/box/bob, which is graded"
    assert_output --partial "box/zoe: left out, because it is a link to $PWD/box/bob, which is graded"
    assert_equal "$(verdict alice)" missing
    assert_equal "$(verdict bob)" pass
    assert_equal "$(verdict carol)" pass
}

@test "drop box: times and overrides that a student wrote" {
    [ "$(id -u)" = 0 ] || skip "only root can give files away"
    local file
    printf 'submission,submitted\nbob,2030-01-01T00:00Z\n' >box/submitted.csv
    printf 'student,tier,points,delta,deadline,reason\nbob,,,-5,,lazy\n' >box/overrides.csv
    mv roster.csv box/
    chmod 1777 box
    for file in submitted overrides; do
        chown 4711 box/$file.csv
        run -2 "$PARAGRADE" grade -q -a a.yaml --tier naive --roster box/roster.csv --run-id r box
        assert_output --partial "$file.csv belongs to user 4711, and neither to you nor to the owner of its directory, but decides about points."
        chown 0 box/$file.csv
    done
    run -0 "$PARAGRADE" grade -q -a a.yaml --tier naive --roster box/roster.csv --run-id r box
    chown 4711 box/submitted.csv
    run -2 "$PARAGRADE" rescore r
    chown 4711 box
    run -0 "$PARAGRADE" rescore r # the owner can rename everything there
    chown 0 box
    chmod 2775 box
    run -0 "$PARAGRADE" rescore r # a colleague's
}

@test "drop box: a thousand wrong files of one student do not hide what is said of others" {
    touch box/bob/{1..1000}.h
    grade
    assert_line 'bob: 793 more files left out'
    assert_equal "$(grep -c '^bob: ' <<<"$output")" 11
}

@test "drop box: a directory that is closed to the grader does not hold no sources" {
    [ "$(id -u)" != 0 ] || skip "nothing is closed to root"
    chmod 000 box/bob
    grade
    chmod 700 box/bob
    assert_output --partial 'bob: cannot be read (Permission denied); its owner must open it for you'
    assert_equal "$(verdict carol)" pass
    chmod 000 box/bob/naive.c
    run "$PARAGRADE" grade -q -a a.yaml --tier naive --run-id r2 box
    assert_output --partial 'bob: naive.c cannot be read: Permission denied; its owner must open it for you'
}

#!/usr/bin/env bats

load ../helpers/common

@test "doctor: this machine can grade the CPU tiers, and MPI really runs" {
    run -0 "$PARAGRADE" doctor
    assert_line --regexp '^C compiler +ok +gcc'
    assert_line --regexp '^OpenMP +ok +two threads ran'
    assert_line --regexp '^MPI +ok +two ranks ran'
    assert_line "CPU tiers can be graded here."
}

@test "doctor: without a compiler they cannot, and the reason is named" {
    mkdir "$BATS_TEST_TMPDIR/bin"
    PATH=$BATS_TEST_TMPDIR/bin run -1 "$PARAGRADE" doctor
    assert_output --regexp $'\nC compiler +missing +not found\n +no tier can be compiled. Install gcc'
    assert_line "CPU tiers cannot be graded here."
}

@test "doctor: every protection is named, and one that is missing says what that means" {
    run -0 "$PARAGRADE" doctor --tsv
    local topic
    for topic in 'sealed memory' landlock seccomp subreaper unprivileged limits 'user namespaces'; do
        assert_line --regexp "^$topic.(ok|warning.[^	]*.[a-z].*)"
    done
}

@test "doctor: limits that the login shell passes on are named" {
    run -0 bash -c "ulimit -n 2000; '$PARAGRADE' doctor"
    assert_line --regexp '^ulimit +ok'
    assert_line --regexp '^ulimit.*nofile 2000'
    # The soft limit is raised.
    run -0 bash -c "ulimit -S -t 1000; '$PARAGRADE' doctor"
    refute_line --regexp '^ulimit.*cpu 1000'
    run -0 bash -c "ulimit -t 1000; ulimit -v 9000000; ulimit -u 1000; '$PARAGRADE' doctor --json | jq -r '.[] | select(.topic == \"ulimit\") | .state, .detail'"
    assert_line --index 0 warning
    assert_line --index 1 --partial 'cpu 1000 s, as 8789 MiB'
    assert_line --index 1 --partial 'nproc 1000'
}

@test "doctor: what compilers may read is named" {
    PATH=/usr/bin:/bin:/srv/tools/bin run -0 "$PARAGRADE" doctor
    assert_line --regexp '^readable +ok +/usr, /opt, .*, /srv/tools/bin and beside it'
}

@test "doctor: as JSON" {
    run -0 bash -c "'$PARAGRADE' doctor --json | jq -r '.[] | select(.topic == \"C compiler\").state'"
    assert_output ok
}

@test "doctor: no arguments" {
    run -2 "$PARAGRADE" doctor now
}

@test "doctor: a scratch directory from which nothing may be run, and what check says there" {
    unshare -rm true 2>/dev/null || skip "no namespaces here"
    mkdir "$BATS_TEST_TMPDIR/noexec"
    run -1 unshare -rm bash -c "mount -t tmpfs -o noexec,mode=1777 tmpfs '$BATS_TEST_TMPDIR/noexec' &&
        export TMPDIR='$BATS_TEST_TMPDIR/noexec' && '$PARAGRADE' doctor;
        '$PARAGRADE' check -q --no-timing --tier naive --reports '$BATS_TEST_TMPDIR/r' '$REPO/student_impls/alice'"
    assert_output --regexp $'\nscratch +missing +[^\n]*\n +nothing[^\n]*noexec[^\n]*Set TMPDIR'
    assert_output --partial 'nothing that is built there can be run'
    refute_output --partial build-error
}

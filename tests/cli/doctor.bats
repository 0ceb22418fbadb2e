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
    run -0 bash -c "ulimit -n 2000; '$PARAGRADE' doctor --tsv"
    assert_line --regexp '^ulimit.ok'
    assert_line --regexp '^ulimit.*nofile 2000'
    # The soft limit is raised.
    run -0 bash -c "ulimit -S -t 1000; '$PARAGRADE' doctor --tsv"
    refute_line --regexp '^ulimit.*cpu 1000'
    run -0 bash -c "ulimit -t 1000; ulimit -v 9000000; ulimit -u 1000; '$PARAGRADE' doctor --json | jq -r '.[] | select(.topic == \"ulimit\") | .state, .detail'"
    assert_line --index 0 warning
    assert_line --index 1 --partial 'cpu 1000 s, as 8789 MiB'
    assert_line --index 1 --partial 'nproc 1000'
    run -0 bash -c "ulimit -t 1000; ulimit -v 9000000; ulimit -u 1000; '$PARAGRADE' doctor | tr -s ' \n' ' '"
    assert_output --regexp 'nproc 1000[^.]*\. The login shell'
}

@test "doctor: what compilers may read is named" {
    PATH=/usr/bin:/bin:/srv/a:/srv/tools/bin:/srv/a run -0 "$PARAGRADE" doctor --json
    run -0 jq -r '.[] | select(.topic == "readable").detail' <<<"$output"
    assert_output --partial '/usr, /opt, '
    assert_output --regexp '; of PATH, with what is beside them: /srv/a, /srv/tools/bin$'
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
    assert_output --regexp $'\nscratch +missing[^\n]*\n.*noexec[^;]*Set TMPDIR'
    assert_output --partial 'nothing that is built there can be run'
    refute_output --partial build-error
}

@test "doctor: a scratch directory with space, but without room for files" {
    unshare -rm true 2>/dev/null || skip "no namespaces here"
    mkdir "$BATS_TEST_TMPDIR/few"
    run unshare -rm bash -c "mount -t tmpfs -o nr_inodes=2,size=2g tmpfs '$BATS_TEST_TMPDIR/few' &&
        TMPDIR='$BATS_TEST_TMPDIR/few' '$PARAGRADE' doctor --tsv"
    assert_line --regexp "^scratch	warning	$BATS_TEST_TMPDIR/few: 2.0 GiB free, but hardly an inode.*Delete files there"
}

@test "doctor: a scratch directory that is not used" {
    local long=$BATS_TEST_TMPDIR/123456789/123456789/123456789/123456789/123456789
    mkdir -p "$long"
    TMPDIR=$long run "$PARAGRADE" doctor --tsv
    assert_line --regexp "^scratch	warning	$long: is too long a path.*builds are made in /tmp instead.*at most 59 characters"
    TMPDIR=$BATS_TEST_FILENAME/none run "$PARAGRADE" doctor --tsv
    assert_line --regexp "^scratch	warning	$BATS_TEST_FILENAME/none: Not a directory.*builds are made in /tmp instead"
}

# A Slurm whose controller answers with this clock, and with this spool directory.
fake_slurm() { # DATE SPOOL
    mkdir -p bin
    cat >bin/scontrol <<SH
#!/bin/sh
[ "\$1" != ping ] || { echo 'Slurmctld(primary) at here is UP'; exit; }
echo "Configuration data as of \$(date -d '$1' +%FT%T)"
echo "SlurmdSpoolDir          = $2"
SH
    chmod +x bin/scontrol
    export PATH=$PWD/bin:$PATH
}

state_of() { # TOPIC: its state and what was found
    "$PARAGRADE" doctor --json | jq -r --arg t "$1" '.[] | select(.topic == $t) | .state, .detail'
}

@test "doctor: in a pipe and below srun it is aligned, and has 80 columns" {
    cd "$BATS_TEST_TMPDIR" || return 1
    "$PARAGRADE" doctor >out
    run awk 'length > 80 || /\t/' out
    refute_output
    # The states are below each other; long texts are on lines of their own.
    assert_equal "$(grep -E '^[^ ].* (ok|warning|missing)( |$)' out | grep -oE '^.*  (ok|warning|missing)( |$)' |
        sed -E 's/(ok|warning|missing) ?$//' | awk '{ print length }' | sort -u | wc -l)" 1
}

@test "doctor: no interface for Open MPI" {
    unshare -rn true 2>/dev/null || skip "no namespaces here"
    command -v mpicc >/dev/null || skip "no MPI"
    run -0 unshare -rn "$PARAGRADE" doctor
    assert_line --regexp '^MPI +warning +no network interface is up$'
    assert_output --partial 'ip link set lo up'
}

@test "doctor: a clock that differs from that of Slurm's controller" {
    cd "$BATS_TEST_TMPDIR"
    fake_slurm now /nowhere/%n
    run -0 state_of clock
    assert_line --index 0 ok
    assert_line --index 1 --regexp "^[+-][01] s from Slurm's controller, [+-][01] s from the files"
    fake_slurm '-10 minutes' /nowhere/%n
    run -0 state_of clock
    assert_line --index 0 warning
    assert_line --index 1 --regexp "^\+(599|600|601) s from Slurm's controller"
    run -0 "$PARAGRADE" doctor
    assert_output --partial 'chronyc'
}

@test "doctor: the spool directory of the node, and one that is full" {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p "spool/node7"
    fake_slurm now "$PWD/spool/%n"
    SLURMD_NODENAME=node7 run -0 state_of spool
    assert_line --index 0 ok
    assert_line --index 1 --regexp "^$PWD/spool/node7: [0-9.]+ GiB free"
    run -0 state_of spool
    assert_line --index 1 --partial 'not here'
    unshare -rm true 2>/dev/null || skip "no namespaces here"
    export -f state_of
    SLURMD_NODENAME=node7 run -0 unshare -rm bash -c "mount -t tmpfs -o size=1m tmpfs spool/node7 && state_of spool"
    assert_line --index 0 warning
}

@test "doctor: is there a command for modules?" {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p home/init
    echo 'module() { :; }' >home/init/bash
    MODULESHOME=$PWD/home run -0 state_of modules
    assert_line --index 1 "there is a command 'module'"
    command -v module >/dev/null || [ -e /usr/share/modules ] || [ -e /usr/share/lmod ] || {
        MODULESHOME='' run -0 state_of modules
        assert_line --index 1 --partial "no command 'module'"
    }
}

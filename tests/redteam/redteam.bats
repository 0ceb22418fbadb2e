#!/usr/bin/env bats
# shellcheck disable=SC2154
# Submissions that cheat, break things, or try. All of them are graded in one run, beside honest
# ones; then every attack must have the verdict that its first line names, nobody else may have
# been hurt, and nothing may be left.
#
# An attack is one file in attacks/: /* expect: TIER VERDICT[|VERDICT...] */, then its idea.

load ../helpers/common

ATTACKS=$BATS_TEST_DIRNAME/attacks

# What a run may leave behind: scratch directories whose lock nobody holds any more - other runs may
# be going on - files outside them, System V objects.
traces() {
    local dir
    for dir in "$BATS_FILE_TMPDIR"/tmp/paragrade-* /dev/shm/paragrade-*; do
        if [ -e "$dir/.paragrade-scratch" ]; then
            flock -n "$dir/.paragrade-scratch" echo "$dir" || true
        fi
    done
    find /tmp /var/tmp /dev/shm "$BATS_FILE_TMPDIR/tmp" -maxdepth 1 -name 'redteam-cache' -o \
        -maxdepth 1 -name fill -o -maxdepth 1 -name 'ompi.*' | sort
    tail -q -n +2 /proc/sysvipc/shm /proc/sysvipc/msg /proc/sysvipc/sem
}

strays() { pgrep -f "$BATS_RUN_TMPDIR.*(driver|kernel.so)|^/bin/sleep 600" || true; }

# What only namespaces keep from it. Some would hurt this machine.
NEED_NAMESPACES=' mpi_ports mpi_services mpi_unlinked stat_others '

has_namespaces() { "$PARAGRADE" doctor --json | jq -e 'any(.topic == "namespaces" and .state == "ok")' >/dev/null; }

# Directories of submissions: one per attack, then the honest ones, then those whose shape is the
# attack.
make_submissions() {
    local f name tier
    mkdir -p subs secret/home
    echo '#error the secret is 4711' >secret/home/roster.csv
    chmod 700 secret secret/home
    for f in "$ATTACKS"/*; do
        name=$(basename "${f%.*}")
        [[ $NEED_NAMESPACES != *" $name "* ]] || has_namespaces || continue
        tier=$(sed -nE '1s|^/\* expect: ([a-z]+) .*|\1|p' "$f")
        mkdir "subs/$name"
        cp "$f" "subs/$name/$tier.${f##*.}"
        cp "$ATTACKS"/../{attack,calls}.h paths.h "subs/$name/"
        copy_protocol "subs/$name"
    done
    mkdir subs/honest subs/linked subs/linked-header subs/fifo subs/long-header
    cp "$REPO"/reference/gemm/{naive,openmp,mpi}.c "$REPO"/reference/gemm/*.h subs/honest/
    ln -s ../../secret/home/roster.csv subs/linked/naive.c
    cp subs/untouched/naive.c subs/linked-header/
    ln -s ../../secret/home/roster.csv subs/linked-header/attack.h
    mkfifo subs/fifo/naive.c
    cp subs/cache_by_value/* subs/long-header/
    touch "subs/long-header/$(printf 'x%.0s' {1..253}).h"
    if [ "$(id -u)" = 0 ]; then # nobody else can give files away
        mkdir subs/hard-linked subs/hard-linked-header
        ln secret/home/roster.csv subs/hard-linked/naive.c
        cp subs/untouched/naive.c subs/hard-linked-header/
        ln secret/home/roster.csv subs/hard-linked-header/attack.h
        chown 12345 subs/hard-linked subs/hard-linked-header
    fi
    local odd=$'subs/--help; $(touch owned) `touch owned`\n"\'x'
    mkdir "$odd"
    cp subs/cache_by_value/* "$odd/"
    touch "$odd/-o evil.h" "$odd"/$'new\nline.h' "$odd/\$(touch owned).h"
}

setup_file() {
    load ../helpers/common
    cd "$BATS_FILE_TMPDIR" || exit 1
    mkdir tmp
    export TMPDIR=$PWD/tmp
    traces >traces.before
    # A process of the same user that has nothing to do with the run.
    sleep 900 3>&- 4>&- >/dev/null 2>&1 &
    echo $! >neighbour
    disown
    # A service of the node that listens.
    perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1");
        open F, ">service"; print F $s->sockport; close F; sleep 900' 3>&- 4>&- >/dev/null 2>&1 &
    echo $! >service.pid
    disown
    wait_until 10 test -s service
    cat >paths.h <<PATHS
#define RUN "$PWD/reports/r"
#define SECRET "$PWD/secret/home/roster.csv"
#define SECRET_DIR "$PWD/secret/home"
#define REFERENCE "$REPO/reference/gemm"
#define REFERENCE_NAIVE "$REPO/reference/gemm/naive.c"
#define NEIGHBOUR $(<neighbour)
#define SERVICE $(<service)
#define STEPS "/nonexistent/" // tests/slurm/attacked_class.bats has Slurm
#define FRONT_END $$
#define PARENT_ENVIRON "/proc/$$/environ"
PATHS
    sed "s|@REFERENCE@|$REPO/reference/gemm|" "$BATS_TEST_DIRNAME/redteam.yaml" >redteam.yaml
    make_submissions
    REDTEAM_SECRET=4711 timeout 300 "$PARAGRADE" grade -q -j 2 -a redteam.yaml --run-id r subs \
        >out.txt 2>err.txt 3>&- 9<>open.csv || true # as a script has its lock or a list open
    [ -s reports/r/units.csv ] || {
        cat out.txt err.txt >&2
        return 1
    }
    verdicts reports/r >verdicts.txt
    grep -o 'HOLE: [^\\]*' reports/r/units/*/result.json | sort -u >holes.txt || true
}

teardown_file() {
    kill "$(<"$BATS_FILE_TMPDIR/neighbour")" "$(<"$BATS_FILE_TMPDIR/service.pid")" 2>/dev/null || true
    chmod -R u+rwX "$BATS_FILE_TMPDIR"
}

setup() { cd "$BATS_FILE_TMPDIR" || exit 1; }

verdict_of() { # SUBMISSION TIER
    sed -n "s/^$1 $2 //p" verdicts.txt
}

# What is wrong: a line for each attack that got none of its verdicts, or says that it achieved something.
complaints() {
    local f name first tier wanted got
    for f in "$ATTACKS"/*; do
        name=$(basename "${f%.*}")
        read -r first <"$f"
        [[ $first =~ ^/\*\ expect:\ ([a-z]+)\ ([a-z|-]+)\ \*/ ]] || {
            echo "$f: its first line names no tier and verdict"
            continue
        }
        tier=${BASH_REMATCH[1]} wanted=${BASH_REMATCH[2]}
        got=$(verdict_of "$name" "$tier")
        if [[ $NEED_NAMESPACES = *" $name "* ]] && ! has_namespaces; then
            echo "# $name: no namespaces here" >&3
        elif [[ $tier = *mpi ]] && [ "$got" = skipped ]; then
            echo "# $name: no MPI here" >&3
        elif [[ "|$wanted|" != *"|$got|"* ]]; then
            echo "$name: $tier is '$got', not $wanted: $(grep "^$name,$tier," reports/r/units.csv)"
        else
            grep -F "/units/$name.$tier/" holes.txt
        fi
    done
    return 0
}

@test "redteam: every attack gets its verdict, and achieves nothing" {
    run complaints
    assert_output ''
}

@test "redteam: honest submissions beside the attacks pass" {
    local tier
    for tier in naive openmp mpi; do
        [[ $(verdict_of honest $tier) =~ ^(pass|skipped)$ ]] ||
            fail "honest $tier: $(grep "^honest,$tier" reports/r/units.csv)"
    done
}

@test "redteam: no failure is called the grader's" {
    run grep -c ',infra-error,' reports/r/units.csv
    assert_output 0
    # A submission that kills itself, or a rank that exits as if it had been killed, is not repeated.
    for unit in kill_self.naive kill_rank.mpi exit_like_kill.mpi error_like_kill.naive; do
        refute [ -e reports/r/units/$unit/infra-*.json ]
    done
    local file
    for file in reports/r/units/*/infra-*.json; do
        [ ! -e "$file" ] || grep -q '"unexplained": true' "$file" || fail "$file"
    done
}

@test "redteam: links, pipes and odd names as sources" {
    assert_equal "$(verdict_of linked naive)" forbidden
    assert_equal "$(verdict_of linked-header naive)" build-error
    assert_equal "$(verdict_of fifo naive)" forbidden
    assert_equal "$(verdict_of long-header naive)" pass
    run grep -c '^%2D-help%3B%20.*,naive,pass,' reports/r/units.csv
    assert_output 1
    refute [ -e owned ]
    run find . "$REPO" -maxdepth 2 -name owned
    assert_output ''
}

@test "redteam: hard links to files of others" {
    [ "$(id -u)" = 0 ] || skip "only root can give files away"
    assert_equal "$(verdict_of hard-linked naive)" forbidden
    assert_equal "$(verdict_of hard-linked-header naive)" build-error
}

@test "redteam: nothing secret reaches a report" {
    run grep -rl 'secret is 4711' reports
    assert_output ''
    run grep -rlE '^root:[^:]*:' reports
    assert_output ''
}

@test "redteam: nothing in a report moves a terminal or a spreadsheet" {
    run grep -rlP '\x1b|\x07|\x00' out.txt err.txt reports --include='*.csv' --include='*.txt'
    assert_output ''
    run grep -nE '(^|,)"?[=@+]' reports/r/units.csv
    assert_output ''
}

# Submissions whose source, header or directory is a link every other microsecond: to the secret, or
# to a classmate's directory.
make_swapped() { # COUNT
    local i file target
    gcc -O1 -o swap "$BATS_TEST_DIRNAME/swap.c"
    mkdir swapped/classmate
    cp secret/home/roster.csv swapped/classmate/naive.c
    for ((i = 0; i < $1; i++)); do
        mkdir -p "swapped/subs/$i"
        cp subs/untouched/naive.c "swapped/subs/$i/"
        : >"swapped/subs/$i/attack.h"
        cp subs/untouched/{attack,calls,paths,protocol,mask,mpi_names}.h "swapped/subs/$i/"
        target=$PWD/secret/home/roster.csv
        case $((i % 4)) in
        0) file=/naive.c ;;
        1) file=/attack.h ;;
        *) file='' target=$PWD/swapped/classmate ;;
        esac
        ln -s "$target" "swapped/link$i"
        if [ -z "$file" ] && [ "$(id -u)" != 0 ]; then # all links are the grader's: they count
            continue
        elif [ -z "$file" ]; then
            chown -hR 4711 "swapped/subs/$i" "swapped/link$i"
            chown -R 4712 swapped/classmate
        fi
        echo "swapped/link$i" "swapped/subs/$i$file"
    done >swapped.txt
}

@test "redteam: sources and directories that are swapped for links while they are copied" {
    local swapper try
    mkdir swapped
    make_swapped 24
    sed "s|sizes: \[128\]|sizes: [16]|; s|random: 5|random: 1|" redteam.yaml >swapped/a.yaml
    # shellcheck disable=SC2046
    ./swap $(<swapped.txt) 3>&- &
    swapper=$!
    for try in 1 2 3; do
        timeout 60 "$PARAGRADE" grade -q -a swapped/a.yaml --tier naive --jobs 2 --run-id "swap$try" \
            swapped/subs >swapped.out 2>&1 3>&- || true
        [ -s "reports/swap$try/units.csv" ] || fail "$(<swapped.out)"
    done
    kill $swapper
    run grep -rlE 'secret is 4711|^root:' reports/swap1 reports/swap2 reports/swap3 swapped.out
    assert_output ''
    # Links were met, and files.
    run bash -c "grep -hE ',naive,(forbidden|build-error),' reports/swap?/units.csv"
    assert_output
    run bash -c "grep -h ',naive,wrong-answer,' reports/swap?/units.csv"
    assert_output
}

# Do something to every driver of a run below TMPDIR, again and again, while the run goes on.
meddle() { # COMMAND...; the process id is appended
    local pid
    while [ ! -e meddle.stop ]; do
        for pid in $(pgrep -x driver-cpu); do
            case $(readlink "/proc/$pid/cwd") in
            "$TMPDIR"/*/home) "$@" "$pid" >/dev/null 2>&1 || true ;;
            esac
        done
        sleep 0.01
    done
}

# What the filter keeps a kernel from doing to itself, done to it from outside: is it seen?
meddled() { # SUBMISSION COMMAND...
    export TMPDIR=$BATS_TEST_TMPDIR
    local submission=$1 meddler
    shift
    sed 's/budget: 100ms/budget: 2s/' redteam.yaml >meddled.yaml # time enough to meddle
    meddle "$@" 3>&- &
    meddler=$!
    run timeout 60 "$PARAGRADE" check -q -a meddled.yaml --tier naive "subs/$submission" 3>&-
    touch meddle.stop
    wait $meddler
    rm meddle.stop
}

@test "redteam: a driver on more cores than it was given is noticed" {
    [ "$(nproc)" -gt 1 ] || skip "one core only"
    # On a busy node its second thread may get no core: then there is nothing to notice.
    for _ in 1 2 3; do
        meddled two_at_once taskset -apc "$(taskset -pc $$ | sed 's/.*: //')"
        [ "$status" = 0 ] || break
    done
    assert_failure
    assert_output --partial 'it ran on more cores than it was given'
}

@test "redteam: the neighbour is as it was" {
    local pid
    pid=$(<neighbour)
    run awk '/^State/ { print $2 }' "/proc/$pid/status"
    assert_output S
    assert_equal "$(awk '/open files/ { print $4 }' "/proc/$pid/limits")" "$(ulimit -n)"
    assert_equal "$(awk '/^Cpus_allowed_list/ { print $2 }' "/proc/$pid/status")" \
        "$(awk '/^Cpus_allowed_list/ { print $2 }' /proc/self/status)"
    assert_equal "$(stat -c %a secret/home)" 700
}

# Those of the runs of mpi_ports would be used up for a minute.
@test "redteam: the ports of the node are free" {
    run awk '/^TCP:/ { print ($7 < 20000 ? "free" : "used up") }' /proc/net/sockstat
    assert_output free
}

@test "redteam: nothing is left behind" {
    run traces
    assert_output "$(<traces.before)"
    run strays
    assert_output ''
}

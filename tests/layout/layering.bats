#!/usr/bin/env bats
# Includes point downward only. What a directory may include:

load ../helpers/common

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || exit 1
}

allowed() { # ROOM -> the rooms it may include from
    case $1 in
    base) echo "base" ;;
    abi) echo "abi" ;;
    kernel) echo "kernel base abi" ;;
    model) echo "model kernel base" ;;
    rundir) echo "rundir model base" ;;
    plan) echo "plan rundir model base" ;;
    gradebook) echo "gradebook base" ;;
    import) echo "import gradebook plan model base" ;;
    execute) echo "execute rundir model base" ;;
    slurm) echo "slurm execute rundir model base" ;;
    report) echo "report rundir model kernel base" ;;
    pages) echo "pages report rundir model kernel base" ;;
    export) echo "export gradebook report rundir model base" ;;
    verify) echo "verify report rundir model base" ;;
    history) echo "history report rundir model kernel base" ;;
    cmd) echo "cmd verify pages history export report import gradebook plan execute slurm rundir model kernel base" ;;
    supervise) echo "supervise model kernel base abi" ;;
    build) echo "build supervise model base" ;;
    measure) echo "measure build supervise rundir model kernel base" ;;
    proctor) echo "proctor measure build supervise rundir model base" ;;
    driver) echo "driver abi" ;;
    esac
}

# Print every include of a tree's sources that points upward or sideways. One program for all: a
# loop of the shell over all includes takes ten seconds.
violations() { # TREE
    (
        cd "$1" || return
        local room
        for room in */; do echo "room ${room%/} $(allowed "${room%/}")"; done
        find . -type f -printf 'file %P\n'
        grep -rE '^#include "[^"]+"' --include='*.[ch]' --include='*.def' . |
            sed -E 's|^\./([^:]+):#include "([^"]+)".*|include \1 \2|' | sort
    ) | awk '$1 == "room" { for (i = 3; i <= NF; i++) may[$2, $i] }
        $1 == "file" { there[$2] }
        $1 == "include" {
            split($2, from, "/")
            split($3, to, "/")
            if (!($3 in there))
                print $2 ": includes " $3 ", which does not exist here"
            else if (!((from[1], to[1]) in may))
                print $2 ": " from[1] " must not include " $3
        }'
}

# Headers that include each other in a circle, through any number of steps.
circles() { # TREE
    (
        cd "$1" || return
        grep -rnoE '^#include "[^"]+"' --include='*.h' . |
            sed -E 's|^\./([^:]+):[0-9]+:#include "([^"]+)"|\1 \2|' | tsort 2>&1 >/dev/null |
            grep -v '^tsort: -: input contains a loop'
        true
    )
}

# Objects that need symbols of each other in a circle, through any number of steps: for each circle
# a line "a circle:" and its objects. Only objects with a source count: the build may hold older ones.
object_circles() { # DIRECTORY-OF-SOURCES DIRECTORY-OF-OBJECTS
    local objects
    mapfile -t objects < <(cd "$1" && find . -name '*.c' -not -path './driver/*' | sort |
        sed -E 's|^\./(.*)\.c$|\1.o|')
    (
        cd "$2" || return
        nm -P -A -g "${objects[@]}" | sed -E 's/^([^ ]+): /\1 /' >"$BATS_TEST_TMPDIR/symbols"
    )
    join <(awk '$3 ~ /[Uvw]/ { print $2, $1 }' "$BATS_TEST_TMPDIR/symbols" | sort) \
        <(awk '$3 !~ /[Uvw]/ { print $2, $1 }' "$BATS_TEST_TMPDIR/symbols" | sort) |
        awk '{ print $2, $3 }' | tsort 2>&1 >/dev/null | sed 's/^tsort: //; s/^-: input contains a loop/a circle/'
}

@test "every include points downward" {
    run violations grader
    [ -z "$output" ] || { echo "$output"; false; }
}

@test "no two headers include each other" {
    run circles grader
    [ -z "$output" ] || { echo "$output"; false; }
}

@test "no two files need each other" {
    run object_circles grader "${PARAGRADE_BUILD:-build}/obj/grader"
    [ -z "$output" ] || { echo "$output"; false; }
}

@test "the check finds what it looks for" {
    local tree=$BATS_TEST_TMPDIR/grader
    cp -r grader "$tree"
    echo '#include "measure/harness.h"' >>"$tree/base/err.c"
    echo '#include "driver/driver.h"' >>"$tree/report/score.c"
    run violations "$tree"
    [[ $output == *"base/err.c: base must not include measure/harness.h"* ]]
    [[ $output == *"report/score.c: report must not include driver/driver.h"* ]]
    echo '#include "base/fsio.h"' >>"$tree/base/err.h"
    echo '#include "base/nowhere.h"' >>"$tree/base/err.c"
    run violations "$tree"
    [[ $output == *"base/err.c: includes base/nowhere.h, which does not exist here"* ]]
    run circles "$tree"
    [ -n "$output" ]
}

@test "the check of objects finds circles, and nothing else" {
    local name
    cd "$BATS_TEST_TMPDIR" && mkdir sources
    echo 'int b(void); int a(void) { return b(); }' >sources/a.c
    echo 'int c(void); int b(void) { return c(); }' >sources/b.c
    echo 'int c(void) { return 0; }' >sources/c.c
    for name in a b c; do gcc -c -o "sources/$name.o" "sources/$name.c"; done
    run object_circles sources sources
    [ -z "$output" ] || { echo "$output"; false; }
    echo 'int a(void); int c(void) { return a(); }' >sources/c.c
    gcc -c -o sources/c.o sources/c.c
    run object_circles sources sources
    for name in a b c; do [[ $output == *"$name.o"* ]] || { echo "$output"; false; }; done
}

sql_users() { # TREE
    grep -rlE 'sqlite3_|"[^"]*\bSELECT\b' "$1" --include='*.[ch]' | grep -v '/history/'
}

@test "SQL stands in history/ alone" {
    run sql_users grader
    assert_output ''
    mkdir "$BATS_TEST_TMPDIR/cmd"
    echo 'static const char *ask = "SELECT 1";' >"$BATS_TEST_TMPDIR/cmd/a.c"
    run sql_users "$BATS_TEST_TMPDIR"
    assert_output "$BATS_TEST_TMPDIR/cmd/a.c"
}

@test "every command has its line, its file and its tests" {
    local name
    for name in $(command_names); do
        [ -f "grader/cmd/$name.c" ] || { echo "no grader/cmd/$name.c"; false; }
        [ -f "tests/cli/$name.bats" ] || { echo "no tests/cli/$name.bats"; false; }
    done
}

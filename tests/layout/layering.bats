#!/usr/bin/env bats
# Includes point downward only. What a directory may include:

load ../helpers/common

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || exit 1
}

allowed() { # DIRECTORY -> the directories it may include from
    case $1 in
    abi) echo "abi" ;;
    base) echo "base" ;;
    model) echo "model base" ;;
    kernel) echo "kernel model base abi" ;;
    proctor) echo "proctor kernel model base abi" ;;
    driver) echo "driver abi" ;;
    stage) echo "stage kernel model base" ;;
    esac
}

# Print every include of a tree's sources that points upward or sideways.
violations() { # TREE
    local f dir inc target
    for f in $(cd "$1" && find . -name '*.[ch]' -o -name '*.def' | sort); do
        f=${f#./}
        case $f in */*) dir=${f%%/*} ;; *) dir=stage ;; esac
        while IFS= read -r inc; do
            case $inc in */*) target=${inc%%/*} ;; *) target=stage ;; esac
            [ -e "$1/$inc" ] || { echo "$f: includes $inc, which does not exist here"; continue; }
            case " $(allowed "$dir") " in
            *" $target "*) ;;
            *) echo "$f: $dir must not include $inc" ;;
            esac
            case $inc in cmd_*) echo "$f: nobody includes a command" ;; esac
        done < <(sed -nE 's/^#include "([^"]+)".*/\1/p' "$1/$f")
    done
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

@test "every include points downward" {
    run violations grader
    [ -z "$output" ] || { echo "$output"; false; }
}

@test "no two headers include each other" {
    run circles grader
    [ -z "$output" ] || { echo "$output"; false; }
}

@test "the check finds what it looks for" {
    local tree=$BATS_TEST_TMPDIR/grader
    cp -r grader "$tree"
    echo '#include "proctor/stand.h"' >>"$tree/base/err.c"
    echo '#include "driver/driver.h"' >>"$tree/score.c"
    run violations "$tree"
    [[ $output == *"base/err.c: base must not include proctor/stand.h"* ]]
    [[ $output == *"score.c: stage must not include driver/driver.h"* ]]
    echo '#include "base/fsio.h"' >>"$tree/base/err.h"
    run circles "$tree"
    [ -n "$output" ]
}

@test "every command has its line, its file and its tests" {
    local name
    for name in $(command_names); do
        [ -f "grader/cmd_$name.c" ] || { echo "no grader/cmd_$name.c"; false; }
        [ -f "tests/cli/$name.bats" ] || { echo "no tests/cli/$name.bats"; false; }
    done
}

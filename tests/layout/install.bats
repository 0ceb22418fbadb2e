#!/usr/bin/env bats
# What `make install` puts where, what its pages name, and that `make uninstall` takes all of it away.

load ../helpers/common

setup_file() {
    export TREE=$BATS_FILE_TMPDIR/stage SHARE=$BATS_FILE_TMPDIR/stage/opt/pg/share/paragrade
    make_here install >/dev/null
}

make_here() { # TARGET
    make -s -C "$REPO" "$1" B="${PARAGRADE_BUILD:-build}" DESTDIR="$TREE" PREFIX=/opt/pg
}

pages() { find "$SHARE" -name '*.md' | sort; }

# Targets of links in the pages that are not installed.
dead_links() {
    local page target
    pages | while IFS= read -r page; do
        grep -oE '\]\([^) ]+\)' "$page" | sed -E 's/^\]\(//; s/\)$//; s/#.*//' |
            while IFS= read -r target; do
                case $target in '' | http*) continue ;; esac
                [ -e "$(dirname "$page")/$target" ] || echo "${page#"$SHARE"/}: $target"
            done
    done
}

# Paths from the root of the source tree that are not installed.
dead_paths() {
    local page path
    { pages && find "$SHARE/testcases" "$SHARE/student_impls" "$TREE/opt/pg/share/man" -type f; } |
        while IFS= read -r page; do
            sed 's/\\-/-/g' "$page" |
                grep -oE '\b(grader|tests|testcases|reference|student_impls|sbatch|docs)/[a-zA-Z0-9_./-]*[a-zA-Z0-9_]' |
                while IFS= read -r path; do
                    [ -e "$SHARE/$path" ] || echo "${page#"$TREE"}: $path"
                done
        done
}

@test "install: programs, header, manual page, pages, and every assignment that comes with the source" {
    local file
    for file in bin/paragrade libexec/paragrade/proctor libexec/paragrade/driver-cpu share/bash-completion/completions/paragrade share/zsh/site-functions/_paragrade \
        include/paragrade/gemm.h share/man/man1/paragrade.1 share/paragrade/docs/student.md \
        share/paragrade/sbatch/unit.sbatch share/paragrade/student_impls/template/simd.c; do
        [ -e "$TREE/opt/pg/$file" ] || fail "$file is not installed"
    done
    while IFS= read -r file; do
        [ -e "$SHARE/$file" ] || fail "$file is not installed"
    done < <(cd "$REPO" && git ls-files 'testcases/*.yaml' 'reference/*')
}

@test "install: a manual page for each command, with its name, its summary and its synopsis" {
    local name page
    for name in $(command_names); do
        page=$TREE/opt/pg/share/man/man1/paragrade-$name.1
        run -0 bash -c "man --warnings -l '$page' 2>&1 >/dev/null"
        refute_output
        run -0 grep -A1 '^.SH NAME' "$page"
        assert_line --regexp "^paragrade-$name .. [a-z]+ "
        grep -A1 '^.SH SYNOPSIS' "$page" | grep -q "^.B paragrade $name" || fail "$page has no synopsis"
    done
}

@test "install: every installed assignment can be read, and finds its reference" {
    local file
    while IFS= read -r file; do
        run -0 "$TREE/opt/pg/bin/paragrade" cases "$file"
    done < <(find "$SHARE/testcases" -name '*.yaml' -not -path '*/kernel/*') # those are kernel files
}

@test "install: pages, examples and the manual page name only what is installed" {
    run dead_links
    refute_output
    run dead_paths
    refute_output
}

@test "uninstall: nothing stays that install put there, and everything else does" {
    mkdir -p "$TREE/opt/pg/share/man/man1"
    echo mine >"$TREE/opt/pg/share/man/man1/other.1"
    run -0 make_here uninstall
    run find "$TREE" ! -type d
    assert_output "$TREE/opt/pg/share/man/man1/other.1"
    rm "$TREE/opt/pg/share/man/man1/other.1"
    run -0 make_here install
    run -0 make_here uninstall
    run find "$TREE/opt/pg"
    assert_output --partial 'No such file'
    run -0 bash -c "make -C '$REPO' help | grep 'make uninstall'"
}

@test "install: a unit test asks for the package that only tests need" {
    mkdir -p "$BATS_TEST_TMPDIR/bin"
    cd "$BATS_TEST_TMPDIR/bin" || exit 1
    printf '#!/bin/sh\ncase "$*" in *cmocka*) exit 1 ;; esac\necho installed\n' >dpkg-query
    # shellcheck disable=SC2016
    printf '#!/bin/sh\n[ "$1" != -n ] || shift\nexec "$@"\n' >sudo
    printf '#!/bin/sh\nexit 0\n' >apt-get
    chmod +x ./*
    PATH=$PWD:$PATH run -0 make -n -C "$REPO" build/tests/unit/test_outcome
    assert_output --partial '.ci/deps unit'
    PATH=$PWD:$PATH run -0 "$REPO/.ci/deps" unit
    assert_output 'installing: libcmocka-dev'
}

@test "install: a compiler that warns of more than ours builds it, too" {
    local b=$BATS_TEST_TMPDIR/build
    run -0 --separate-stderr env -u WERROR make -C "$REPO" B="$b" CFLAGS=-Wc++-compat "$b/obj/grader/base/strbuf.o"
    # shellcheck disable=SC2154
    [[ $stderr == *warning:*-Wc++-compat* ]] || fail "no warning: $stderr"
}

@test "install: gcc 11 builds it, too: no builtin function that only later ones have" {
    run -1 grep -rnE '__builtin_(shufflevector|dynamic_object_size|assoc_barrier)' "$REPO/grader" "$REPO/reference"
}

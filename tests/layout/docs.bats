#!/usr/bin/env bats
# shellcheck disable=SC2016,SC2094 # backquotes are text here; pages are only read
# The pages are few and short, name files and headings that exist, and explain every verdict.

load ../helpers/common

setup() {
    cd "$REPO" || exit 1
}

pages() { find . -name '*.md' -not -path './build/*' -not -path './reports/*/*' | sort; }

# Targets of links in a page that do not exist.
dead_links() { # PAGE
    local target
    tr '\n' ' ' <"$1" | grep -oE '\]\([^) ]+\)' | sed -E 's/^\]\(//; s/\)$//; s/#.*//' |
        while IFS= read -r target; do
            case $target in '' | http*) continue ;; esac
            [ -e "$(dirname "$1")/$target" ] || echo "$1: $target"
        done
}

# Files in backquotes that do not exist: from the root of the repository or, in some pages, from
# grader/. A * stands for any name; NAME and KIND for a file that is to be added. /etc is the user's.
dead_files() { # PAGE
    local file
    grep -oE '`[a-zA-Z0-9_.*/-]+/[a-zA-Z0-9_.*-]+\.(c|h|def|bats|sbatch|yaml)`' "$1" | tr -d '\`' |
        grep -vE 'NAME|KIND|^/etc/' | while IFS= read -r file; do
        compgen -G "$file" >/dev/null || compgen -G "grader/$file" >/dev/null || echo "$1: $file"
    done
}

# Links of a page to a heading that is not there. Headings become anchors as GitHub makes them.
dead_headings() { # PAGE
    local link page
    tr '\n' ' ' <"$1" | grep -oE '\]\([^) ]*#[^) ]+\)' | sed -E 's/^\]\(//; s/\)$//' | while IFS= read -r link; do
        page=$1
        case $link in http*) continue ;; '#'*) ;; *) page=$(dirname "$1")/${link%%#*} ;; esac
        sed -nE 's/^#+ //p' "$page" | tr '[:upper:] ' '[:lower:]-' | sed 's/[^a-z0-9_-]//g' |
            grep -qxF -- "${link#*#}" || echo "$1: $link"
    done
}

# A page whose first use of the word yardstick, outside of code, does not say where it is explained.
unexplained_yardstick() { # PAGE
    local first
    first=$(awk '/^ *```/ { code = !code; next } !code && !/^    /' "$1" | sed 's/`[^`]*`//g' | grep -im1 yardstick) || return 0
    case $first in *'[yardstick'*'](student.md#words)'*) ;; *) echo "$1: $first" ;; esac
}

@test "docs: few and short pages" {
    [ "$(find docs -name '*.md' | wc -l)" -le 24 ]
    [ "$(cat docs/*.md README.md | wc -w)" -le 30000 ]
    [ "$(wc -l <README.md)" -le 100 ]
    run awk 'FNR == 151 { print FILENAME }' docs/*.md
    assert_output ''
}

@test "docs: the first command for a student and for an instructor stands at the top" {
    run awk 'FNR <= 5 && /^    paragrade |^    cp / { print FILENAME; nextfile }' docs/student.md docs/instructor.md
    assert_output "docs/student.md
docs/instructor.md"
}

@test "docs: every link to a heading leads to one" {
    run bash -c "$(declare -f pages dead_headings); pages | while read -r p; do dead_headings \"\$p\"; done"
    assert_output ''
}

@test "docs: a page that uses the word yardstick says where it is explained" {
    run bash -c "$(declare -f unexplained_yardstick); for p in docs/*.md; do [ \$p = docs/student.md ] || unexplained_yardstick \$p; done"
    assert_output ''
}

@test "docs: every link in a page leads to a file" {
    run bash -c "$(declare -f pages dead_links); pages | while read -r p; do dead_links \"\$p\"; done"
    assert_output ''
}

@test "docs: every source file that a page names exists" {
    run bash -c "$(declare -f pages dead_files); pages | while read -r p; do dead_files \"\$p\"; done"
    assert_output ''
}

@test "docs: every verdict is explained in docs/verdicts.md" {
    local name
    while IFS= read -r name; do
        grep -q "^| \`$name\` " docs/verdicts.md || fail "docs/verdicts.md lacks $name"
    done < <(sed -nE 's/^VERDICT\([A-Z_]+, "([a-z-]*)", "[a-z]*", FAULT_.*/\1/p' grader/model/verdict.def)
}

@test "docs: the checks find what they look for" {
    printf '[a](nowhere.md) and [b](page.md)\n`grader/base/nothing.c` and `base/err.c`\n' \
        >"$BATS_TEST_TMPDIR/page.md"
    run dead_links "$BATS_TEST_TMPDIR/page.md"
    assert_output "$BATS_TEST_TMPDIR/page.md: nowhere.md"
    run dead_files "$BATS_TEST_TMPDIR/page.md"
    assert_output "$BATS_TEST_TMPDIR/page.md: grader/base/nothing.c"
    printf '# A `b`, c\n\nThe yardstick. [a](#a-b-c) [d](page.md#d)\n' >"$BATS_TEST_TMPDIR/page.md"
    run dead_headings "$BATS_TEST_TMPDIR/page.md"
    assert_output "$BATS_TEST_TMPDIR/page.md: page.md#d"
    run unexplained_yardstick "$BATS_TEST_TMPDIR/page.md"
    assert_output --partial 'The yardstick.'
}

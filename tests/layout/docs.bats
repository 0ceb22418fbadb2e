#!/usr/bin/env bats
# shellcheck disable=SC2016,SC2094 # backquotes are text here; pages are only read
# The pages name files that exist, and explain every verdict.

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
    done < <(sed -nE 's/^VERDICT\([A-Z_]+, "(.*)", FAULT_.*/\1/p' grader/model/verdict.def)
}

@test "docs: the checks find what they look for" {
    printf '[a](nowhere.md) and [b](page.md)\n`grader/base/nothing.c` and `base/err.c`\n' \
        >"$BATS_TEST_TMPDIR/page.md"
    run dead_links "$BATS_TEST_TMPDIR/page.md"
    assert_output "$BATS_TEST_TMPDIR/page.md: nowhere.md"
    run dead_files "$BATS_TEST_TMPDIR/page.md"
    assert_output "$BATS_TEST_TMPDIR/page.md: grader/base/nothing.c"
}

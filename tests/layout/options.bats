#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016,SC2028,SC2046 # run sets output; dollars are awk's; words are wanted
# grader/cmd/options.def has one row an option: whatever people and programs are told about options
# follows from the rows, and no other file lists any.

load ../helpers/common

MANUAL=${PARAGRADE%/bin/*}/man/paragrade.1

setup() { cd "$REPO" || exit 1; }

# "COMMAND --NAME" or "COMMAND --NAME=" of every row that people are told about, sorted. on_NAME may
# stand for several commands (option_rows.c).
rows() {
    awk 'function say(on, i, part, parts) {
            if (!(on in several)) {
                print substr(on, 4) " --" name end
                return
            }
            parts = split(several[on], part, / [|] /)
            for (i = 1; i <= parts; i++) say(part[i])
        }
        FNR == NR {
            for (text = $0; match(text, /on_[a-z_]+ = [a-z_ |]*[a-z]/); text = substr(text, RSTART + RLENGTH)) {
                split(substr(text, RSTART, RLENGTH), is, " = ")
                several[is[1]] = is[2]
            }
            next
        }
        /^"/ && !/NULL\)/ {
            split($0, quoted, "\"")
            name = quoted[2]
            end = $0 ~ /^"[a-z-]+", [^,]+, NULL,/ ? "" : "="
            for (text = $0; match(text, /on_[a-z_]+/); text = substr(text, RSTART + RLENGTH))
                say(substr(text, RSTART, RLENGTH))
        }' grader/cmd/option_rows.c RS='\n(OPTION|AGAIN)[(]' grader/cmd/options.def | sort
}

# The same, as help, manual page, completion and parsing have it.
in_help() {
    for c in $(command_names); do
        "$PARAGRADE" help "$c" | grep -oE '^  (-[a-z], )?--[a-z-]+( [A-Z][^ ]*)?' |
            sed -E "s/^.*--/$c --/; s/ [A-Z][^ ]*\$/=/"
    done | sort
}

in_manual() {
    for c in $(command_names); do
        awk -v command="$c" -f docs/command-page.awk "$MANUAL" | sed -n '/^\.SH OPTIONS/,$p' |
            grep -A1 '^\.TP' | tr -d \\\\ | sed -nE "s/^(fB-[a-z]fR, )?fB(--[a-z-]+)fR/$c \2/p" |
            sed 's/ fI.*/=/'
    done | sort
}

in_completion() {
    for c in $(command_names); do
        "$PARAGRADE" "$c" --list-options | grep '^--' | grep -vx -- --help | sed "s/^/$c /"
    done | sort
}

in_parsing() {
    rows | while read -r c option; do
        case $option in
        *=) said='needs a value' words=${option%=} ;;
        *) said='takes no value' words=$option=x ;;
        esac
        "$PARAGRADE" "$c" "$words" 2>&1 | grep -qx "paragrade $c: ${option%=} $said" && echo "$c $option"
    done
}

# The places that list an option, in the sources: FILE:LINE.
places() { # DIRECTORY
    (
        cd "$1" || exit 1
        grep -HnE '^(OPTION|AGAIN)\("' grader/cmd/*.def
        grep -nE '\{"[a-z-]+", (no|required)_argument|"  (-[a-z], )?--[a-z-]+ ' grader/cmd/*.[ch] |
            grep -vE '^grader/cmd/main\.c:|"help"' # of the program itself
        awk '/^\.TP/ {term = 1; next} term && /\\-/ {print FILENAME ":" FNR} {term = 0}' docs/paragrade.1.in
    ) | cut -d: -f1,2
}

@test "options: a row of options.def is all that lists an option" {
    [ "$(rows | wc -l)" -gt 150 ]
    run places .
    assert_equal "$(grep -v '^grader/cmd/options\.def:' <<<"$output")" ''
    assert_equal "$(grep -c '^grader/cmd/options\.def:' <<<"$output")" \
        "$(grep -cE '^(OPTION|AGAIN)' grader/cmd/options.def)"
}

@test "options: help, manual page, completion and parsing have every row, and nothing else" {
    rows >"$BATS_TEST_TMPDIR/rows"
    assert_equal "$(uniq -d "$BATS_TEST_TMPDIR/rows")" ''
    for list in in_help in_manual in_completion in_parsing; do
        run diff "$BATS_TEST_TMPDIR/rows" <($list)
        assert_equal "$list: $output" "$list: "
    done
}

@test "options: a letter means the same wherever a command has the option" {
    run bash -c 'for c; do "$PARAGRADE" help "$c"; done | grep -oE "^  (-[a-z], )?--(assignment|profile|tier) " | sort -u' \
        - $(command_names)
    assert_output "  -a, --assignment 
  -p, --profile 
  -t, --tier "
}

@test "options: a page names every option, by name or by letter" {
    sed -nE 's/^(OPTION|AGAIN)\("([a-z-]+)", (0|.(.).), .*/\2 \4/p' grader/cmd/options.def | grep -v '^from-job' |
        sort -u | while read -r name letter; do
        grep -qE -- "--$name\b${letter:+|(^|[\` ])-$letter\b}" docs/*.md README.md || echo "--$name"
    done >"$BATS_TEST_TMPDIR/unnamed"
    assert_equal "$(cat "$BATS_TEST_TMPDIR/unnamed")" ''
}

@test "options: pages give a command only options that it has" {
    run places_without docs/*.md README.md
    assert_output ''
    echo 'paragrade check --nothing x' >"$BATS_TEST_TMPDIR/page.md"
    run places_without "$BATS_TEST_TMPDIR/page.md"
    assert_output --partial 'check --nothing'
}

# "COMMAND --NAME" in pages, where the command has no such option.
places_without() { # PAGE...
    local command option
    rows | tr -d = >"$BATS_TEST_TMPDIR/all"
    grep -ohE "paragrade ($(command_names | paste -sd'|')) [^|#\`;&>]*" "$@" |
        while read -r _ command rest; do
            grep -oE '(^| )--[a-z-]+' <<<"$rest" | while read -r option; do
                grep -qx -- "$command $option" "$BATS_TEST_TMPDIR/all" || echo "$command $option"
            done
        done
}

@test "options: the check sees a second list" {
    mkdir -p "$BATS_TEST_TMPDIR"/{grader/cmd,docs}
    echo 'OPTION("json", 0' >"$BATS_TEST_TMPDIR/grader/cmd/z.def"
    echo '    {"json", no_argument, NULL, 1},' >"$BATS_TEST_TMPDIR/grader/cmd/a.h"
    echo '    "  -q, --quiet         no progress\n"' >"$BATS_TEST_TMPDIR/grader/cmd/b.c"
    printf '.TP\n.BI \-\-size " N"\n' >"$BATS_TEST_TMPDIR/docs/paragrade.1.in"
    run places "$BATS_TEST_TMPDIR"
    assert_output 'grader/cmd/z.def:1
grader/cmd/a.h:1
grader/cmd/b.c:1
docs/paragrade.1.in:2'
}

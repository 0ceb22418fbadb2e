#!/usr/bin/env bats

load ../helpers/common

MANUAL=${PARAGRADE%/bin/*}/man/paragrade.1

setup() { cd "$BATS_TEST_TMPDIR" || exit 1; }

@test "help: the overview names every command, for whom it is, in short lines" {
    run -0 "$PARAGRADE" --help
    for name in $(command_names); do
        assert_line --regexp "^  $name +[a-z]"
    done
    [ "$(wc -L <<<"$output")" -le 80 ]
    run awk '/^for /{user = $2} /^  (check|grade|nightly) /{print $1, user}' <<<"$output"
    assert_output "check students:
grade instructors:
nightly administrators:"
}

@test "help: every command explains itself, however it is asked" {
    for name in $(command_names); do
        run -0 "$PARAGRADE" help "$name"
        assert_line --index 0 --partial "usage: paragrade $name"
        local text=$output
        for option in --help -h; do
            run -0 "$PARAGRADE" "$name" $option
            assert_equal "$output" "$text"
            run -0 "$PARAGRADE" $option "$name"
            assert_equal "$output" "$text"
        done
    done
}

@test "help: no line is wider than 80 columns, on a terminal and elsewhere" {
    for name in '' $(command_names); do
        [ "$("$PARAGRADE" help ${name:+"$name"} | wc -L)" -le 80 ] || fail "$name"
        script -qc "stty cols 80; '$PARAGRADE' help $name" /dev/null </dev/null | tr -d '\r' >screen.txt
        [ "$(wc -L <screen.txt)" -le 80 ] || fail "$(cat screen.txt)"
        grep -q '^usage: ' screen.txt
    done
}

@test "help: the manual page names every command" {
    for name in $(command_names); do
        grep -q "^\.B $name" "$MANUAL" || fail "the manual page lacks $name"
    done
    run -0 bash -c "man --warnings -l '$MANUAL' 2>&1 >/dev/null"
    refute_output
}

@test "help: version" {
    run -0 "$PARAGRADE" --version
    assert_output --regexp '^paragrade [0-9]+\.[0-9]+\.[0-9]+$'
    local text=$output
    run -0 "$PARAGRADE" -V
    assert_output "$text"
}

@test "help: what cannot be understood ends with 2 and says what to do" {
    run -2 "$PARAGRADE"
    run -2 "$PARAGRADE" gradee
    assert_output "paragrade: there is no command 'gradee'; did you mean 'grade'?"
    run -2 "$PARAGRADE" frobnicate
    assert_output --partial "--help"
    run -2 "$PARAGRADE" --nonsense
    run -2 "$PARAGRADE" help gradee
    run -2 "$PARAGRADE" --color=sometimes cases x
}

@test "help: an option that does not exist, is cut short or lacks its value" {
    local words says
    while IFS='|' read -r words says; do
        # shellcheck disable=SC2086
        run -2 "$PARAGRADE" $words
        assert_line --index 0 "paragrade ${words%% *}: $says"
        assert_line --index 1 --partial "usage: paragrade ${words%% *}"
        assert_line "More: paragrade help ${words%% *}"
    done <<'TABLE'
grade --assigment x y|there is no option --assigment; did you mean --assignment?
grade --assigment=x y|there is no option --assigment; did you mean --assignment?
grade --slurn y|there is no option --slurn; did you mean --slurm?
check --unprotect3d y|there is no option --unprotect3d; did you mean --unprotected?
grade --seed-fil3 y|there is no option --seed-fil3; did you mean --seed-file?
grade --re x|--re may be any of --reports, --reference
report --xyz r|there is no option --xyz
check -z y|there is no option -z
check y --tier|--tier needs a value
check y -t|-t needs a value
check --full=yes y|--full takes no value
TABLE
}

@test "help: a full disk behind stdout is noticed" {
    run -1 bash -c "'$PARAGRADE' --help >/dev/full"
    assert_output --partial "standard output"
}

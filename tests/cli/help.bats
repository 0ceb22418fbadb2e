#!/usr/bin/env bats

load ../helpers/common

@test "help: the overview names every command" {
    run -0 "$PARAGRADE" --help
    for name in $(command_names); do
        assert_line --regexp "^  $name +[a-z]"
    done
}

@test "help: every command explains itself, both ways of asking" {
    for name in $(command_names); do
        run -0 "$PARAGRADE" help "$name"
        assert_line --index 0 --partial "usage: paragrade $name"
        local text=$output
        run -0 "$PARAGRADE" "$name" --help
        assert_equal "$output" "$text"
    done
}

@test "help: the manual page names every command" {
    for name in $(command_names); do
        grep -q "^\.B $name" "$REPO/docs/paragrade.1" || fail "docs/paragrade.1 lacks $name"
    done
    run -0 bash -c "man --warnings -l '$REPO/docs/paragrade.1' 2>&1 >/dev/null"
    refute_output
}

@test "help: version" {
    run -0 "$PARAGRADE" --version
    assert_output --regexp '^paragrade [0-9]+\.[0-9]+\.[0-9]+$'
}

@test "help: what cannot be understood ends with 2 and says what to do" {
    run -2 "$PARAGRADE"
    run -2 "$PARAGRADE" gradee
    assert_output --partial "--help"
    run -2 "$PARAGRADE" --nonsense
    run -2 "$PARAGRADE" help gradee
    run -2 "$PARAGRADE" --color=sometimes cases x
}

@test "help: a full disk behind stdout is noticed" {
    run -1 bash -c "'$PARAGRADE' --help >/dev/full"
    assert_output --partial "standard output"
}

#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# paragrade completion, tried in the shells themselves.

setup() {
    load ../helpers/common
    cd "$BATS_TEST_TMPDIR" || exit 1
    mkdir -p reports/demo-1 reports/demo-2
}

# What bash offers for a command line; the last word is the one that is completed.
offers() { # WORD...
    bash --norc -c '
        source <("$0" completion bash)
        COMP_WORDS=("$0" "$@") COMP_CWORD=$#
        _paragrade
        printf "%s\n" "${COMPREPLY[@]}" | sort' "$PARAGRADE" "$@"
}

@test "completion: wrong arguments" {
    run -2 "$PARAGRADE" completion
    run -2 "$PARAGRADE" completion fish
    assert_output --partial 'Give bash or zsh'
}

@test "completion: bash offers every command" {
    run -0 offers ''
    for name in $(command_names); do assert_line "$name"; done
    run -0 offers re
    assert_output "$(command_names | grep '^re' | sort)"
    run -0 offers help ver
    assert_output verify
}

@test "completion: bash offers the options that the program lists" {
    local name
    for name in $(command_names); do
        assert_equal "$(offers "$name" --)" "$("$PARAGRADE" "$name" --list-options | grep '^--' | sort)"
    done
    run -0 offers resume --
    assert_line --partition=
    refute_line --from-job
}

@test "completion: runs, where a run is wanted" {
    run -0 offers status d
    assert_output "$(printf 'demo-1\ndemo-2')"
    run -0 offers grade d
    assert_output ''
}

@test "completion: zsh accepts the script" {
    command -v zsh >/dev/null || skip 'needs zsh'
    run -0 "$PARAGRADE" completion zsh
    assert_line --index 0 '#compdef paragrade'
    run -0 zsh -fc 'autoload -U compinit; compinit -D; source <("$0" completion zsh); print $_comps[paragrade]' "$PARAGRADE"
    assert_output _paragrade
}

#!/usr/bin/env bats
# shellcheck disable=SC2154,SC2016
# paragrade completion, tried in the shells themselves.

setup() {
    load ../helpers/common
    cd "$BATS_TEST_TMPDIR" || exit 1
    mkdir -p reports/demo-1 reports/demo-2 reports/nothing
    touch reports/demo-{1,2}/plan.json
    export TMPDIR=$BATS_TEST_TMPDIR
}

# Each line as it is after TAB, in an interactive zsh.
completed() { # LINE...
    zsh -fc '
        zmodload zsh/zpty
        zpty z "TERM=dumb PS1= zsh -fi"
        zpty -w z "autoload -Uz compinit; compinit -D -u; path+=(${PARAGRADE:h}); source <(paragrade completion zsh)"
        zpty -w z "show() { zle complete-word; print -r \"@\"\"@\$BUFFER@\"\"@\"; BUFFER=; }; zle -N show; bindkey ^I show"
        for line; do
            zpty -w -n z "$line"$'"'\\t'"'
            zpty -r z got "*@@*@@*"
            print -r -- ${${got%@@*}##*@@}
        done
        zpty -d z' zsh "$@"
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

@test "completion: values, where an option wants one" {
    load ../helpers/class
    make_class
    "$PARAGRADE" grade -q -a a.yaml --run-id graded subs >/dev/null 2>&1
    cat >>a.yaml <<'YAML'
sweeps:
  - {name: width, tier: simd, axes: [{macro: W, values: [1, 2]}]}
YAML
    export PARAGRADE_ASSIGNMENT=$PWD/a.yaml
    run -0 offers check -t ''
    assert_output "$(printf 'naive\nopenmp\nsimd')"
    run -0 offers check --tier simd,o
    assert_output simd,openmp
    run -0 offers check --tier = s
    assert_output simd
    run -0 offers check --tier =
    assert_output "$(printf 'naive\nopenmp\nsimd')"
    run -0 offers grade -a a.yaml --profile ''
    assert_output quick
    run -0 offers sweep -s w
    assert_output width
    run -0 offers report --student ''
    assert_output "$(printf 'alice\nc%%20d\nreference\nwrong')"
    run -0 offers regrade graded --only wrong.
    assert_output "$(printf 'wrong.naive\nwrong.openmp\nwrong.simd')"
    run -0 offers replay graded alice.
    assert_line alice.simd
    run -0 offers replay al
    assert_line alice.simd
    run -0 offers rehearse --run g
    assert_output graded
    run -0 offers grade --roster ''
    assert_output ''
    run -0 offers completion ''
    assert_output "$(printf 'bash\nzsh')"
    run -0 offers kernel t
    assert_output template
    run -0 offers kernel template a.yaml o
    assert_output openmp
    run -0 offers import --from m
    assert_output moodle

    command -v zsh >/dev/null || skip 'needs zsh'
    touch some_file
    HOME=$PWD run -0 completed 'paragrade regr' 'paragrade help ver' 'paragrade check -t si' 'paragrade check --tier=si' \
        'paragrade check --tier si' 'paragrade check -t simd,o' 'paragrade check -t so' 'paragrade check some' \
        'paragrade check --first' 'paragrade check --ti' 'paragrade replay al' 'paragrade report --student al' \
        'paragrade status gr' 'paragrade kernel te'
    assert_output 'paragrade regrade 
paragrade help verify 
paragrade check -t simd 
paragrade check --tier=simd 
paragrade check --tier simd 
paragrade check -t simd,openmp 
paragrade check -t some_file 
paragrade check some_file 
paragrade check --first-failure 
paragrade check --tier=
paragrade replay alice.
paragrade report --student alice 
paragrade status graded 
paragrade kernel template '
    # In a directory that was checked before, by that assignment; and by one whose name has a tilde or a blank.
    unset PARAGRADE_ASSIGNMENT
    cp a.yaml "my hw.yaml"
    HOME=$PWD run -0 completed 'paragrade check -a ~/a.yaml -t si' "paragrade check -a 'my hw.yaml' -t si"
    assert_line --index 0 'paragrade check -a ~/a.yaml -t simd '
    assert_line --index 1 "paragrade check -a 'my hw.yaml' -t simd "
}

@test "completion: zsh accepts the script" {
    command -v zsh >/dev/null || skip 'needs zsh'
    run -0 "$PARAGRADE" completion zsh
    assert_line --index 0 '#compdef paragrade'
    run -0 zsh -fc 'autoload -U compinit; compinit -D; source <("$0" completion zsh); print $_comps[paragrade]' "$PARAGRADE"
    assert_output _paragrade
}

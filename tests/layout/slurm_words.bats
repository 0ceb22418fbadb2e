#!/usr/bin/env bats
# The words that say where Slurm runs a job are one table, model/slurm_words.def, and rows of the options of
# commands. Other code goes through the table, so that a new word is a row there.

load ../helpers/common

setup() { cd "$REPO" || exit 1; }

words() { sed -nE 's/^(SLURM|ASSIGNMENT)_WORD\(([A-Z]+, )?([a-z]+), .*/\3/p' grader/model/slurm_words.def | paste -sd '|'; }

# Files that name one in code: a member, a string that is nothing else, a setting.
naming() { # TREE
    local words setting
    words=$(words)
    setting=${words^^}
    grep -rH . "$1" --include='*.c' --include='*.h' --include='*.def' | sed -E 's|/\*.*||; /^[^:]*:[ ]*\*/d' |
        grep -E "^[^:]*:.*((->|[.])($words)\b|\*($words);|\"(--)?($words)[\"=]|\bSITE_($setting)\b)" | cut -d: -f1 | sort -u
}

# The files that do: the options; one job for all tiers, on the nodes of a partition; who says which
# partition refuses a job; a rule that compares results is called partition, too; a tier whose launches
# have several GPUs asks for them.
@test "Slurm's words: no other code names one" {
    run naming grader
    assert_output 'grader/cmd/nightly_jobs.c
grader/cmd/options.def
grader/kernel/file_compare.c
grader/model/assignment_fields.c
grader/slurm/send.c'
}

@test "Slurm's words: the check sees a second place" {
    [ "$(words | tr '|' '\n' | wc -l)" -ge 5 ]
    mkdir "$BATS_TEST_TMPDIR/grader"
    cd "$BATS_TEST_TMPDIR" || exit 1
    echo '    r->qos = NULL; /* as Slurm has it */' >grader/a.c
    echo '    push_text(a, "--partition", text);' >grader/b.c
    echo 'const char *s = site.value[SITE_ACCOUNT];' >grader/c.h
    echo 'struct job { const char *constraint; };' >grader/e.h
    echo '    say("no such partition"); /* "partition" */' >grader/d.c
    cd "$REPO" || exit 1
    run naming "$BATS_TEST_TMPDIR/grader"
    assert_output "$(printf '%s\n' "$BATS_TEST_TMPDIR"/grader/{a.c,b.c,c.h,e.h})"
}

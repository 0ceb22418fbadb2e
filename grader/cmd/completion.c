/*
 * Completion in shells. The scripts have the names of the commands. Options and values
 * they ask the program for, when they are wanted (--list-options, --list-values), so they are
 * always those of the program that is there, and of the runs and the assignment that are there.
 */
#include <stdio.h>
#include <string.h>

#include "cmd/options.h"

static const struct command *const commands[] = {
#define COMMAND(name) &cmd_##name,
#include "cmd/commands.def"
#include "cmd/options.h"
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const char bash_script[] =
    "_paragrade() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} "
    "program=${COMP_WORDS[0]/#\\~/$HOME} list before=\n"
    "    local -a so_far=()\n"
    "    COMPREPLY=()\n"
    "    if [ \"$COMP_CWORD\" = 1 ] || { [ \"$command\" = help ] && [ \"$COMP_CWORD\" = 2 ]; }; "
    "then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$_paragrade_commands help --help --version "
    "--color=\" -- \"$word\")\n"
    "        [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace "
    "2>/dev/null\n"
    "        return\n"
    "    fi\n"
    "    [[ $word != = ]] || word=\n"
    "    for list in \"${COMP_WORDS[@]:2:COMP_CWORD-2}\"; do\n"
    "        [[ $list == = ]] || so_far+=(\"$list\")\n"
    "    done\n"
    "    list=$(\"$program\" \"$command\" --list-values \"${so_far[@]}\" 2>/dev/null)\n"
    "    if [[ $word == -* ]]; then\n"
    "        list=$(\"$program\" \"$command\" --list-options 2>/dev/null)\n"
    "    elif [[ $word == *,* ]]; then\n"
    "        before=${word%,*},\n"
    "    fi\n"
    "    local IFS=$'\\n'\n"
    "    mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$list\" -- \"${word##*,}\")\n"
    "    [ \"${#COMPREPLY[@]}\" = 0 ] || compopt +o default 2>/dev/null\n"
    "    [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null\n"
    "}\n"
    "complete -o default -F _paragrade paragrade\n";

static const char zsh_script[] =
    "_paragrade() {\n"
    "    local -a so_far values\n"
    "    if (( CURRENT == 2 )); then\n"
    "        _describe command _paragrade_commands\n"
    "        compadd -- --help --version\n"
    "        compadd -S '' -- --color=\n"
    "        return\n"
    "    elif [[ $words[2] == help ]]; then\n"
    "        (( CURRENT > 3 )) || _describe command _paragrade_commands\n"
    "        return\n"
    "    fi\n"
    "    so_far=(\"${(@Q)words[3,CURRENT-1]}\")\n"
    "    if [[ $words[CURRENT] == --*=* ]]; then\n"
    "        so_far+=(${words[CURRENT]%%=*})\n"
    "        compset -P 1 '*='\n"
    "    elif [[ $words[CURRENT] == -* ]]; then\n"
    "        values=(${(f)\"$(${~words[1]} $words[2] --list-options 2>/dev/null)\"})\n"
    "        compadd -- ${values:#*=}\n"
    "        compadd -S '' -- ${(M)values:#*=}\n"
    "        return\n"
    "    fi\n"
    "    values=(${(f)\"$(${~words[1]} $words[2] --list-values \"${so_far[@]}\" 2>/dev/null)\"})\n"
    "    (( ! $#values )) || compset -P '*,'\n"
    "    compadd -- $values || _files\n"
    "}\n"
    "if [[ $funcstack[1] == _paragrade ]]; then _paragrade \"$@\"; else compdef _paragrade "
    "paragrade; fi\n";

static void print_names(const char *variable)
{
    printf("%s='", variable);
    for (int i = 0; i < COMMAND_COUNT; i++)
        printf("%s%s", i ? " " : "", commands[i]->name);
    puts("'");
}

/* Names and summaries, as _describe wants them. No summary has a quote or a colon in it. */
static void print_described(void)
{
    puts("_paragrade_commands=(");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        printf("    '%s:", commands[i]->name);
        for (const char *p = commands[i]->summary; *p; p++)
            putchar(*p == '\'' || *p == ':' ? ' ' : *p);
        puts("'");
    }
    puts(")");
}

static int run(const struct options *o)
{
    const char *shell = o->operand[0];
    if (strcmp(shell, "bash") == 0) {
        puts("# Completion of paragrade in bash, made by `paragrade completion bash`.");
        print_names("_paragrade_commands");
        fputs(bash_script, stdout);
    } else if (strcmp(shell, "zsh") == 0) {
        puts("#compdef paragrade\n# Completion of paragrade in zsh, made by `paragrade completion "
             "zsh`.");
        print_described();
        fputs(zsh_script, stdout);
    } else {
        return command_usage(&cmd_completion, "%s", cmd_completion.operands);
    }
    return EXIT_OK;
}

const struct command cmd_completion = {
    .name = "completion",
    .usage = "completion bash|zsh",
    .summary = "print the script that completes command lines in a shell",
    .about = "`make install` puts the scripts where both shells look for them. For a shell\n"
             "that does not look there, or a program that is not installed:\n"
             "\n"
             "  source <(paragrade completion bash)\n"
             "  source <(paragrade completion zsh)     after compinit\n",
    .bit = on_completion,
    .least = 1,
    .most = 1,
    .operands = "for which shell? Give bash or zsh",
    .run = run,
};

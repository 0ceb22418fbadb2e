#include "execute/proctor_program.h"

#include <stdlib.h>
#include <string.h>

#include "base/install.h"
#include "base/proc.h"
#include "base/strbuf.h"

char *execute_proctor(void)
{
    const char *fake = getenv("PARAGRADE_PROCTOR");
    return fake && *fake ? xstrdup(fake) : install_path("libexec/paragrade/proctor");
}

char **execute_prefix(const struct site *s, struct err *e)
{
    const char *modules = s->value[SITE_MODULES];
    const char *scratch = s->value[SITE_SCRATCH], *nice = s->value[SITE_NICE];
    struct proc_argv words = {.word = xcalloc(1, sizeof *words.word)};
    if (modules && *modules) {
        char *script = install_share("sbatch/with-modules");
        if (!script) {
            proc_argv_free(words.word);
            err_system(e, "sbatch/with-modules is missing, which loads modules; the installation "
                          "is incomplete (make install)");
            return NULL;
        }
        proc_argv_push(&words, script);
        OWNED_TEXTS char **names = proc_argv_split(modules);
        for (size_t i = 0; names[i]; i++)
            proc_argv_push(&words, xstrdup(names[i]));
        proc_argv_push(&words, xstrdup("--"));
    }
    if (scratch) {
        proc_argv_push(&words, xstrdup("env"));
        proc_argv_push(&words, xasprintf("TMPDIR=%s", scratch));
    }
    if (nice && strcmp(nice, "0") != 0) {
        proc_argv_push(&words, xstrdup("nice"));
        proc_argv_push(&words, xstrdup("-n"));
        proc_argv_push(&words, xstrdup(nice));
    }
    return words.word;
}

char **execute_command(char *const *prefix, const char *const *command)
{
    struct proc_argv words = {.word = xcalloc(1, sizeof *words.word)};
    for (; *prefix; prefix++)
        proc_argv_push(&words, xstrdup(*prefix));
    for (; *command; command++)
        proc_argv_push(&words, xstrdup(*command));
    return words.word;
}

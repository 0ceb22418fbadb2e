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

static char **push(char **words, size_t *n, char *word)
{
    words = xrealloc_array(words, *n + 2, sizeof *words);
    words[(*n)++] = word;
    words[*n] = NULL;
    return words;
}

char **execute_prefix(const struct site *s, struct err *e)
{
    const char *modules = s->value[SITE_MODULES];
    const char *scratch = s->value[SITE_SCRATCH], *nice = s->value[SITE_NICE];
    size_t n = 0;
    char **words = xcalloc(1, sizeof *words);
    if (modules && *modules) {
        char *script = install_share("sbatch/with-modules");
        if (!script) {
            proc_argv_free(words);
            err_system(e, "sbatch/with-modules is missing, which loads modules; the installation "
                          "is incomplete (make install)");
            return NULL;
        }
        words = push(words, &n, script);
        char **names = proc_argv_split(modules);
        for (size_t i = 0; names[i]; i++)
            words = push(words, &n, xstrdup(names[i]));
        proc_argv_free(names);
        words = push(words, &n, xstrdup("--"));
    }
    if (scratch) {
        words = push(words, &n, xstrdup("env"));
        words = push(words, &n, xasprintf("TMPDIR=%s", scratch));
    }
    if (nice && strcmp(nice, "0") != 0) {
        words = push(words, &n, xstrdup("nice"));
        words = push(words, &n, xstrdup("-n"));
        words = push(words, &n, xstrdup(nice));
    }
    return words;
}

char **execute_command(char *const *prefix, const char *const *command)
{
    size_t n = 0;
    char **words = xcalloc(1, sizeof *words);
    for (; *prefix; prefix++)
        words = push(words, &n, xstrdup(*prefix));
    for (; *command; command++)
        words = push(words, &n, xstrdup(*command));
    return words;
}

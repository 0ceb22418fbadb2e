#include "base/compilers.h"

#include <string.h>

#include "base/proc.h"
#include "base/strbuf.h"

enum { VERSION_LIMIT_MS = 10000, VERSION_MOST = 4096 };

static char *compiler_version(char *program, char **env, char *const *prefix)
{
    char version[] = "--version";
    size_t n = 0, words = 0;
    while (prefix && prefix[words])
        words++;
    OWNED char **argv = xcalloc(words + 3, sizeof *argv);
    for (; n < words; n++)
        argv[n] = prefix[n];
    argv[n++] = program;
    argv[n] = version;
    struct proc_spec spec = {
        .argv = argv, .env = env, .output_max = VERSION_MOST, .timeout_ms = VERSION_LIMIT_MS};
    struct proc_result r;
    char *line = NULL;
    if (proc_run(&spec, &r, NULL) == 0) {
        const char *text = r.out.s + strspn(r.out.s, "\n");
        line = xasprintf("%.*s", (int)strcspn(text, "\n"), text);
        proc_result_free(&r);
    }
    return line ? line : xstrdup("");
}

char *compiler_versions(char **argv, char **env, char *const *prefix, const char *step)
{
    struct strbuf all = STRBUF_INIT;
    const char *last = "";
    for (size_t i = 0; argv[i]; i++) {
        if ((i && strcmp(argv[i - 1], step) != 0) || strcmp(argv[i], last) == 0)
            continue;
        OWNED char *version = compiler_version(argv[i], env, prefix);
        strbuf_addf(&all, "%s%s", all.len ? "; " : "", version);
        last = argv[i];
    }
    return strbuf_detach(&all);
}

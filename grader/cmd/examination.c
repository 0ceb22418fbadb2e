#include "cmd/examination.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/proc.h"
#include "base/strbuf.h"

enum { OUTPUT_MOST = 8192 };

void examination_say(struct examination *x, enum examination_state state, const char *detail,
                     const char *meaning)
{
    x->state = state;
    snprintf(x->detail, sizeof x->detail, "%s", detail);
    snprintf(x->meaning, sizeof x->meaning, "%s", state == EXAMINATION_OK ? "" : meaning);
}

char *examination_run(const char *command, int timeout_ms, bool *ended)
{
    OWNED_TEXTS char **argv = proc_argv_split(command);
    struct proc_spec spec = {.argv = argv, .output_max = OUTPUT_MOST, .timeout_ms = timeout_ms};
    struct proc_result r;
    char *line = NULL;
    *ended = false;
    if (proc_run(&spec, &r, NULL) == 0) {
        const char *text = r.out.len ? r.out.s : r.err.s;
        *ended = proc_ok(&r);
        line = xasprintf("%.*s", (int)strcspn(text, "\n"), text);
        proc_result_free(&r);
    }
    return line;
}

char *examination_first_line(const char *command, int timeout_ms)
{
    bool ended;
    char *line = examination_run(command, timeout_ms, &ended);
    if (ended)
        return line;
    free(line);
    return NULL;
}

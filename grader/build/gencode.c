#include "build/gencode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/proc.h"
#include "base/strbuf.h"

enum { ASK_LIMIT_MS = 20000, ARCHITECTURE_TEXT = 16 };

/* The architecture of a compute capability, with the instructions that only this architecture has:
 * "9.0" -> "90a". False when the text is no compute capability. */
static bool architecture_of(const char *capability, char out[ARCHITECTURE_TEXT])
{
    unsigned major, minor;
    int n = 0;
    if (sscanf(capability, "%2u.%1u%n", &major, &minor, &n) != 2 || major < 1 || major > 99 ||
        minor > 9 || capability[n + (capability[n] == '\n')] != '\0')
        return false;
    /* Since Hopper, some instructions (wgmma) exist for exactly one architecture. */
    snprintf(out, ARCHITECTURE_TEXT, "%u%u%s", major, minor, major >= 9 ? "a" : "");
    return true;
}

static bool gpu_present(char out[ARCHITECTURE_TEXT])
{
    char program[] = "nvidia-smi", query[] = "--query-gpu=compute_cap";
    char format[] = "--format=csv,noheader", first[] = "--id=0";
    char *argv[] = {program, query, format, first, NULL};
    struct proc_spec spec = {.argv = argv, .output_max = 4096, .timeout_ms = ASK_LIMIT_MS};
    struct proc_result r;
    bool found = proc_run(&spec, &r, NULL) == 0 && proc_ok(&r) && architecture_of(r.out.s, out);
    proc_result_free(&r);
    return found;
}

static char *flag(const char *architecture)
{
    return xasprintf("-gencode=arch=compute_%s,code=sm_%s", architecture, architecture);
}

char **gencode_flags(const struct tier *t)
{
    char present[ARCHITECTURE_TEXT];
    char **flags = xcalloc(t->architectures_count + 2, sizeof *flags);
    unsigned n = 0;
    for (; n < t->architectures_count; n++)
        flags[n] = flag(t->architectures[n]);
    if (!n && gpu_present(present))
        flags[n++] = flag(present);
    return flags;
}

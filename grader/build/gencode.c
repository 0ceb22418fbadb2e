#include "build/gencode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/proc.h"
#include "base/strbuf.h"

/* Since Hopper, some instructions (wgmma) exist for exactly one architecture. */
enum { ASK_LIMIT_MS = 20000, ARCHITECTURE_TEXT = 16, FIRST_WITH_OWN = 90 };

/* The architecture of a compute capability, with the instructions that only this architecture has:
 * "9.0" -> "90a". False when the text is no compute capability. */
static bool architecture_of(const char *capability, char out[ARCHITECTURE_TEXT])
{
    unsigned major, minor;
    int n = 0;
    if (sscanf(capability, "%2u.%1u%n", &major, &minor, &n) != 2 || major < 1 || major > 99 ||
        minor > 9 || capability[n + (capability[n] == '\n')] != '\0')
        return false;
    snprintf(out, ARCHITECTURE_TEXT, "%u%u%s", major, minor,
             10 * major + minor >= FIRST_WITH_OWN ? "a" : "");
    return true;
}

static bool gpu_present(char out[ARCHITECTURE_TEXT])
{
    char program[] = "nvidia-smi", query[] = "--query-gpu=compute_cap";
    char format[] = "--format=csv,noheader", first[] = "--id=0";
    char *argv[] = {program, query, format, first, NULL};
    struct proc_spec spec = {.argv = argv, .output_max = 4096, .timeout_ms = ASK_LIMIT_MS};
    FREED_BY(proc_result_free) struct proc_result r = {0};
    return proc_run(&spec, &r, NULL) == 0 && proc_ok(&r) && architecture_of(r.out.s, out);
}

static char *flag(const char *architecture)
{
    return xasprintf("-gencode=arch=compute_%s,code=sm_%s", architecture, architecture);
}

static const char *const of_machine[] = {"{gencode}", "--gpu-architecture=native", "-arch=native"};
enum { OF_MACHINE = sizeof of_machine / sizeof of_machine[0] };

bool gencode_is_unknown(const struct tier *t, const char *command)
{
    char present[ARCHITECTURE_TEXT];
    bool left = false;
    for (size_t i = 0; i < OF_MACHINE; i++)
        left = left || strstr(command, of_machine[i]);
    return launch_kind_has(t->kind, KIND_ARCHITECTURES) && left && !t->architectures_count &&
           !gpu_present(present);
}

char *gencode_command(const char *command, const char *architecture)
{
    char *option = flag(architecture), *filled = xstrdup(command);
    for (size_t i = 0; i < OF_MACHINE; i++) {
        OWNED char *before = filled;
        filled = xreplace(before, of_machine[i], option);
    }
    free(option);
    return filled;
}

static int newest_first(const void *a, const void *b)
{
    return atoi(*(char *const *)b) - atoi(*(char *const *)a);
}

char **gencode_newer(void)
{
    char program[] = "nvcc", list[] = "--list-gpu-arch", prefix[] = "compute_";
    char *argv[] = {program, list, NULL};
    struct proc_spec spec = {.argv = argv, .output_max = 4096, .timeout_ms = ASK_LIMIT_MS};
    FREED_BY(proc_result_free) struct proc_result r = {0};
    char **newer = xcalloc(1, sizeof *newer);
    size_t n = 0;
    if (proc_run(&spec, &r, NULL) == 0 && proc_ok(&r)) {
        for (const char *p = r.out.s; (p = strstr(p, prefix)); p++) {
            const int architecture = atoi(p + sizeof prefix - 1);
            if (architecture < FIRST_WITH_OWN)
                continue;
            newer = xrealloc_array(newer, n + 2, sizeof *newer);
            newer[n++] = xasprintf("%da", architecture);
        }
    }
    newer[n] = NULL;
    qsort(newer, n, sizeof *newer, newest_first);
    return newer;
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

#include "proctor/second_device.h"

#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "base/tree.h"
#include "build/sanitizer_report.h"
#include "model/source_name.h"

/* Of one check. */
enum { REMARKS_MOST = 3, FILES_MOST = 1000, REPORT_MOST = 4 << 20 };

#define NAME "compute-sanitizer"
#define TOOL(name)                                                                                 \
    {                                                                                              \
        name, LATE_NONE, "a run under " NAME, NULL                                                 \
    }

const struct second_device_check second_device_checks[] = {
    {"other streams late", LATE_OTHERS, "a run in which the work of other streams begins late",
     "the call does not wait for its work in another stream (cudaStreamWaitEvent makes a stream "
     "wait)"},
    {"given stream late", LATE_GIVEN, "a run in which the work of the given stream begins late",
     "another stream does not wait for the work in the given one (cudaStreamWaitEvent makes a "
     "stream wait)"},
    TOOL("memcheck"),
    TOOL("racecheck"),
    TOOL("synccheck"),
    TOOL("initcheck"),
    {0}};

/* Each thread of a kernel may have an entry. */
#define ENTRIES_MOST "1000"

char *second_device_tool(void)
{
    char *tool = proc_which(NAME);
    OWNED char *nvcc = tool ? NULL : proc_which("nvcc"), *real = nvcc ? realpath(nvcc, NULL) : NULL;
    char *slash = real ? strrchr(real, '/') : NULL;
    if (slash) {
        OWNED char *beside = xasprintf("%.*s/" NAME, (int)(slash - real), real);
        tool = proc_which(beside);
    }
    return tool;
}

static char *report_of(const struct unit_homes *homes, const char *check)
{
    return xasprintf("%s/%s.txt", homes->scratch, check);
}

char **second_device_words(const char *tool, const char *check, const struct unit_homes *homes)
{
    OWNED char *report = report_of(homes, check);
    const char *const words[] = {tool,   "--tool",        check,        "--log-file",
                                 report, "--print-limit", ENTRIES_MOST, "--show-backtrace",
                                 "no"};
    struct proc_argv v = {0};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        proc_argv_push(&v, xstrdup(words[i]));
    return v.word;
}

/* Is "cuda.cu:7" in a source of the student's? Others are in headers of CUDA. */
static bool is_in(const char *place, char *const *sources, size_t count)
{
    const size_t n = strcspn(place, ":");
    for (size_t i = 0; i < count; i++) {
        const char *slash = strrchr(sources[i], '/'), *name = slash ? slash + 1 : sources[i];
        if (strlen(name) == n && strncmp(name, place, n) == 0)
            return !source_is_adapter(name);
    }
    return false;
}

static void remark_all(const char *report, char *const *sources, size_t count,
                       struct unit_result *r)
{
    struct device_error x;
    unsigned remarks = 0;
    while (remarks < REMARKS_MOST && sanitizer_device_error(&report, &x)) {
        OWNED char *text = xasprintf("%s: %s", x.place, x.what);
        if (is_in(x.place, sources, count) && !strstr(r->remarks, text)) {
            unit_result_remark(r, "%s (found by " NAME ")", text);
            remarks++;
        }
    }
}

void second_device_remark(const struct unit_homes *homes, const char *check, const char *sources,
                          struct unit_result *r)
{
    OWNED char *path = report_of(homes, check), *report = NULL;
    OWNED_TEXTS char **names = NULL;
    size_t count = 0;
    struct err ignored = ERR_INIT;
    if (fs_read(path, REPORT_MOST, &report, NULL, &ignored) == 0 &&
        tree_list(sources, FILES_MOST, &names, &count, &ignored) == 0)
        remark_all(report, names, count, r);
}

/* The standard list of functions: complete for the headers that docs/rules.md names, whatever the C
 * library of this machine is. */
#include "unit.h"

#include <ctype.h>
#include <dlfcn.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/proc.h"
#include "base/strbuf.h"
#include "model/calls.h"

enum { TEXT_MOST = 4 << 20, NAME_MOST = 64, MISSING_MOST = 40 };

static const char headers[] =
    "#include <assert.h>\n#include <complex.h>\n#include <ctype.h>\n"
    "#include <fenv.h>\n#include <inttypes.h>\n#include <malloc.h>\n"
    "#include <math.h>\n#include <pthread.h>\n#include <sched.h>\n"
    "#include <search.h>\n#include <semaphore.h>\n#include <setjmp.h>\n"
    "#include <signal.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "#include <strings.h>\n#include <sys/random.h>\n#include <threads.h>\n"
    "#include <ucontext.h>\n";

/* What those headers include and docs/rules.md does not name. */
static const char *const other_headers[] = {"*/time.h", "*select*.h", "*stdio*.h", "*/unistd*.h",
                                            "*/getopt*.h"};

/* Functions of these headers that open files or concern other processes, and some that only very
 * old programs use. */
static const char *const not_allowed[] = {"system",        "mk*temp*",
                                          "*realpath*",    "canonicalize_file_name",
                                          "getloadavg",    "rpmatch",
                                          "getpt",         "grantpt",
                                          "unlockpt",      "posix_openpt",
                                          "*ptsname*",     "sem_open",
                                          "sem_close",     "sem_unlink",
                                          "kill",          "killpg",
                                          "tgkill",        "sigqueue",
                                          "clone",         "unshare",
                                          "setns",         "sched_rr_get_interval",
                                          "sched_setattr", "sched_getattr",
                                          "sigreturn",     "sigstack",
                                          "sigpause",      "__xpg_sigpause"};

static struct calls standard;
static void *libraries[2];
static struct strbuf missing = STRBUF_INIT;
static unsigned missing_count, seen_count;

static bool matches(const char *name, const char *const *pattern, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fnmatch(pattern[i], name, 0) == 0)
            return true;
    return false;
}

#define MATCHES(name, patterns) matches(name, patterns, sizeof(patterns) / sizeof((patterns)[0]))

static void judge(const char *name)
{
    if (!dlsym(libraries[0], name) && !dlsym(libraries[1], name))
        return; /* a macro, an attribute, or a name that is inlined */
    seen_count++;
    if (calls_allowed(&standard, name) != MATCHES(name, not_allowed))
        return;
    if (missing_count++ < MISSING_MOST)
        strbuf_addf(&missing, " %s", name);
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Names before a parenthesis, and the names that a header gives them for the linker, in strings. */
static void judge_line(const char *line)
{
    char name[NAME_MOST];
    for (const char *p = line; *p;) {
        size_t n = 0;
        while (in_name(p[n]))
            n++;
        const char *after = p + n;
        while (*after == ' ')
            after++;
        if (n && n < NAME_MOST && (*after == '(' || *after == '"')) {
            memcpy(name, p, n);
            name[n] = '\0';
            judge(name);
        }
        p += n ? n : 1;
    }
}

/* Read what the preprocessor made: lines of declarations, and lines that name the file which they
 * are from. */
static void judge_text(char *text)
{
    bool ours = false;
    char *rest = text, *line;
    while ((line = strsep(&rest, "\n"))) {
        char *file = line[0] == '#' ? strchr(line, '"') : NULL;
        if (!file) {
            if (ours)
                judge_line(line);
            continue;
        }
        file++;
        file[strcspn(file, "\"")] = '\0';
        ours = !MATCHES(file, other_headers);
    }
}

TEST(headers_are_allowed)
{
    static const char *const variants[] = {
        "gcc -std=gnu11 -D_GNU_SOURCE -E -",
        "gcc -std=c11 -E -",
        "gcc -std=c11 -D_POSIX_C_SOURCE=200809L -E -",
        "gcc -std=gnu11 -D_GNU_SOURCE -O2 -D_FORTIFY_SOURCE=2 -E -",
    };
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        OWNED_TEXTS char **argv = proc_argv_split(variants[i]);
        struct proc_spec spec = {.argv = argv, .input = headers, .output_max = TEXT_MOST};
        FREED_BY(proc_result_free) struct proc_result r = {0};
        assert_int_equal(proc_run(&spec, &r, NULL), 0);
        assert_true(proc_ok(&r) && !r.truncated);
        judge_text(r.out.s);
    }
    assert_true(seen_count > 1000);
    if (missing_count)
        fail_msg("%u functions are not on the right list (model/calls.c):%s", missing_count,
                 missing.s);
}

/* Names that no header declares as functions. */
TEST(others)
{
    static const struct {
        const char *name;
        bool allowed;
    } table[] = {
        {"open", false},          {"socket", false},
        {"clock_gettime", false}, {"time", false},
        {"memfd_create", false},  {"mbind", false},
        {"signalfd", false},      {"getline", false},
        {"fopen", false},         {"timer_create", false},
        {"sched_setattr", false}, {"environ", true},
        {"__environ", true},      {"stderr", true},
        {"wcslen", true},         {"wmemcpy", true},
        {"rsqrtf", true},         {"sinpif64x", true},
        {"__memcpy_chk", true},   {"program_invocation_short_name", true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (calls_allowed(&standard, table[i].name) != table[i].allowed)
            fail_msg("%s", table[i].name);
}

static int setup(void **arg)
{
    const char *const allow[] = {CALLS_STANDARD};
    const struct calls written = {.allow = {(char **)allow, 1}};
    calls_expand(&written, LAUNCH_CPU, &standard);
    libraries[0] = dlopen("libc.so.6", RTLD_LAZY);
    libraries[1] = dlopen("libm.so.6", RTLD_LAZY);
    return libraries[0] && libraries[1] ? 0 : -1;
}

static int teardown(void **arg)
{
    calls_free(&standard);
    strbuf_free(&missing);
    dlclose(libraries[0]);
    dlclose(libraries[1]);
    return 0;
}

TESTS(setup, teardown)

#include "build/trusted.h"

#include "base/strbuf.h"
#include "build/build.h"
#include "model/calls.h"

int trusted_build(const struct trusted_job *job, char **library, struct err *e)
{
    const struct kernel_file *f = job->file;
    char *source[] = {(char *)(uintptr_t)job->source}, *standard[] = {CALLS_STANDARD, NULL};
    const struct calls usual = {.allow = {standard, 1}, .forbid = {standard, 1}};
    static const char *const names[] = {[TRUSTED_SOURCE] = "trusted source",
                                        [TRUSTED_CHECK] = "check",
                                        [TRUSTED_VALUES] = "source of values",
                                        [TRUSTED_SECOND] = "second source",
                                        [TRUSTED_MISTAKE] = "source of a mistake"};
    const char *const kind = names[job->part];
    /* The header then declares the function. */
    char *check[] = {"-DPARAGRADE_CHECK", NULL}, *values[] = {"-DPARAGRADE_VALUES", NULL};
    char *const *const declared[] = {[TRUSTED_SOURCE] = job->appended,
                                     [TRUSTED_CHECK] = check,
                                     [TRUSTED_VALUES] = values,
                                     [TRUSTED_SECOND] = job->appended,
                                     [TRUSTED_MISTAKE] = job->appended};
    struct tier t = {.name = (char *)(uintptr_t)kind,
                     .kernel = job->part == TRUSTED_CHECK    ? &f->checker
                               : job->part == TRUSTED_VALUES ? &f->making
                                                             : &f->kernel,
                     .sources = source,
                     .sources_count = 1,
                     .compile = f->trusted_compile,
                     .compile_cxx = f->trusted_compile,
                     .kind = LAUNCH_CPU};
    const struct build_job what = {.tier = &t,
                                   .limits = job->limits,
                                   .sandbox = job->sandbox,
                                   .sources = job->sources,
                                   .source = job->source,
                                   .appended = declared[job->part],
                                   .dir = job->dir};
    FREED_BY(build_free) struct build built = {0};
    calls_expand(&usual, LAUNCH_CPU, &t.calls);
    int rc = build_tier(&what, &built, e);
    if (rc == 0 && built.verdict != VERDICT_PASS)
        rc = err_system(e, "%s", built.message);
    if (rc == 0) {
        *library = built.library;
        built.library = NULL;
    } else {
        err_context(e, "building the %s %s", kind, job->source);
    }
    calls_free(&t.calls);
    return rc;
}

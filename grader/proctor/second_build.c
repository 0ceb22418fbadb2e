#include "proctor/second_build.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "build/sanitizer_preload.h"
#include "proctor/unit_build.h"

enum { BUILD_MOST_MS = 10000, WORDS_MOST = 8 };

/* What local variables hold until they are set. */
#define FILLED "-ftrivial-auto-var-init=pattern"
#define ZEROED "-ftrivial-auto-var-init=zero"
/* Threads switch in the middle of things: driver/interleave.c. */
#define INTERLEAVED "-fsanitize-coverage=trace-pc"

/* Of UndefinedBehaviorSanitizer what is wrong in every program: an index that is outside of its
 * array. Other checks refuse what honest programs do: shifts, addresses that are not aligned. So do
 * sums and products that wrap, which are told only where a result is wrong; with -fwrapv, never. */
static const struct attempt {
    const char *what;
    unsigned workers; /* set of enum second_workers */
    bool address;     /* with AddressSanitizer */
    const char *words[WORDS_MOST + 1];
} attempts[] = {
    {"with lines", SECOND_DEVICE, false, {"-lineinfo"}},
    {"without optimisation, with AddressSanitizer",
     SECOND_ALONE,
     true,
     {"-O0", "-g", "-fno-omit-frame-pointer", FILLED,
      "-fsanitize=address,bounds,signed-integer-overflow", "-fno-sanitize-address-use-after-scope",
      "-Wl,-Bsymbolic"}},
    {"without optimisation, indices checked",
     SECOND_TOGETHER,
     false,
     {"-O0", "-g", FILLED, "-fsanitize=bounds,signed-integer-overflow", INTERLEAVED}},
    {"without optimisation, indices checked",
     SECOND_TOGETHER,
     false,
     {"-O0", "-g", FILLED, "-fsanitize=bounds,signed-integer-overflow"}},
    {"without optimisation", SECOND_ALONE | SECOND_TOGETHER, false, {"-O0", "-g", FILLED}},
    {"without optimisation", SECOND_ALONE | SECOND_TOGETHER, false, {"-O0", "-g"}},
};

/* The words of an attempt. */
static char **words_of(const struct attempt *a, bool zeros)
{
    struct proc_argv v = {0};
    for (size_t i = 0; a->words[i]; i++)
        proc_argv_push(&v,
                       xstrdup(zeros && strcmp(a->words[i], FILLED) == 0 ? ZEROED : a->words[i]));
    return v.word;
}

/* False if this one cannot be built, or not be used. */
static bool try(const struct unit_job *job, const char *dir, const struct attempt *a, bool zeros,
                uint64_t until, struct second_build *b)
{
    OWNED_TEXTS char **words = words_of(a, zeros);
    const struct limits limits = unit_build_extra(job, BUILD_MOST_MS, until);
    struct build_job what = unit_build_job(job);
    what.limits = &limits;
    what.appended = words;
    what.dir = dir;
    struct build built = {0};
    struct err e = ERR_INIT;
    const bool made = build_tier(&what, &built, &e) == 0 && built.verdict == VERDICT_PASS;
    if (made) {
        b->library = xstrdup(built.library);
        b->protections &= built.protections;
    } else if (!b->what) {
        b->what = xasprintf("not built: %s", built.message ? built.message : e.text);
    }
    build_free(&built);
    b->preload = made && a->address ? sanitizer_preload(b->library) : NULL;
    if (made && (!a->address || b->preload)) {
        free(b->what);
        b->what = xstrdup(a->what);
        return true;
    }
    free(b->library);
    b->library = NULL;
    return false;
}

/* All attempts share the time: a source may be slow only where it is not optimised. */
void second_build_make(const struct unit_job *job, const char *dir, enum second_workers workers,
                       uint64_t deadline, struct second_build *b)
{
    const struct limits limits = unit_build_extra(job, BUILD_MOST_MS, deadline);
    const uint64_t *waited = &job->node->timing_lock.waited_ns, before = *waited;
    const uint64_t until = clock_mono_ns() + (uint64_t)limits.build_ms * 1000000;
    *b = (struct second_build){.protections = ~0U};
    for (unsigned i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
        /* While it gave way to others, no time has passed. */
        const uint64_t end = until + (*waited - before);
        if (clock_mono_ns() >= end)
            break;
        b->attempt = i;
        if (!(attempts[i].workers & workers))
            continue;
        if (try(job, dir, &attempts[i], false, end, b))
            return;
        fs_remove_tree(dir, NULL);
    }
    if (!b->what)
        b->what = xstrdup("not built: no time was left");
}

void second_build_with_zeros(const struct unit_job *job, const char *dir,
                             const struct second_build *like, uint64_t deadline,
                             struct second_build *b)
{
    *b = (struct second_build){.protections = ~0U, .attempt = like->attempt};
    try(job, dir, &attempts[like->attempt], true, deadline, b);
}

void second_build_free(struct second_build *b)
{
    free(b->library);
    free(b->preload);
    free(b->what);
    *b = (struct second_build){0};
}

#include "proctor/attest.h"

#include <math.h>
#include <stdio.h>

#include "base/plural.h"
#include "base/strbuf.h"

/* A launch was not parallel if it kept less than this share of the cores beyond the first busy. If
 * one thread does everything, it keeps none of them busy; if the work is divided badly, most are
 * busy all the same. */
#define CORES_LEAST 0.25

/* One thread alone keeps more cores busy than this. With fewer, the node had no time for the unit.
 */
#define ONE_CORE 0.95

/* A thread with at least this share of the processor time did everything. */
#define ALL_OF_IT 0.95

/* A rank that computes for less than this share of the average takes no part. */
#define RANK_LEAST 0.05

enum { SHOWN_VECTORS = 3, SHOWN_KERNELS = 3, SHOWN_RANKS = 8, TO_PERCENT = 100 };

/* --- simd ------------------------------------------------------------------------------------- */

static const char *registers(int bits)
{
    return bits == TILE_BITS ? "tmm" : bits == 512 ? "zmm" : bits == 256 ? "ymm" : "xmm";
}

/* The most frequent instructions of a list. */
static void name_vectors(const struct vector_list *l, struct strbuf *sb)
{
    bool shown[VECTORS_MOST] = {false};
    for (unsigned n = 0; n < l->count && n < SHOWN_VECTORS; n++) {
        unsigned most = 0;
        while (shown[most])
            most++;
        for (unsigned i = most; i < l->count; i++)
            if (!shown[i] && l->item[i].count > l->item[most].count)
                most = i;
        const struct vector_instruction *x = &l->item[most];
        shown[most] = true;
        strbuf_addf(sb, "%s%s on %s: %u", n ? ", " : "simd: ", x->name, registers(x->bits),
                    x->count);
    }
}

static enum attested judge_vectors(const struct attest_evidence *e, struct strbuf *sb)
{
    const struct vectors *v = &e->vectors;
    unsigned adds = 0;
    for (unsigned i = 0; i < v->add.count; i++)
        adds += v->add.item[i].count;
    if (!v->known) {
        strbuf_adds(sb, "simd: the library's code could not be read");
        return ATTESTED_UNKNOWN;
    }
    if (v->multiply.count || (e->sums_suffice && adds)) {
        name_vectors(v->multiply.count ? &v->multiply : &v->add, sb);
        return ATTESTED_YES;
    }
    if (e->sums_suffice)
        strbuf_adds(sb, "simd: no vector addition or multiplication in the library");
    else
        strbuf_addf(sb, "simd: no vector multiplication in the library (vector additions: %u)",
                    adds);
    return ATTESTED_NO;
}

/* --- threads ---------------------------------------------------------------------------------- */

/* The operations of the largest size at which launches of this kind were timed. Only this size
 * counts: at small ones, waking the threads takes longer than the work. */
static double largest(const struct attest_evidence *e, bool (*is)(const struct attest_timed *))
{
    double most = 0;
    for (unsigned i = 0; i < e->timed_count; i++)
        if (is(&e->timed[i]))
            most = fmax(most, e->timed[i].operations);
    return most;
}

static bool has_threads(const struct attest_timed *t)
{
    return t->launch.threads > 1 && t->launch.ranks == 1;
}

static double further_cores(const struct attest_timed *t)
{
    return (t->cores_used - 1) / (t->launch.threads - 1);
}

/* The best launch decides: on a busy node the widest launch may not have got its cores. */
static enum attested judge_threads(const struct attest_evidence *e, struct strbuf *sb)
{
    double size = largest(e, has_threads);
    const struct attest_timed *best = NULL;
    for (unsigned i = 0; i < e->timed_count; i++) {
        const struct attest_timed *t = &e->timed[i];
        if (has_threads(t) && isfinite(t->cores_used) && t->operations >= size &&
            (!best || further_cores(t) > further_cores(best)))
            best = t;
    }
    if (!best) {
        strbuf_adds(sb, "threads: no launch of several threads was timed undisturbed");
        return ATTESTED_UNKNOWN;
    }
    bool parallel = further_cores(best) >= CORES_LEAST;
    strbuf_addf(sb, "threads: %.2f cores busy with %d %s", best->cores_used, best->launch.threads,
                plural((unsigned)best->launch.threads, "thread", "threads"));
    if (parallel)
        return ATTESTED_YES;
    if (best->busiest >= ALL_OF_IT) {
        strbuf_adds(sb, ": one thread did everything");
        return ATTESTED_NO;
    }
    if (best->cores_used < ONE_CORE) {
        strbuf_adds(sb, ": the node was too busy to tell");
        return ATTESTED_UNKNOWN;
    }
    strbuf_adds(sb, ": mostly one after the other");
    if (best->disturbed) { /* a hypervisor may have had the other cores */
        strbuf_adds(sb, ", but no run was undisturbed");
        return ATTESTED_UNKNOWN;
    }
    return ATTESTED_NO;
}

/* --- ranks ------------------------------------------------------------------------------------ */

static bool ranks_seen(const struct attest_timed *t)
{
    if (t->launch.ranks < 2 || t->ranks_count != (unsigned)t->launch.ranks)
        return false;
    double sum = 0;
    for (unsigned i = 0; i < t->ranks_count; i++) {
        if (!(t->ranks[i].compute_seconds >= 0) || !isfinite(t->ranks[i].compute_seconds))
            return false;
        sum += t->ranks[i].compute_seconds;
    }
    return sum > 0;
}

/* Rank 0 may only hand out the work, if there are several other ranks to share it. */
static bool excused(const struct attest_timed *t, unsigned rank)
{
    return rank == 0 && t->ranks_count > 2 && t->ranks[0].bytes > 0;
}

/* The widest launch decides: a program that uses two ranks of four does so on every node. */
static enum attested judge_ranks(const struct attest_evidence *e, struct strbuf *sb)
{
    double size = largest(e, ranks_seen), sum = 0, bytes = 0;
    const struct attest_timed *widest = NULL;
    for (unsigned i = 0; i < e->timed_count; i++) {
        const struct attest_timed *t = &e->timed[i];
        if (ranks_seen(t) && t->operations >= size &&
            (!widest || t->launch.ranks > widest->launch.ranks))
            widest = t;
    }
    if (!widest) {
        strbuf_adds(sb, "ranks: no launch of several ranks was timed");
        return ATTESTED_UNKNOWN;
    }
    bool shared = false;
    for (unsigned i = 0; i < widest->ranks_count; i++) {
        sum += widest->ranks[i].compute_seconds;
        bytes += (double)widest->ranks[i].bytes;
        shared = shared || widest->ranks[i].shared;
    }
    unsigned idle = 0;
    strbuf_adds(sb, "ranks: share of the computing by rank");
    for (unsigned i = 0; i < widest->ranks_count; i++) {
        double share = widest->ranks[i].compute_seconds / sum;
        if (i < SHOWN_RANKS)
            strbuf_addf(sb, "%s %.0f%%", i ? "," : "", TO_PERCENT * share);
        else if (i == SHOWN_RANKS)
            strbuf_adds(sb, " ...");
        idle += share * widest->ranks_count < RANK_LEAST && !excused(widest, i);
    }
    strbuf_addf(sb, "; %.3g MB through MPI%s", bytes * 1e-6, shared ? ", and shared memory" : "");
    if (idle)
        strbuf_addf(sb, ": %u of %u %s computed next to nothing", idle, widest->ranks_count,
                    plural(widest->ranks_count, "rank", "ranks"));
    if (idle && widest->disturbed) {
        strbuf_adds(sb, ", but no run was undisturbed");
        return ATTESTED_UNKNOWN;
    }
    return idle ? ATTESTED_NO : ATTESTED_YES;
}

/* --- kernels ---------------------------------------------------------------------------------- */

static enum attested judge_kernels(const struct device_profile *p, struct strbuf *sb)
{
    unsigned kernels = 0;
    unsigned long long launches = 0;
    if (!p || !p->count) {
        strbuf_adds(sb, "kernels: there is no profile");
        return ATTESTED_UNKNOWN;
    }
    for (unsigned i = 0; i < p->count; i++) {
        if (p->row[i].activity != ACTIVITY_KERNEL)
            continue;
        if (kernels < SHOWN_KERNELS)
            strbuf_addf(sb, "%s%.40s", kernels ? ", " : "kernels: ", p->row[i].name);
        kernels++;
        launches += p->row[i].calls;
    }
    if (!kernels) {
        strbuf_adds(sb, "kernels: none was launched");
        return ATTESTED_NO;
    }
    strbuf_addf(sb, "%s: %llu launched", kernels > SHOWN_KERNELS ? " ..." : "", launches);
    return ATTESTED_YES;
}

/* --- efficiency ------------------------------------------------------------------------------- */

/* More caches for more workers explain an efficiency somewhat above 1. Above this, the code takes
 * another and slower way on one worker. */
static const double EFFICIENCY_MOST = 1.5;

static const struct attest_timed *on_one_worker(const struct attest_evidence *e, double operations)
{
    for (unsigned i = 0; i < e->timed_count; i++)
        if (launch_workers(e->timed[i].launch) == 1 && e->timed[i].operations == operations &&
            e->timed[i].seconds > 0)
            return &e->timed[i];
    return NULL;
}

/* Say so if an efficiency is too high. */
static bool too_efficient(const struct attest_evidence *e, const char *separator, struct strbuf *sb)
{
    const struct attest_timed *worst = NULL;
    double most = EFFICIENCY_MOST;
    for (unsigned i = 0; i < e->timed_count; i++) {
        const struct attest_timed *t = &e->timed[i], *one = on_one_worker(e, t->operations);
        const double x =
            one && t->seconds > 0 ? one->seconds / t->seconds / launch_workers(t->launch) : 0;
        if (x > most) {
            most = x;
            worst = t;
        }
    }
    if (worst)
        strbuf_addf(sb,
                    "%sefficiency: %.2f on %d workers; the code takes a slower way on one worker",
                    separator, most, launch_workers(worst->launch));
    return worst;
}

/* ---------------------------------------------------------------------------------------------- */

enum attested attest_decide(unsigned attest, const struct attest_evidence *e, char **text)
{
    struct strbuf sb = STRBUF_INIT;
    bool any = false, no = false, unknown = false;
    if (e->options) {
        strbuf_adds(&sb, e->options);
        any = no = true;
    }
    if (e->outside) {
        strbuf_addf(&sb, "%s%s", any ? "; " : "", e->outside);
        any = no = true;
    }
    for (unsigned kind = ATTEST_SIMD; kind <= ATTEST_KERNELS; kind <<= 1) {
        if (!(attest & kind))
            continue;
        if (any)
            strbuf_adds(&sb, "; ");
        any = true;
        enum attested a = kind == ATTEST_SIMD      ? judge_vectors(e, &sb)
                          : kind == ATTEST_THREADS ? judge_threads(e, &sb)
                          : kind == ATTEST_RANKS   ? judge_ranks(e, &sb)
                                                   : judge_kernels(e->profile, &sb);
        no = no || a == ATTESTED_NO;
        unknown = unknown || a == ATTESTED_UNKNOWN;
    }
    if (e->too_fast)
        strbuf_addf(&sb, "%srate: %s", any ? "; " : "", e->too_fast);
    no = no || e->too_fast;
    no = too_efficient(e, sb.len ? "; " : "", &sb) || no;
    *text = strbuf_detach(&sb);
    return no ? ATTESTED_NO : any && !unknown ? ATTESTED_YES : ATTESTED_UNKNOWN;
}

/* --- remarks ---------------------------------------------------------------------------------- */

/* Workers that are all busy, and together no faster than this times one of them. */
#define NO_FASTER 1.05
#define ALL_BUSY 0.9

static void add_line(struct strbuf *sb, const char *line)
{
    strbuf_addf(sb, "%s%s", sb->len ? "\n" : "", line);
}

/* Were all workers of this launch busy with computing? */
static bool all_busy(const struct attest_timed *t)
{
    if (has_threads(t))
        return t->cores_used >= ALL_BUSY * t->launch.threads;
    if (!ranks_seen(t))
        return false;
    double least = t->ranks[0].compute_seconds, most = least;
    for (unsigned i = 1; i < t->ranks_count; i++) {
        least = fmin(least, t->ranks[i].compute_seconds);
        most = fmax(most, t->ranks[i].compute_seconds);
    }
    return least >= ALL_BUSY * most;
}

/* All did everything: all are busy, and no faster than one. */
static void remark_not_divided(const struct attest_evidence *e, struct strbuf *sb)
{
    const double size = largest(e, all_busy);
    for (unsigned i = 0; i < e->timed_count; i++) {
        const struct attest_timed *t = &e->timed[i], *one = on_one_worker(e, t->operations);
        if (!all_busy(t) || t->operations < size || t->disturbed || !one || one->disturbed ||
            t->seconds <= 0 || one->seconds / t->seconds > NO_FASTER)
            continue;
        const bool ranks = t->launch.ranks > 1;
        OWNED char *line =
            xasprintf("%d %s are all busy, and no faster than one: does each of them do all "
                      "of the work, or do they wait for the same memory?",
                      launch_workers(t->launch), ranks ? "ranks" : "threads");
        add_line(sb, line);
        return;
    }
}

char *attest_remarks(unsigned asked, const struct attest_evidence *e)
{
    struct strbuf sb = STRBUF_INIT;
    FREED_BY(strbuf_free) struct strbuf threads = STRBUF_INIT, ranks = STRBUF_INIT;
    if (!(asked & ATTEST_THREADS) && judge_threads(e, &threads) == ATTESTED_NO)
        add_line(&sb, threads.s);
    if (!(asked & ATTEST_RANKS) && judge_ranks(e, &ranks) == ATTESTED_NO)
        add_line(&sb, ranks.s);
    remark_not_divided(e, &sb);
    return strbuf_detach(&sb);
}

/* From what was seen to yes, no or unknown: the whole table, what must be flagged first. */
#include "base/strbuf.h"
#include "unit.h"

#include <math.h>
#include <string.h>

#include "proctor/attest.h"

enum { TIMED_MOST = 3, RANKS_SEEN = 4 };

static const char *name_of(enum attested a)
{
    return a == ATTESTED_YES ? "yes" : a == ATTESTED_NO ? "no" : "unknown";
}

static void expect(const char *name, unsigned attest, const struct attest_evidence *e,
                   enum attested wanted, const char *says)
{
    OWNED char *text = NULL;
    enum attested a = attest_decide(attest, e, &text);
    if (a != wanted || !strstr(text, says) || strchr(text, '\n'))
        fail_msg("%s: %s, '%s'", name, name_of(a), text);
}

TEST(vectors)
{
    static const struct {
        const char *name;
        struct vectors v;
        bool sums_suffice;
        enum attested wanted;
        const char *says;
    } rows[] = {
        ROW("scalar", {.known = true}, false, ATTESTED_NO, "no vector multiplication"),
        ROW("only additions", {.known = true, .add = {{{"vaddpd", 256, 4}, {"vpsubd", 256, 3}}, 2}},
            false, ATTESTED_NO, "vector additions: 7"),
        ROW("scalar sums", {.known = true}, true, ATTESTED_NO,
            "no vector addition or multiplication"),
        ROW("unreadable", {.known = false, .multiply.count = 3}, true, ATTESTED_UNKNOWN, "be read"),
        ROW("sums", {.known = true, .add = {{{"vaddpd", 256, 4}, {"vsubpd", 256, 5}}, 2}}, true,
            ATTESTED_YES, "simd: vsubpd on ymm: 5, vaddpd on ymm: 4"),
        ROW("products where sums suffice",
            {.known = true,
             .multiply = {{{"vmulpd", 256, 1}}, 1},
             .add = {{{"vaddpd", 256, 4}}, 1}},
            true, ATTESTED_YES, "simd: vmulpd on ymm: 1"),
        ROW("avx2", {.known = true, .multiply = {{{"vpmulld", 256, 24}}, 1}}, false, ATTESTED_YES,
            "simd: vpmulld on ymm: 24"),
        ROW("tiles", {.known = true, .multiply = {{{"tdpbssd", TILE_BITS, 2}}, 1}}, false,
            ATTESTED_YES, "simd: tdpbssd on tmm: 2"),
        ROW("the most frequent first",
            {.known = true,
             .multiply =
                 {{{"pmulld", 128, 1}, {"vpmulld", 512, 3}, {"vpmulld", 256, 2}, {"x", 128, 0}},
                  4}},
            false, ATTESTED_YES, "simd: vpmulld on zmm: 3, vpmulld on ymm: 2, pmulld on xmm: 1"),
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct attest_evidence e = {.vectors = rows[i].v,
                                          .sums_suffice = rows[i].sums_suffice};
        expect(rows[i].name, ATTEST_SIMD, &e, rows[i].wanted, rows[i].says);
    }
}

TEST(threads)
{
    static const struct {
        const char *name;
        struct attest_timed timed[TIMED_MOST]; /* ranks x threads, size, cores, busiest */
        enum attested wanted;
        const char *says;
    } rows[] = {
        ROW("one of two", {{{1, 2, 1, 0}, 10, 1.0, 1.0, NULL, 0, false, 0}}, ATTESTED_NO,
            "1.00 cores busy with 2 threads: one thread did everything"),
        ROW("in turns", {{{1, 4, 1, 0}, 10, 1.02, 0.26, NULL, 0, false, 0}}, ATTESTED_NO,
            "1.02 cores busy with 4 threads: mostly one after the other"),
        ROW("in turns, on a disturbed node", {{{1, 4, 1, 0}, 10, 1.02, 0.26, NULL, 0, true, 0}},
            ATTESTED_UNKNOWN, "mostly one after the other, but no run was undisturbed"),
        ROW("one of two, on a disturbed node", {{{1, 2, 1, 0}, 10, 1.0, 1.0, NULL, 0, true, 0}},
            ATTESTED_NO, "one thread did everything"),
        ROW("parallel at a small size only",
            {{{1, 2, 1, 0}, 1, 2.0, 0.5, NULL, 0, false, 0},
             {{1, 2, 1, 0}, 10, 1.0, 1.0, NULL, 0, false, 0}},
            ATTESTED_NO, "1.00 cores"),
        ROW("every launch",
            {{{1, 2, 1, 0}, 10, 1.1, 1.0, NULL, 0, false, 0},
             {{1, 16, 1, 0}, 10, 2.0, 0.6, NULL, 0, false, 0}},
            ATTESTED_NO, "with"),
        ROW("one of two on a busy node", {{{1, 2, 1, 0}, 10, 0.7, 1.0, NULL, 0, false, 0}},
            ATTESTED_NO, "0.70 cores busy with 2 threads: one thread did everything"),
        ROW("both, on a busy node", {{{1, 2, 1, 0}, 10, 0.9, 0.55, NULL, 0, false, 0}},
            ATTESTED_UNKNOWN, "the node was too busy to tell"),
        ROW("nothing timed", {{{1, 1, 1, 0}, 0, 0, 0, NULL, 0, false, 0}}, ATTESTED_UNKNOWN,
            "was timed"),
        ROW("one thread only", {{{1, 1, 1, 0}, 10, 1.0, 1.0, NULL, 0, false, 0}}, ATTESTED_UNKNOWN,
            "was timed"),
        ROW("nothing seen", {{{1, 2, 1, 0}, 10, NAN, NAN, NULL, 0, false, 0}}, ATTESTED_UNKNOWN,
            "was timed"),
        ROW("seen at a small size only",
            {{{1, 2, 1, 0}, 1, 1.1, 0.9, NULL, 0, false, 0},
             {{1, 2, 1, 0}, 10, NAN, NAN, NULL, 0, false, 0}},
            ATTESTED_UNKNOWN, "was timed"),
        ROW("both", {{{1, 2, 1, 0}, 10, 1.9, 0.5, NULL, 0, false, 0}}, ATTESTED_YES,
            "1.90 cores busy with 2"),
        ROW("a serial part", {{{1, 4, 1, 0}, 10, 2.2, 0.5, NULL, 0, false, 0}}, ATTESTED_YES,
            "2.20 cores"),
        ROW("the widest launch short of cores",
            {{{1, 2, 1, 0}, 10, 1.9, 0.5, NULL, 0, false, 0},
             {{1, 4, 1, 0}, 10, 1.6, 0.5, NULL, 0, false, 0}},
            ATTESTED_YES, "1.90 cores busy with 2 threads"),
        ROW("small sizes do not count",
            {{{1, 2, 1, 0}, 1, 1.0, 1.0, NULL, 0, false, 0},
             {{1, 2, 1, 0}, 10, 2.0, 0.5, NULL, 0, false, 0}},
            ATTESTED_YES, "2.00 cores"),
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct attest_evidence e = {.timed = rows[i].timed, .timed_count = TIMED_MOST};
        expect(rows[i].name, ATTEST_THREADS, &e, rows[i].wanted, rows[i].says);
    }
}

TEST(ranks)
{
    static const struct {
        const char *name;
        int ranks;
        struct rank_work work[RANKS_SEEN]; /* computing, in MPI, bytes, shared memory */
        unsigned told;
        enum attested wanted;
        const char *says;
    } rows[] = {
        ROW("rank 0 alone", 2, {{1, 0, 0, false}, {0, 0, 0, false}}, 2, ATTESTED_NO, "100%, 0%"),
        ROW("the others only receive", 2, {{1, 0.1, 5000000, false}, {0.001, 1.1, 5000000, false}},
            2, ATTESTED_NO, "10 MB through MPI: 1 of 2 ranks computed next to nothing"),
        ROW("one of four is idle", 4,
            {{1, 0, 1, false}, {1, 0, 1, false}, {1, 0, 1, false}, {0, 3, 1, false}}, 4,
            ATTESTED_NO, "1 of 4 ranks"),
        ROW("shared memory, and idle", 2, {{1, 0, 0, true}, {0, 0, 0, true}}, 2, ATTESTED_NO,
            "and shared memory: 1 of 2"),
        ROW("one worker of a master", 2, {{0, 1, 99, false}, {1, 0, 99, false}}, 2, ATTESTED_NO,
            "1 of 2 ranks"),
        ROW("rank 0 idle, and hands nothing out", 3,
            {{0, 1, 0, false}, {1, 0, 0, true}, {1, 0, 0, true}}, 3, ATTESTED_NO, "1 of 3 ranks"),
        ROW("one rank", 1, {{1, 0, 0, false}}, 1, ATTESTED_UNKNOWN, "was timed"),
        ROW("not all are known", 3, {{1, 0, 0, false}, {1, 0, 0, false}}, 2, ATTESTED_UNKNOWN,
            "was timed"),
        ROW("none is known", 2, {{0, 0, 0, false}}, 0, ATTESTED_UNKNOWN, "was timed"),
        ROW("all are 0", 2, {{0, 0, 0, false}}, 2, ATTESTED_UNKNOWN, "was timed"),
        ROW("impossible times", 2, {{NAN, 0, 0, false}, {-1, 0, 0, false}}, 2, ATTESTED_UNKNOWN,
            "timed"),
        ROW("a master and workers", 3, {{0, 1, 99, false}, {1, 0, 50, false}, {1, 0, 49, false}}, 3,
            ATTESTED_YES, "0%, 50%, 50%"),
        ROW("unevenly", 2, {{9, 0, 9, false}, {1, 8, 9, false}}, 2, ATTESTED_YES, "90%, 10%"),
        ROW("all", 2, {{1, 0, 9, true}, {1, 0, 9, true}}, 2, ATTESTED_YES, "50%, 50%"),
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct attest_timed timed = {
            {rows[i].ranks, 1, 1, 0}, 10, NAN, NAN, rows[i].work, rows[i].told, false, 0};
        const struct attest_evidence e = {.timed = &timed, .timed_count = 1};
        expect(rows[i].name, ATTEST_RANKS, &e, rows[i].wanted, rows[i].says);
    }
}

/* Two ranks of four: seen in the widest launch, whatever the narrower ones show. */
TEST(widest_launch)
{
    static const struct rank_work two[] = {{1, 0, 9, false}, {1, 0, 9, false}};
    static const struct rank_work four[] = {
        {1, 0, 9, false}, {1, 0, 9, false}, {0, 1, 0, false}, {0, 1, 0, false}};
    const struct attest_timed timed[] = {{{4, 1, 1, 0}, 10, NAN, NAN, four, 4, false, 0},
                                         {{2, 1, 1, 0}, 10, NAN, NAN, two, 2, false, 0}};
    const struct attest_evidence e = {.timed = timed, .timed_count = 2};
    expect("two of four", ATTEST_RANKS, &e, ATTESTED_NO, "2 of 4 ranks");
}

/* A node that was elsewhere all the time is no witness. */
TEST(nothing_undisturbed)
{
    static const struct rank_work idle[] = {{1, 0, 9, false}, {0, 1, 9, false}};
    const struct attest_timed ranks = {{2, 1, 1, 0}, 10, NAN, NAN, idle, 2, true, 0};
    const struct attest_timed threads = {{1, 2, 1, 0}, 10, NAN, NAN, NULL, 0, true, 0};
    struct attest_evidence e = {.timed = &ranks, .timed_count = 1};
    expect("ranks", ATTEST_RANKS, &e, ATTESTED_UNKNOWN, "but no run was undisturbed");
    e.timed = &threads;
    expect("threads", ATTEST_THREADS, &e, ATTESTED_UNKNOWN, "was timed undisturbed");
}

/* Whatever is asked for. */
TEST(too_fast)
{
    struct attest_evidence e = {.vectors = {.known = true, .multiply = {{{"vpmulld", 256, 24}}, 1}},
                                .too_fast = "1024: 130%"};
    expect("nothing asked", 0, &e, ATTESTED_NO, "rate: 1024: 130%");
    expect("vectors are there", ATTEST_SIMD, &e, ATTESTED_NO, "ymm: 24; rate: 1024: 130%");
    e.too_fast = NULL;
    expect("not too fast", 0, &e, ATTESTED_UNKNOWN, "");
}

TEST(kernels)
{
    struct profile_row calls[] = {{.activity = ACTIVITY_API, .name = "cudaMemcpy", .calls = 3},
                                  {.activity = ACTIVITY_COPY, .name = "copy", .calls = 2}};
    struct profile_row kernel[] = {{.activity = ACTIVITY_API, .name = "cudaLaunchKernel"},
                                   {.activity = ACTIVITY_KERNEL, .name = "tile", .calls = 4}};
    const struct device_profile none = {.count = 0}, idle = {.row = calls, .count = 2},
                                busy = {.row = kernel, .count = 2};
    struct attest_evidence e = {.profile = &idle};
    expect("no kernel", ATTEST_KERNELS, &e, ATTESTED_NO, "none was launched");
    e.profile = NULL;
    expect("no device", ATTEST_KERNELS, &e, ATTESTED_UNKNOWN, "no profile");
    e.profile = &none;
    expect("no rows", ATTEST_KERNELS, &e, ATTESTED_UNKNOWN, "no profile");
    e.profile = &busy;
    expect("kernels", ATTEST_KERNELS, &e, ATTESTED_YES, "kernels: tile: 4 launched");
}

TEST(several)
{
    const struct attest_timed serial = {{1, 2, 1, 0}, 10, 1, 1, NULL, 0, false, 0},
                              fine = {{1, 2, 1, 0}, 10, 2, 1, NULL, 0, false, 0};
    struct attest_evidence e = {.vectors = {.known = true, .multiply = {{{"vpmulld", 256, 2}}, 1}}};
    expect("nothing asked", 0, &e, ATTESTED_UNKNOWN, "");
    expect("one unknown", ATTEST_SIMD | ATTEST_THREADS, &e, ATTESTED_UNKNOWN, "; threads: no");
    const struct attest_evidence changed = {.options = "a.c:1: #pragma", .vectors = e.vectors};
    expect("options", 0, &changed, ATTESTED_NO, "a.c:1: #pragma");
    expect("options beside a yes", ATTEST_SIMD, &changed, ATTESTED_NO, "#pragma; simd: vpmulld");
    e.timed_count = 1;
    e.timed = &serial;
    expect("one no", ATTEST_SIMD | ATTEST_THREADS, &e, ATTESTED_NO, "vpmulld on ymm: 2; threads:");
    e.timed = &fine;
    expect("both", ATTEST_SIMD | ATTEST_THREADS, &e, ATTESTED_YES, "2.00 cores");
    e.vectors.known = false;
    e.timed = &serial;
    expect("no beside unknown", ATTEST_SIMD | ATTEST_THREADS, &e, ATTESTED_NO, "one thread");
}

/* Flagged whatever is asked, if the times are confirmed. */
TEST(efficiency)
{
    static const struct {
        const char *name;
        struct attest_timed timed[3];
        enum attested wanted;
        const char *says;
    } rows[] = {
        {"as usual",
         {{{1, 1, 1, 0}, 10, 1, 1, NULL, 0, false, 4},
          {{1, 2, 1, 0}, 10, 2, 1, NULL, 0, false, 2.1}},
         ATTESTED_UNKNOWN,
         ""},
        {"more caches",
         {{{1, 1, 1, 0}, 10, 1, 1, NULL, 0, false, 4},
          {{1, 2, 1, 0}, 10, 2, 1, NULL, 0, false, 1.4}},
         ATTESTED_UNKNOWN,
         ""},
        {"slow on one",
         {{{1, 1, 1, 0}, 10, 1, 1, NULL, 0, false, 4},
          {{1, 2, 1, 0}, 10, 2, 1, NULL, 0, false, 1.25}},
         ATTESTED_NO,
         "efficiency: 1.60 on 2 workers"},
        {"ranks, at another size",
         {{{1, 1, 1, 0}, 1, 1, 1, NULL, 0, false, 4},
          {{4, 1, 1, 0}, 10, 2, 1, NULL, 0, false, 0.1}},
         ATTESTED_UNKNOWN,
         ""},
        {"not confirmed",
         {{{1, 1, 1, 0}, 10, 1, 1, NULL, 0, false, 0},
          {{2, 2, 1, 0}, 10, 2, 1, NULL, 0, false, 0.1}},
         ATTESTED_UNKNOWN,
         ""},
        {"nor on several",
         {{{1, 1, 1, 0}, 10, 1, 1, NULL, 0, false, 4}, {{2, 2, 1, 0}, 10, 2, 1, NULL, 0, false, 0}},
         ATTESTED_UNKNOWN,
         ""},
        {"the worst",
         {{{1, 1, 1, 0}, 10, 1, 1, NULL, 0, false, 8},
          {{2, 1, 1, 0}, 10, 2, 1, NULL, 0, false, 2},
          {{2, 2, 1, 0}, 10, 2, 1, NULL, 0, false, 0.5}},
         ATTESTED_NO,
         "efficiency: 4.00 on 4 workers"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct attest_evidence e = {.timed = rows[i].timed, .timed_count = 3};
        expect(rows[i].name, 0, &e, rows[i].wanted, rows[i].says);
    }
    const struct attest_evidence outside = {.outside = "a.c:1 includes /x"};
    expect("outside", 0, &outside, ATTESTED_NO, "a.c:1 includes /x");
}

/* Signs that the work was not divided, also where nobody asks for evidence. */
TEST(remarks)
{
    const struct rank_work alike[] = {{1, 0, 5, false}, {0.95, 0, 5, false}},
                           master[] = {{1, 0, 0, false}, {0, 1, 0, false}};
    const struct attest_timed one = {{1, 1, 1, 0}, 10, 1, 1, NULL, 0, false, 1.0};
    const struct {
        const char *name;
        unsigned asked;
        struct attest_timed timed;
        const char *says; /* "": nothing */
    } rows[] = {
        {"all threads",
         0,
         {{1, 4, 1, 0}, 10, 3.9, 0.3, NULL, 0, false, 0.98},
         "4 threads are all busy"},
        {"also where asked",
         ATTEST_THREADS,
         {{1, 2, 1, 0}, 10, 2, 0.5, NULL, 0, false, 1.0},
         "2 threads are all busy"},
        {"faster", 0, {{1, 4, 1, 0}, 10, 3.9, 0.3, NULL, 0, false, 0.7}, ""},
        {"not confirmed", 0, {{1, 4, 1, 0}, 10, 3.9, 0.3, NULL, 0, false, 0}, ""},
        {"disturbed", 0, {{1, 4, 1, 0}, 10, 3.9, 0.3, NULL, 0, true, 1.1}, ""},
        {"some busy", 0, {{1, 4, 1, 0}, 10, 2.5, 0.3, NULL, 0, false, 1.1}, ""},
        {"one thread",
         0,
         {{1, 2, 1, 0}, 10, 1, 1, NULL, 0, false, 1.0},
         "one thread did everything"},
        {"one thread, flagged", ATTEST_THREADS, {{1, 2, 1, 0}, 10, 1, 1, NULL, 0, false, 1.0}, ""},
        {"all ranks",
         ATTEST_RANKS,
         {{2, 1, 1, 0}, 10, NAN, NAN, alike, 2, false, 1.0},
         "2 ranks are all busy"},
        {"rank 0", 0, {{2, 1, 1, 0}, 10, NAN, NAN, master, 2, false, 1.0}, "1 of 2 ranks computed"},
        {"rank 0, flagged", ATTEST_RANKS, {{2, 1, 1, 0}, 10, NAN, NAN, master, 2, false, 1.0}, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct attest_timed timed[] = {one, rows[i].timed};
        const struct attest_evidence e = {.timed = timed, .timed_count = 2};
        OWNED char *text = attest_remarks(rows[i].asked, &e);
        if (*rows[i].says ? !strstr(text, rows[i].says) : *text)
            fail_msg("%s: '%s'", rows[i].name, text);
    }
}

TESTS(NULL, NULL)

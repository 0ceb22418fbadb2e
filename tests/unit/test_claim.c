/* Units of an array are taken once each, whoever asks, dies or damages the hint. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "rundir/attempts.h"
#include "rundir/claim.h"

#include "test_dir.h"

enum { UNITS = 60, PROCESSES = 6 };

static char *ids[UNITS];
static struct job_record record = {.elements = PROCESSES, .unit = ids, .count = UNITS};

static int start(void **arg)
{
    for (int i = 0; i < UNITS; i++)
        ids[i] = xasprintf("s%d.naive", i);
    if (test_dir_make(arg) != 0)
        return -1;
    return 0;
}

static int end(void **arg)
{
    for (int i = 0; i < UNITS; i++)
        free(ids[i]);
    return test_dir_remove(arg);
}

static int clear(void **arg)
{
    if (test_dir_clear(arg) != 0)
        return -1;
    put_at("slurm/.keep", "");
    return 0;
}

static struct claimer claimer(const char *job)
{
    return (struct claimer){
        .run = test_dir, .array = 3, .record = &record, .host = "n1", .job = job};
}

static unsigned take(struct claimer *c)
{
    struct err e = ERR_INIT;
    unsigned at = UNITS;
    if (claim_next(c, &at, &e) < 0)
        fail_msg("%s", e.text);
    return at;
}

TEST(damaged_hints)
{
    static const char *const hints[] = {"",
                                        "x",
                                        "-4\n",
                                        "0000000002",
                                        "0000000002\nmore",
                                        "\n",
                                        "1\n2",
                                        "5\n",
                                        "0000000002\n",
                                        "00000-0005\n",
                                        "9999999999\n",
                                        "99999999999999999999\n"};
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        clear(NULL);
        put_at("slurm/array-3.next", hints[i]);
        struct claimer c = claimer("12_0");
        const unsigned first = take(&c);
        /* Too small a number costs time. One that is too large would cost a unit. */
        if (first != 0 && first != 2)
            fail_msg("'%s': %u", hints[i], first);
        assert_int_equal(take(&c), first + 1);
    }
}

TEST_WITH(units_that_cannot_be_taken, clear, NULL)
{
    struct claimer c = claimer("12_0");
    struct err e = ERR_INIT;
    unsigned at;
    put_at("units/s0.naive", "no directory");
    assert_int_equal(claim_next(&c, &at, &e), -1);
    assert_non_null(strstr(e.text, "s0.naive"));
    assert_false(claim_any(test_dir, 3));
}

TEST_WITH(in_turn_and_once, clear, NULL)
{
    struct claimer a = claimer("12_0"), b = claimer("12_1");
    put_at("units/s2.naive/result.json", "{}");
    assert_int_equal(claim_task(test_dir, 3, "s0.naive"), -1);
    assert_false(claim_any(test_dir, 3));
    assert_int_equal(take(&a), 0);
    assert_int_equal(take(&b), 1);
    assert_int_equal(take(&a), 3); /* 2 has a result */
    assert_int_equal(take(&b), 4);
    assert_true(claim_any(test_dir, 3));
    assert_int_equal(claim_task(test_dir, 3, "s0.naive"), 0);
    assert_int_equal(claim_task(test_dir, 3, "s4.naive"), 1);
    assert_int_equal(claim_task(test_dir, 3, "s2.naive"), -1);
    assert_int_equal(claim_task(test_dir, 4, "s0.naive"), -1); /* another array */
    /* A proctor that comes late, and one that lost the hint. */
    struct claimer late = claimer("12_2");
    assert_int_equal(take(&late), 5);
    OWNED char *hint = at("slurm/array-3.next");
    assert_int_equal(unlink(hint), 0);
    struct claimer later = claimer("12_3");
    assert_int_equal(take(&later), 6);
    while (take(&later) != UNITS)
        ;
    assert_int_equal(take(&a), UNITS);
}

TEST_WITH(a_job_that_runs_again, clear, NULL)
{
    struct claimer before = claimer("12_0"), other = claimer("12_1");
    for (int i = 0; i < 4; i++)
        assert_int_equal(take(&before), i);
    assert_int_equal(take(&other), 4);
    put_at("units/s0.naive/result.json", "{}");
    const struct attempt_failure f = {.tag = "a3", .reason = "told to stop"};
    assert_int_equal(attempt_fail(test_dir, "s2.naive", &f, NULL), 0);
    struct claimer c = claimer("12_0");
    c.again = true;
    assert_int_equal(take(&c), 1);
    assert_int_equal(take(&c), 3);
    assert_int_equal(take(&c), 5);
}

/* Each process writes a line for each unit that it took. One of them damages the hint all the time.
 */
TEST_WITH(many_processes, clear, NULL)
{
    OWNED char *log = at("taken");
    for (int p = 0; p < PROCESSES; p++) {
        if (fork() != 0)
            continue;
        char job[32];
        snprintf(job, sizeof job, "12_%d", p);
        struct claimer c = claimer(job);
        FILE *f = fopen(log, "a");
        struct err e = ERR_INIT;
        unsigned index;
        while (f && claim_next(&c, &index, &e) == 1) {
            fprintf(f, "%u\n", index);
            fflush(f);
            if (p == 0)
                put_at("slurm/array-3.next", index % 2 ? "garbage" : "0000000001\n");
        }
        _exit(!f || fclose(f) != 0 || *e.text);
    }
    for (int p = 0, status; p < PROCESSES; p++) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    unsigned times[UNITS] = {0}, index;
    FILE *f = fopen(log, "r");
    assert_non_null(f);
    while (fscanf(f, "%u", &index) == 1)
        times[index]++;
    fclose(f);
    for (int i = 0; i < UNITS; i++)
        if (times[i] != 1)
            fail_msg("unit %d was taken %u times", i, times[i]);
}

TESTS(start, end)

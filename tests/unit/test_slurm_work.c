/* What a fake squeue says about the queue, how many more elements may run, and a request to stop
 * while a command is asked. */
#include "unit.h"

#include <unistd.h>

#include "execute/stop.h"
#include "slurm/send.h"
#include "slurm/work.h"
#include "test_dir.h"

enum { MOST = 16, STUCK_S = 20 };

TEST(throttles)
{
    static const struct {
        const char *what, *squeue;
        long left;
    } table[] = {
        {"nothing is in the queue", "", MOST},
        {"an array that runs six at a time",
         "12|0|RUNNING|n1|None|pg-1\n12|1-9%6|PENDING||JobArrayTaskLimit|pg-1\n", MOST - 6},
        {"its last two elements", "12|8|RUNNING|n1|None|pg-1\n12|9|RUNNING|n1|None|pg-1\n",
         MOST - 2},
        {"its last element ends", "12|9|COMPLETING|n1|None|pg-1\n", MOST},
        {"another job with its number", "12|1-9%6|PENDING||None|other\n", MOST},
        {"two arrays", "12|1-9%6|PENDING||None|pg-1\n13|0-9%9|PENDING||None|pg-2\n", MOST - 15},
        {"an array of an older version, whose throttle is not on record",
         "14|0-7%4|PENDING||None|pg-3\n", MOST - 8},
        {"more than may run",
         "12|0-9%6|PENDING||None|pg-1\n13|0-9%9|PENDING||None|pg-2\n"
         "14|0-7%4|PENDING||None|pg-3\n",
         1},
        {"an array with other resources", "15|0-9%5|PENDING||None|pg-4\n", MOST},
    };
    static const unsigned throttle[] = {6, 9, 0, 5};
    struct tier tiers[2] = {{.name = "naive"}, {.name = "wide", .slurm.cpus_per_task = 8}};
    struct assignment a = {
        .tiers = tiers, .tiers_count = 2, .submit.max_concurrent = MOST, .slurm.tasks = 1};
    struct unit units[] = {{.id = "a.naive"}, {.id = "a.wide", .tier = 1}};
    struct plan p = {.units = units, .units_count = 2};
    const struct run r = {.dir = test_dir, .plan = &p, .assignment = &a};
    const struct slurm_setup two_units = {.r = &r};
    int of_array[][2] = {{-1, 0}, {0, 0}, {0, 0}, {1, 1}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct slurm_job jobs[4];
        for (int k = 0; k < 4; k++)
            jobs[k] = (struct slurm_job){.number = k + 1,
                                         .name = xasprintf("pg-%d", k + 1),
                                         .job = 12 + k,
                                         .unit = of_array[k],
                                         .count = 2,
                                         .elements = 10,
                                         .throttle = throttle[k],
                                         .queued = 10};
        struct slurm_work s = {.in = &two_units, .jobs = {.item = jobs, .count = 4}};
        struct slurm_list l;
        struct err e = ERR_INIT;
        OWNED char *text = xasprintf("#!/bin/sh\ncat <<'END'\n%sEND\n", table[i].squeue);
        put_command("squeue", text);
        assert_int_equal(work_ask_queue(&s, &l, &e), 1);
        const struct resources res = slurm_unit_resources(&a, &p, 0, &two_units.layers);
        const long left = work_at_a_time(&s, &res);
        if (left != table[i].left)
            fail_msg("%s: %ld more may run, not %ld", table[i].what, left, table[i].left);
        slurm_list_free(&l);
        for (int k = 0; k < 4; k++)
            free(jobs[k].name);
    }
}

/* A run with one unit. */
static struct unit unit = {.id = "a.naive"};
static struct plan plan = {.units = &unit, .units_count = 1};
static struct assignment assignment;
static const struct run one_unit = {.dir = test_dir, .plan = &plan, .assignment = &assignment};
static const struct slurm_setup in = {.r = &one_unit, .o = &(const struct execute_options){0}};

/* An empty directory with the record of one array. */
static void put_array(void)
{
    test_dir_clear(NULL);
    put_at("slurm/array-1.json", "{\"name\": \"pg-1\", \"created\": \"\", \"elements\": 1, "
                                 "\"throttle\": 0, \"units\": [\"a.naive\"]}");
    put_at("slurm/array-1.job", "12\n");
}

static int take_up_nothing(struct slurm_work *s, struct err *e)
{
    return work_take_up(s, NULL, 0, e);
}

/* The question that a signal has ended is the last one. */
TEST(told_to_stop)
{
    static const struct {
        const char *command;
        int (*ask)(struct slurm_work *s, struct err *e);
    } table[] = {{"squeue", take_up_nothing}, {"scontrol", send_learn_max_array}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct slurm_work s = {.in = &in, .contact.poll_ms = WORK_TICK_MS};
        struct err e = ERR_INIT;
        put_array();
        put_command(table[i].command, "#!/bin/sh\nkill -TERM $PPID\nexec sleep 60\n");
        progress_start(&s.notes.progress, 1, true);
        tracking_init(&s.tracked, 1);
        execute_stop = 0;
        execute_catch_signals();
        alarm(STUCK_S);
        assert_int_equal(table[i].ask(&s, &e), 1);
        alarm(0);
        execute_stop = 0;
        notes_free(&s.notes);
        tracking_free(&s.tracked);
        slurm_jobs_free(&s.jobs);
    }
}

/* A wrapper of sbatch printed some number behind that of the job. */
TEST(wrong_number)
{
    struct slurm_work s = {.in = &in};
    FREED_BY(slurm_list_free) struct slurm_list l = {0};
    struct err e = ERR_INIT;
    put_array();
    tracking_init(&s.tracked, 1);
    put_command("squeue", "#!/bin/sh\necho '12|N/A|RUNNING|n1|None|other'\n"
                          "echo '77|0|RUNNING|n1|None|pg-1'\n");
    assert_int_equal(slurm_jobs_load(test_dir, &plan, &s.jobs, &e), 0);
    assert_int_equal(s.jobs.item[0].job, 12);
    tracking_add(&s.tracked, 0, &s.jobs.item[0]);
    assert_int_equal(work_ask_queue(&s, &l, &e), 1);
    assert_int_equal(s.jobs.item[0].job, 77);
    assert_int_equal(s.tracked.item[0].job, 77);
    assert_non_null(work_find(&s.jobs, &l, &s.tracked.item[0]));
    slurm_jobs_free(&s.jobs);
    assert_int_equal(slurm_jobs_load(test_dir, &plan, &s.jobs, &e), 0); /* on disk, too */
    assert_int_equal(s.jobs.item[0].job, 77);
    slurm_jobs_free(&s.jobs);
    tracking_free(&s.tracked);
    notes_free(&s.notes);
}

/* Nothing is in the queue. What a person wants again, the report job does not. */
TEST(gone_before)
{
    for (int from_job = 0; from_job < 2; from_job++) {
        const struct execute_options o = {.from_job = from_job};
        const struct slurm_setup setup = {.r = &one_unit, .o = &o};
        struct slurm_work s = {.in = &setup};
        struct err e = ERR_INIT;
        put_array();
        put_command("squeue", "#!/bin/sh\n");
        tracking_init(&s.tracked, 1);
        assert_int_equal(work_take_up(&s, (const int[]){0}, 1, &e), 0);
        assert_int_equal(s.tracked.count, 1);
        assert_int_equal(s.tracked.item[0].absent, 1);
        assert_int_equal(s.tracked.item[0].earlier, !from_job);
        tracking_free(&s.tracked);
        slurm_jobs_free(&s.jobs);
    }
}

/* Slurm is tidying up after an array that has tried the unit: it needs another one. */
TEST(failed_before)
{
    for (unsigned failed = 0; failed < 2; failed++) {
        struct slurm_work s = {.in = &in};
        struct err e = ERR_INIT;
        put_array();
        if (failed)
            put_at("units/a.naive/infra-a1.json", "{\"reason\": \"x\", \"when\": \"\"}");
        put_command("squeue", "#!/bin/sh\necho '12|0|COMPLETING|n1|None|pg-1'\n");
        tracking_init(&s.tracked, 1);
        assert_int_equal(work_take_up(&s, (const int[]){0}, 1, &e), 0);
        assert_int_equal(s.tracked.count, !failed);
        tracking_free(&s.tracked);
        slurm_jobs_free(&s.jobs);
    }
}

TESTS(test_dir_make_with_bin, test_dir_remove)

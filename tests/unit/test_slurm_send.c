/* Submitting while a fake sbatch refuses: what Slurm is asked, and what is left. */
#include "unit.h"

#include <stdio.h>

#include "slurm/send.h"
#include "test_dir.h"

enum { UNITS = 4, RETRIES = 12 };

/* Writes its kind of job and its words into `calls`. Takes as many arrays as `places` says. The
 * rest is refused with the text in `array` or `report`. */
static const char sbatch[] = "#!/bin/sh\n"
                             "cd \"${0%/*}/..\"\n"
                             "case $* in *--array=*) kind=array ;; *) kind=report ;; esac\n"
                             "echo $kind >>calls\n"
                             "places=$(cat places)\n"
                             "if [ $kind = array ] && [ $places -gt 0 ]; then\n"
                             "    echo $((places - 1)) >places\n"
                             "    echo $((100 + places))\n"
                             "    exit\n"
                             "fi\n"
                             "sed 's/^/sbatch: error: /' $kind >&2\n"
                             "exit 1\n";

static unsigned calls_of(const char *kind)
{
    OWNED char *path = at("calls"), *text = NULL;
    unsigned n = 0;
    if (fs_read(path, 1 << 20, &text, NULL, NULL) == 0)
        for (const char *p = text; (p = strstr(p, kind)); p++)
            n++;
    return n;
}

static unsigned files_of(const char *start)
{
    OWNED char *path = at("slurm");
    OWNED_TEXTS char **names = NULL;
    size_t count;
    unsigned n = 0;
    assert_int_equal(fs_list(path, &names, &count, NULL), 0);
    for (size_t i = 0; i < count; i++)
        n += strncmp(names[i], start, strlen(start)) == 0;
    return n;
}

/* A call that has UNITS units to submit, one at a time. */
struct call {
    struct tier tier;
    struct assignment a;
    struct unit unit[UNITS];
    struct plan p;
    struct run r;
    struct execute_options o;
    struct slurm_setup in;
    struct slurm_work s;
    unsigned taken[1];
    long at_a_time[1];
};

static char *ids[UNITS] = {"a.naive", "b.naive", "c.naive", "d.naive"};

static void begin(struct call *c)
{
    static char proctor[] = "proctor", paragrade[] = "paragrade", unit[] = "u", report[] = "r";
    static char *prefix[] = {NULL};
    static const int all[UNITS] = {0, 1, 2, 3};
    *c = (struct call){
        .tier = {.name = "naive"},
        .a = {.tiers = &c->tier, .tiers_count = 1, .submit.max_concurrent = 8, .slurm.tasks = 1},
        .p = {.run_id = "r", .units = c->unit, .units_count = UNITS},
        .r = {.dir = test_dir, .plan = &c->p, .assignment = &c->a},
        .in = {.r = &c->r,
               .o = &c->o,
               .dir = at("slurm"),
               .proctor = proctor,
               .paragrade = paragrade,
               .unit_script = unit,
               .report_script = report,
               .prefix = prefix},
        .s = {.in = &c->in,
              .arrays = {.chunk = 1, .max_array = 100, .unverified = {.job = -1}},
              .report = {.job = -1},
              .contact = {.poll_ms = 1}},
        .at_a_time = {8},
    };
    for (int i = 0; i < UNITS; i++)
        c->unit[i] = (struct unit){.index = i, .id = ids[i]};
    const struct slurm_units units = {all, UNITS};
    slurm_groups_make(&c->a, &c->p, &units, &c->in.layers, &c->s.arrays.groups);
    assert_int_equal(c->s.arrays.groups.count, 1);
    c->s.arrays.taken = c->taken;
    c->s.arrays.at_a_time = c->at_a_time;
    progress_start(&c->s.notes.progress, UNITS, true);
    tracking_init(&c->s.tracked, UNITS);
    put_command("sbatch", sbatch);
    put_at("slurm/x", "");
}

static void end(struct call *c)
{
    notes_free(&c->s.notes);
    tracking_free(&c->s.tracked);
    slurm_groups_free(&c->s.arrays.groups);
    slurm_jobs_free(&c->s.jobs);
    free(c->s.submitted.job);
    free(c->in.dir);
}

/* As often as the executor does it in a long wait. */
static void send_often(struct call *c)
{
    struct err e = ERR_INIT;
    for (int i = 0; i < RETRIES; i++) {
        c->s.arrays.next_submit = 0;
        if (send_some(&c->s, &e) != 0)
            fail_msg("%s", e.text);
    }
}

/* Waiting for a place costs one call each time, and leaves nothing. */
TEST(at_the_limit)
{
    struct call c;
    begin(&c);
    put_at("places", "1");
    put_at("array", "AssocMaxSubmitJobLimit");
    put_at("report", "AssocMaxSubmitJobLimit");
    send_often(&c);
    assert_int_equal(c.s.tracked.count, 1);
    assert_int_equal(calls_of("array"), RETRIES);
    assert_int_equal(calls_of("report"), 1);
    assert_int_equal(files_of("report-"), 0);
    assert_int_equal(files_of("array-"), 2); /* the record of the array, and its job's number */
    assert_int_equal(c.s.jobs.count, 1);
    /* With the next array, another report job is tried. */
    put_at("places", "1");
    send_often(&c);
    assert_int_equal(c.s.tracked.count, 2);
    assert_int_equal(calls_of("report"), 2);
    assert_int_equal(files_of("report-"), 0);
    assert_int_equal(c.s.jobs.count, 2);
    assert_int_equal(c.s.jobs.item[1].number, 2);
    end(&c);
}

/* A report job that may have got in: should it come late, it must find that it is void. */
TEST(no_answer)
{
    struct call c;
    begin(&c);
    put_at("places", "1");
    put_at("array", "AssocMaxSubmitJobLimit");
    put_at("report", "Unable to contact slurm controller");
    for (unsigned n = 1; n <= 2; n++) {
        put_at("places", "1");
        send_often(&c);
        assert_int_equal(c.s.tracked.count, n);
        assert_int_equal(calls_of("report"), n);
        assert_int_equal(files_of("report-"), n);
        assert_int_equal(c.s.jobs.count, n);
    }
    assert_true(exists_at("slurm/report-1.void"));
    assert_true(exists_at("slurm/report-2.void"));
    end(&c);
}

/* The arrays of this call are ended by their names as well: sbatch may be a wrapper that prints
 * other numbers. */
TEST(refused)
{
    struct call c;
    struct err e = ERR_INIT;
    begin(&c);
    put_command("scancel", "#!/bin/sh\necho $* >>\"${0%/*}/../cancelled\"\n");
    put_at("places", "2");
    put_at("array", "Invalid partition name specified");
    put_at("report", "AssocMaxSubmitJobLimit");
    int rc = 0;
    for (int i = 0; i < RETRIES && rc == 0; i++) {
        c.s.arrays.next_submit = 0;
        c.s.arrays.chunk = 1;
        rc = send_some(&c.s, &e);
    }
    assert_int_equal(rc, -1);
    assert_non_null(strstr(e.text, "Invalid partition"));
    OWNED char *path = at("cancelled"), *text = NULL;
    char *line = NULL;
    assert_int_equal(fs_read(path, 4096, &text, NULL, NULL), 0);
    for (int i = 0; i < 2; i++) {
        line = xasprintf("--name=pg-r-%d-", i + 1);
        const char *found = strstr(text, line);
        assert_non_null(found);
        OWNED char *number = xasprintf(" %d\n", 102 - i);
        assert_ptr_equal(strstr(found, number), strchr(found, ' '));
        free(line);
    }
    end(&c);
}

TESTS_WITH(test_dir_clear, NULL, test_dir_make_with_bin, test_dir_remove)

/* What becomes of units whose array has left the queue: who is to blame is told by a fake sacct. */
#include "unit.h"

#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rundir/attempts.h"
#include "slurm/lost.h"
#include "test_dir.h"

enum { ARRAY = 1, JOB = 12 };

enum fate { LEFT, CANCELLED, FAILED, AGAIN /* recorded, and goes into another array */ };

struct ended {
    const char *what;
    const char *sacct; /* JobID|State|NodeList|ExitCode|End; "ME" is this user */
    bool others_taken; /* another unit of the array was taken */
    bool earlier;      /* the element was gone when the front end began */
    long task;         /* of the element that took the unit; -1: nobody has */
    const char *held;  /* a node could not start an element: "ELEMENT NODE" */
    const char *log;   /* of element 0 */
    const char *says;  /* in the record of the failure */
    enum fate fate;
};

static void fake_sacct(const char *answer)
{
    OWNED char *me =
        xasprintf("#!/bin/sh\nsed 's/ME/%ld/' <<'END'\n%sEND\n", (long)getuid(), answer);
    OWNED char *path = at("bin/sacct");
    put_at("bin/sacct", me);
    assert_int_equal(chmod(path, 0755), 0);
}

/* The array is taken up from disk, as by a front end that was started again. */
static enum fate fate_of(const struct ended *x)
{
    struct submission one = {.id = "a"};
    struct unit unit = {.id = "a.naive"};
    struct plan p = {.units = &unit, .units_count = 1, .submissions = &one, .submissions_count = 1};
    const struct run r = {.dir = test_dir, .plan = &p};
    const struct slurm_setup in = {.r = &r};
    struct unit_now now = {0};
    struct slurm_work s = {.in = &in, .grid = {.unit = &now}};
    struct err e = ERR_INIT;

    test_dir_clear(NULL);
    fake_sacct(x->sacct);
    put_at("slurm/array-1.json", "{\"name\": \"pg-1\", \"created\": \"\", \"elements\": 1, "
                                 "\"throttle\": 0, \"units\": [\"a.naive\"]}");
    put_at("slurm/array-1.job", "12\n");
    if (x->others_taken)
        put_at("slurm/array-1.next", "0000000001\n");
    if (x->held)
        put_at("slurm/array-1.held", x->held);
    if (x->log)
        put_at("slurm/array-1-0.log", x->log);
    assert_int_equal(slurm_jobs_load(test_dir, &p, &s.jobs, &e), 0);
    progress_start(&s.notes.progress, 1, true);
    tracking_init(&s.tracked, 1);
    struct tracked *t = tracking_add(&s.tracked, 0, &s.jobs.item[0]);
    t->absent = 2;
    t->earlier = x->earlier;
    t->task = x->task;
    assert_int_equal(lost_explain(&s, &e), 0);
    assert_true(t->left || t->over);
    const struct attempt_count c = attempt_failures(test_dir, "a.naive");
    const enum fate fate = t->left && c.failures ? AGAIN
                           : t->left             ? LEFT
                           : c.cancelled         ? CANCELLED
                                                 : FAILED;
    assert_int_equal(c.failures, fate != LEFT);
    if (fate == AGAIN) { /* neither a failure that counts nor a reason to wait for `resume` */
        assert_int_equal(c.postponed, 1);
        assert_int_equal(c.cancelled, 0);
    }
    if (x->says) {
        OWNED char *dir = at("units/a.naive");
        OWNED_TEXTS char **names = NULL;
        OWNED char *text = NULL;
        size_t count;
        assert_int_equal(fs_list(dir, &names, &count, &e), 0);
        assert_int_equal(count, 1);
        OWNED char *path = xasprintf("%s/%s", dir, names[0]);
        assert_int_equal(fs_read(path, 1 << 16, &text, NULL, &e), 0);
        if (!strstr(text, x->says))
            fail_msg("%s: %s", x->what, text);
    }
    notes_free(&s.notes);
    tracking_free(&s.tracked);
    slurm_jobs_free(&s.jobs);
    return fate;
}

TEST(tables)
{
    static const struct ended table[] = {
        {"one element is cancelled, the others have no time left",
         "12_0|CANCELLED by ME|n1|0:0|2026-11-24T10:00:00\n"
         "12_1|TIMEOUT|n2|0:0|2026-11-24T11:00:00\n",
         .others_taken = true, .fate = LEFT, .task = -1},
        {"the array is cancelled after an element has ended",
         "12_0|COMPLETED|n1|0:0|2026-11-24T10:00:00\n"
         "12_1|CANCELLED by ME|n2|0:0|2026-11-24T11:00:00\n"
         "12_[2-9%2]|CANCELLED by ME|None assigned|0:0|2026-11-24T11:00:00\n",
         .others_taken = true, .fate = CANCELLED, .task = -1},
        {"all elements are cancelled, and none took a unit",
         "12_0|CANCELLED by ME|n1|0:0|2026-11-24T10:00:00\n"
         "12_1|CANCELLED by ME|n2|0:0|2026-11-24T10:00:00\n",
         .fate = CANCELLED, .task = -1},
        {"somebody else cancelled it", "12_0|CANCELLED by 4000000|n1|0:0|2026-11-24T10:00:00\n",
         .others_taken = true, .fate = LEFT, .task = -1},
        {"somebody else cancelled it before it began",
         "12_0|CANCELLED by 4000000|None assigned|0:0|2026-11-24T10:00:00\n", .fate = FAILED,
         .task = -1},
        {"a node could not start the element, so the front end cancelled it",
         "12_0|CANCELLED by ME|None assigned|0:0|2026-11-24T10:00:00\n", .held = "0 n1\n",
         .fate = FAILED, .task = -1},
        {"the same, and another element did some units",
         "12_0|CANCELLED by ME|None assigned|0:0|2026-11-24T11:00:00\n"
         "12_1|COMPLETED|n2|0:0|2026-11-24T10:00:00\n",
         .others_taken = true, .held = "0 n1\n", .fate = LEFT, .task = -1},
        {"the same, and the user cancelled the other element",
         "12_0|CANCELLED by ME|None assigned|0:0|2026-11-24T10:00:00\n"
         "12_1|CANCELLED by ME|n2|0:0|2026-11-24T11:00:00\n",
         .others_taken = true, .held = "0 n1\n", .fate = CANCELLED, .task = -1},
        {"the array was cancelled before the front end began",
         "12_0|CANCELLED by ME|None assigned|0:0|2026-11-24T10:00:00\n", .earlier = true,
         .task = -1, .fate = AGAIN},
        {"the element that took the unit was cancelled before the front end began",
         "12_0|CANCELLED by ME|n1|0:0|2026-11-24T10:00:00\n", .earlier = true, .fate = AGAIN},
        {"the element that took the unit is cancelled",
         "12_0|CANCELLED by ME|n1|0:0|2026-11-24T10:00:00\n", .fate = CANCELLED},
        {"a node failed before the front end began", "12_0|NODE_FAIL|n1|0:0|2026-11-24T10:00:00\n",
         .earlier = true, .fate = FAILED},
        {"a module is not there in jobs", "12_0|FAILED|n1|2:0|2026-11-24T10:00:00\n",
         .log = "hello\nthe module gcc/99 cannot be loaded\033 on n1\n\n", .task = -1,
         .says = "job 12): the module gcc/99 cannot be loaded  on n1\"", .fate = FAILED},
    };
    static const char *const name[] = {"left", "cancelled", "failed", "again"};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const enum fate fate = fate_of(&table[i]);
        if (fate != table[i].fate)
            fail_msg("%s: the unit is %s, not %s", table[i].what, name[fate], name[table[i].fate]);
    }
}

static int begin(void **state)
{
    /* As a user: what root cancelled, Slurm itself may have cancelled. */
    if (getuid() == 0 && (setuid(65534) != 0 || prctl(PR_SET_DUMPABLE, 1) != 0))
        return -1;
    return test_dir_make_with_bin(state);
}

TESTS(begin, test_dir_remove)

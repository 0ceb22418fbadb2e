/*
 * Proctors on this machine. They check and time `jobs` units at a time: they take turns. There is
 * one proctor more, which builds its unit meanwhile, and then waits for its turn; but not where no
 * file can be locked, and not where the first failure is to be the last: then there is one.
 *
 * Each proctor leads a process group of its own, so that the terminal's Ctrl-C reaches this process
 * alone, which then ends the groups itself. When this process dies, the kernel sends its proctors a
 * signal (PR_SET_PDEATHSIG), so that none goes on alone.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/plural.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "execute/forecast.h"
#include "execute/local.h"
#include "execute/local_child.h"
#include "execute/proctor_program.h"
#include "execute/stop.h"
#include "execute/unit_grid.h"
#include "model/protection.h"
#include "rundir/attempts.h"
#include "rundir/lock.h"
#include "rundir/paths.h"
#include "rundir/proctor_status.h"
#include "rundir/quiet_file.h"
#include "rundir/result_file.h"
#include "rundir/stage.h"

enum {
    POLL_MS = 10,
    LOOK_MS = 200,              /* at what the proctors do, and at the lock of the run */
    STOP_GRACE_MS = 5000,       /* between SIGTERM and SIGKILL */
    HANG_EXTRA_MS = 15 * 60000, /* beyond the unit's own limits: the proctor hangs */
    TOLD_S = 2,                 /* a stage that takes as long says how long */
};

struct slot {
    pid_t pid; /* 0: free */
    int unit;
    uint64_t deadline_ns;
    bool hung;
    char tag[80];
    char *log;
    char stage[STAGE_TEXT]; /* what it said last, and since when */
    uint64_t since_ns;
};

struct local {
    const struct run *r;
    char *proctor;
    char **prefix; /* words before the proctor */
    struct slot *slot;
    unsigned slots;
    char turns[16];
    bool wait;                  /* for other runs on this machine */
    bool first_failure, failed; /* end with it; one has failed */
    struct progress progress;
    struct unit_grid grid;
    size_t done;
    double spent; /* by those that are done, seconds */
    unsigned started;
};

static const char *unit_id(const struct local *l, int unit)
{
    return l->r->plan->units[unit].id;
}

/* The command line of a proctor; free with proc_argv_free(). */
static char **proctor_command(const struct local *l, const struct slot *s)
{
    const char *words[] = {l->proctor,  "--run", l->r->dir, "--unit", unit_id(l, s->unit),
                           "--attempt", s->tag,  "--turns", l->turns, l->wait ? NULL : "--no-wait",
                           NULL};
    return execute_command(l->prefix, words);
}

/* The proctor, and all that it started. Just after fork(), it has no group of its own yet. */
static void signal_proctor(const struct slot *s, int sig)
{
    if (kill(-s->pid, sig) != 0)
        kill(s->pid, sig);
}

static int start(struct local *l, struct slot *s, int unit, struct err *e)
{
    OWNED char *dir = rundir_unit(l->r->dir, unit_id(l, unit));
    int rc = fs_mkdirs(dir, e);
    s->unit = unit;
    s->hung = false;
    s->stage[0] = '\0';
    snprintf(s->tag, sizeof s->tag, "local-%ld-%u-%llx", (long)getpid(), l->started++,
             (unsigned long long)clock_mono_ns());
    s->log = rundir_proctor_log(l->r->dir, unit_id(l, unit), s->tag);
    if (rc != 0)
        return -1;
    int log = open(s->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (log < 0)
        return err_system(e, "%s: cannot create: %s", s->log, strerror(errno));
    const struct limits *lim = &l->r->assignment->limits;
    /* Twice: before its turn, it waits for another unit. */
    s->deadline_ns =
        clock_mono_ns() +
        UINT64_C(2000000) * (uint64_t)(2 * lim->build_ms + 2 * lim->unit_ms + HANG_EXTRA_MS);
    pid_t parent = getpid();
    OWNED_TEXTS char **argv = proctor_command(l, s);
    s->pid = fork();
    if (s->pid == 0)
        local_child_exec(argv, parent, log);
    int why = errno;
    close(log);
    if (s->pid < 0) {
        s->pid = 0;
        return err_system(e, "cannot start a proctor: %s", strerror(why));
    }
    return 0;
}

static int record_failure(const struct local *l, const struct slot *s, int status, struct err *e)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    OWNED char *reason = local_child_no_result(s->log, s->hung, status);
    const struct attempt_failure f = {.tag = s->tag, .reason = reason, .host = host};
    return attempt_fail(l->r->dir, unit_id(l, s->unit), &f, e);
}

static void show_done(struct local *l, const struct slot *s)
{
    const char *id = unit_id(l, s->unit);
    OWNED char *path = rundir_result(l->r->dir, id);
    struct unit_result *res = NULL;
    struct unit_now *now = &l->grid.unit[s->unit];
    l->done++;
    if (unit_result_load(path, &res, NULL) == 0) {
        *now = (struct unit_now){UNIT_DONE, res->verdict};
        l->spent += res->total_seconds;
        l->failed = l->failed || (verdict_fault(res->verdict) == FAULT_STUDENT);
        progress_update(&l->progress, l->done, "%s: %s", id, verdict_name(res->verdict));
    } else {
        *now = (struct unit_now){.stage = UNIT_NO_VERDICT};
        progress_update(&l->progress, l->done, "%s: no verdict (the attempt failed)", id);
    }
    unit_result_free(res);
}

static int finish(struct local *l, struct slot *s, int status, struct err *e)
{
    const char *id = unit_id(l, s->unit);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1, rc = 0;
    /* 125 and 126 are what the commands of a prefix say of themselves, and of what they start. */
    const bool unusable =
        code == PROCTOR_BAD_USAGE || code == 127 || (l->prefix[0] && (code == 125 || code == 126));
    if (unusable) { /* it would be the same with every unit */
        OWNED char *tail = local_child_log(s->log);
        rc = err_system(e, "%s cannot be used%s", l->prefix[0] ? l->prefix[0] : l->proctor, tail);
    } else if (!attempt_has_result(l->r->dir, id) && !attempt_has_failure(l->r->dir, id, s->tag)) {
        rc = record_failure(l, s, status, e);
    }
    if (rc == 0)
        show_done(l, s);
    return rc;
}

static void release(struct slot *s)
{
    s->pid = 0;
    free(s->log);
    s->log = NULL;
}

/* Reap the proctors that have ended. Returns how many still run, or -1. */
static int reap(struct local *l, struct err *e)
{
    int running = 0, rc = 0;
    for (unsigned i = 0; i < l->slots; i++) {
        struct slot *s = &l->slot[i];
        int status;
        if (!s->pid)
            continue;
        if (waitpid(s->pid, &status, WNOHANG) == s->pid) {
            if (rc == 0 && !execute_stop)
                rc = finish(l, s, status, e);
            release(s);
            continue;
        }
        if (clock_mono_ns() > s->deadline_ns) {
            s->hung = true;
            signal_proctor(s, SIGKILL);
        }
        running++;
    }
    return rc == 0 ? running : -1;
}

static void stop_all(struct local *l)
{
    uint64_t until = clock_mono_ns() + STOP_GRACE_MS * UINT64_C(1000000);
    bool killed = false;
    for (unsigned i = 0; i < l->slots; i++)
        if (l->slot[i].pid)
            signal_proctor(&l->slot[i], SIGTERM);
    for (;;) {
        bool any = false;
        for (unsigned i = 0; i < l->slots; i++) {
            struct slot *s = &l->slot[i];
            if (s->pid && waitpid(s->pid, NULL, WNOHANG) == s->pid)
                release(s);
            any = any || s->pid;
        }
        if (!any)
            return;
        if (!killed && clock_mono_ns() > until) {
            killed = true;
            for (unsigned i = 0; i < l->slots; i++)
                if (l->slot[i].pid)
                    signal_proctor(&l->slot[i], SIGKILL);
        }
        clock_sleep_ms(POLL_MS);
    }
}

/* Sleep until a proctor ends or a signal arrives, but not for long. A process that woke up more
 * often would disturb what is timed. */
static void wait_for_child(void)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigtimedwait(&child, NULL, &(struct timespec){.tv_nsec = LOOK_MS * 1000000L});
}

/* The words of a stage, and for how long, unless it has just begun. */
static void tell_stage(struct slot *s, const char *stage, char words[STAGE_TEXT])
{
    const uint64_t now = clock_mono_ns();
    if (strcmp(s->stage, stage) != 0) {
        snprintf(s->stage, sizeof s->stage, "%s", stage);
        s->since_ns = now;
    }
    const uint64_t seconds = (now - s->since_ns) / 1000000000;
    if (seconds >= TOLD_S)
        snprintf(words, STAGE_TEXT, "%.*s, %llu s", STAGE_TEXT - 24, stage,
                 (unsigned long long)seconds);
    else
        snprintf(words, STAGE_TEXT, "%s", stage);
}

/* What the proctors do. In words: one of them, the first one that does not wait for its turn. */
static void show_stages(struct local *l)
{
    char stage[STAGE_TEXT], words[STAGE_TEXT] = "";
    const struct slot *told = NULL;
    unsigned running = 0;
    for (unsigned i = 0; i < l->slots; i++) {
        const struct slot *s = &l->slot[i];
        if (!s->pid)
            continue;
        running++;
        const bool known = stage_last(s->log, stage, sizeof stage);
        l->grid.unit[s->unit].stage = unit_stage_of_words(stage);
        if (told || !known || strcmp(stage, STAGE_TURN) == 0)
            continue;
        told = s;
        tell_stage(&l->slot[i], stage, words);
    }
    const double each = l->done ? l->spent / (double)l->done : 0;
    l->progress.left_s = forecast_left(each, running, l->progress.total - l->done - running);
    if (told)
        progress_update(&l->progress, l->done, "%s: %s", unit_id(l, told->unit), words);
    else if (!l->done) /* they have said nothing yet */
        progress_update(&l->progress, l->done, "%u %s", running,
                        plural(running, "unit has begun", "units have begun"));
}

static void draw(void *with, int columns, int lines, struct strbuf *out)
{
    const struct local *l = with;
    unit_grid_draw(&l->grid, stderr, columns, lines, out);
}

static struct slot *free_slot(struct local *l)
{
    for (unsigned i = 0; i < l->slots; i++)
        if (!l->slot[i].pid)
            return &l->slot[i];
    return NULL;
}

static int run_units(struct local *l, const int *units, unsigned count, struct err *e)
{
    unsigned next = 0;
    for (;;) {
        struct slot *s;
        int running = reap(l, e);
        if (running < 0)
            return -1;
        if (l->failed && l->first_failure)
            return execute_stop ? 1 : 2;
        for (; next < count && !execute_stop && (s = free_slot(l)); running++) {
            if (start(l, s, units[next++], e) != 0) {
                release(s);
                return -1;
            }
        }
        if (execute_stop)
            return 1;
        if (run_lock_kept(l->r->dir, e) != 0)
            return -1;
        if (!running)
            return 0;
        wait_for_child();
        show_stages(l);
    }
}

/* So many proctors more than there are turns: one builds the next unit, another one looks at the
 * last one again. */
enum { WAITING = 2 };

/* Can proctors wait for their turn? If not, one more would check and time beside the others. */
static bool can_wait(void)
{
    const int fd = quiet_file_open(QUIET_FILE_DIR);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static int execute_local(const struct run *r, const struct execute_options *o, const int *units,
                         unsigned count, struct err *e)
{
    if (!r->plan->unprotected && protection_check_here(r->assignment->protections, e) != 0)
        return -1;
    OWNED char *proctor = execute_proctor();
    if (access(proctor, X_OK) != 0) {
        err_system(e, "%s: %s; the installation is incomplete (make, or make install)", proctor,
                   strerror(errno));
        return -1;
    }
    OWNED_TEXTS char **prefix = execute_prefix(&o->site, e);
    if (!prefix)
        return -1;
    const unsigned jobs = o->jobs > 0 ? (unsigned)o->jobs : 1;
    struct local l = {.r = r,
                      .proctor = proctor,
                      .prefix = prefix,
                      .slots = o->first_failure ? 1 : jobs + (can_wait() ? WAITING : 0),
                      .wait = o->wait,
                      .first_failure = o->first_failure};
    snprintf(l.turns, sizeof l.turns, "%u", jobs);
    l.slot = xcalloc(l.slots, sizeof *l.slot);
    progress_start(&l.progress, count, o->quiet);
    l.progress.before = r->plan->units_count - plan_presets(r->plan) - count;
    l.progress.draw = draw;
    l.progress.with = &l;
    unit_grid_init(&l.grid, r, units, count);
    sigset_t child, before;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &before); /* for wait_for_child() */
    int rc = run_units(&l, units, count, e);
    if (rc != 0)
        stop_all(&l);
    sigprocmask(SIG_SETMASK, &before, NULL);
    progress_end(&l.progress);
    unit_grid_free(&l.grid);
    for (unsigned i = 0; i < l.slots; i++)
        free(l.slot[i].log);
    free(l.slot);
    return rc;
}

const struct executor executor_local = {execute_local};

/* One process at a time drives a run, and others see whether it is alive. */
#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "rundir/lock.h"
#include "rundir/paths.h"
#include "test_dir.h"

/* A holder signs every 5 s. */
enum { SIGNED_WITHIN_MS = 8000, POLL_MS = 100 };

TEST(one_driver_at_a_time)
{
    struct err e = ERR_INIT;
    OWNED char *lock = rundir_lock(test_dir);
    assert_false(run_is_locked(test_dir));
    assert_int_equal(run_lock(test_dir, &e), 0);
    assert_true(run_is_locked(test_dir));
    assert_int_equal(run_lock(test_dir, &e), 0); /* ours already */
    assert_int_equal(run_lock_check(test_dir, &e), 0);
    run_unlock(test_dir);
    assert_false(fs_exists(lock));

    static const struct {
        const char *text;
        bool taken; /* over, at once */
    } row[] = {
        {"", false}, /* unknown holders are given time */
        {"{\"host\":\"elsewhere\",\"boot\":\"x\",\"pid\":1,\"start\":\"1\"}", false},
        {"HERE \"boot\":\"another boot\",\"pid\":1,\"start\":\"1\"}", true},
        {"HERE BOOT \"pid\":1,\"start\":\"1\"}", true}, /* another process has its number now */
        {"HERE BOOT \"pid\":99999999,\"start\":\"1\"}", true},
    };
    char host[256] = "", boot[64] = "";
    gethostname(host, sizeof host - 1);
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");
    assert_non_null(f);
    assert_non_null(fgets(boot, sizeof boot, f));
    fclose(f);
    boot[strcspn(boot, "\n")] = '\0';
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const char *p = row[i].text;
        FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT;
        if (strncmp(p, "HERE ", 5) == 0) {
            strbuf_addf(&text, "{\"host\":\"%s\",", host);
            p += 5;
        }
        if (strncmp(p, "BOOT ", 5) == 0) {
            strbuf_addf(&text, "\"boot\":\"%s\",", boot);
            p += 5;
        }
        strbuf_adds(&text, p);
        assert_int_equal(fs_write_atomic(lock, text.s, text.len, NULL), 0);
        int rc = run_lock(test_dir, &e);
        if (rc != (row[i].taken ? 0 : 1))
            fail_msg("lock %zu: %d", i, rc);
        if (rc == 0)
            run_unlock(test_dir);
        else
            unlink(lock);
    }

    /* A holder elsewhere that has not been heard of for long is dead. */
    const char *foreign = row[1].text;
    const struct timespec old[2] = {{.tv_nsec = UTIME_NOW}, {.tv_sec = 1000000000}};
    assert_int_equal(fs_write_atomic(lock, foreign, strlen(foreign), NULL), 0);
    assert_int_equal(utimensat(AT_FDCWD, lock, old, 0), 0);
    assert_int_equal(run_lock(test_dir, &e), 0);
    run_unlock(test_dir);
}

/* As if the lock had not been signed for years. */
static void make_old(const char *lock)
{
    const struct timespec old[2] = {{.tv_nsec = UTIME_NOW}, {.tv_sec = 1000000000}};
    assert_int_equal(utimensat(AT_FDCWD, lock, old, 0), 0);
}

static bool is_old(const char *lock)
{
    struct stat st;
    assert_int_equal(stat(lock, &st), 0);
    return st.st_mtim.tv_sec == 1000000000;
}

/* Has somebody signed the lock within some seconds? */
static bool is_signed(const char *lock)
{
    for (int ms = 0; is_old(lock) && ms < SIGNED_WITHIN_MS; ms += POLL_MS)
        clock_sleep_ms(POLL_MS);
    return !is_old(lock);
}

/* A process that takes the lock and then does something else for long. */
static pid_t holder(const char *lock)
{
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        if (run_lock(test_dir, NULL) == 0)
            sleep(60);
        _exit(1);
    }
    while (!fs_exists(lock))
        clock_sleep_ms(1);
    return pid;
}

TEST(a_busy_holder_is_alive_and_a_stopped_one_is_not)
{
    OWNED char *lock = rundir_lock(test_dir);
    const pid_t pid = holder(lock);
    make_old(lock);
    const bool alive = is_signed(lock);
    kill(pid, SIGSTOP);
    assert_int_equal(waitpid(pid, NULL, WUNTRACED), pid);
    make_old(lock);
    const bool stopped_signs = is_signed(lock);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    assert_true(alive);
    assert_false(stopped_signs);
    unlink(lock);
}

TEST(a_holder_learns_that_another_has_taken_over)
{
    struct err e = ERR_INIT;
    assert_int_equal(run_lock(test_dir, &e), 0);
    assert_int_equal(run_lock_kept(test_dir, &e), 0);
    put_at("lock", "theirs");
    assert_int_equal(run_lock_check(test_dir, &e), -1); /* at once */
    for (int ms = 0; run_lock_kept(test_dir, &e) == 0 && ms < SIGNED_WITHIN_MS; ms += POLL_MS)
        clock_sleep_ms(POLL_MS);
    assert_int_equal(run_lock_kept(test_dir, &e), -1);
    assert_non_null(strstr(e.text, "taken over"));
    run_unlock(test_dir);
    assert_true(exists_at("lock"));
}

TESTS_WITH(test_dir_clear, NULL, test_dir_make, test_dir_remove)

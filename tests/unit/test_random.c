/* Random numbers of the system, with a system that is in this file. */
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"

/* --- in place of the system ----------------------------------------------------------------- */

static int interrupted; /* so many calls fail at first */
static bool none;
static unsigned char next;

/* Gives at most three bytes: 1, 2, 3, ... */
ssize_t getrandom(void *out, size_t n, unsigned flags)
{
    (void)flags;
    if (none || interrupted-- > 0) {
        errno = none ? ENOSYS : EINTR;
        return -1;
    }
    n = n < 3 ? n : 3;
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)out)[i] = ++next;
    return (ssize_t)n;
}

/* --- tests ---------------------------------------------------------------------------------- */

TEST(all_bytes)
{
    unsigned char got[9] = {0};
    static const unsigned char want[9] = {1, 2, 3, 4, 5, 6, 7, 8, 0};
    next = 0;
    interrupted = 2;
    random_bytes(got, 8);
    assert_memory_equal(got, want, sizeof got);
}

TEST(a_word)
{
    unsigned char bytes[8];
    next = 0;
    const uint64_t word = random_word();
    memcpy(bytes, &word, sizeof bytes);
    assert_int_equal(bytes[0], 1);
    assert_int_equal(bytes[7], 8);
}

/* No number instead of one that can be guessed. */
TEST(no_numbers)
{
    int fd[2], status;
    char said[200] = "";
    assert_int_equal(pipe(fd), 0);
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL); /* cmocka catches it */
        dup2(fd[1], STDERR_FILENO);
        none = true;
        (void)random_word();
        _exit(0);
    }
    close(fd[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(read(fd[0], said, sizeof said - 1) > 0);
    close(fd[0]);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    assert_string_equal(said,
                        "paragrade: the system has no random numbers: Function not implemented\n");
}

TESTS(NULL, NULL)

/* The priority of timed code, where somebody wants the grader to give way. */
#include "unit.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "supervise/priority.h"

/* The nice value after the changes of a proctor that starts with `start`. */
static int after(int start)
{
    const pid_t pid = fork();
    if (pid == 0) {
        setpriority(PRIO_PROCESS, 0, start);
        priority_set(PRIORITY_TIMED);
        const int timed = getpriority(PRIO_PROCESS, 0);
        priority_set(PRIORITY_USUAL);
        _exit(timed > 0 && getpriority(PRIO_PROCESS, 0) != timed ? 99 : timed + 20);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status) - 20;
}

TEST(a_low_priority_stays)
{
    assert_int_equal(after(19), 19);
    assert_int_equal(after(1 + getpriority(PRIO_PROCESS, 0)), 1 + getpriority(PRIO_PROCESS, 0));
}

TEST(the_usual_one_is_raised_where_this_is_allowed)
{
    if (getpriority(PRIO_PROCESS, 0) != 0)
        skip();
    const int nice = after(0);
    assert_true(nice == 0 || nice == PRIORITY_TIMED);
}

TESTS(NULL, NULL)

#include "execute/local_child.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/fsio.h"
#include "base/inherited_limits.h"
#include "base/strbuf.h"
#include "rundir/proctor_status.h"
#include "rundir/stage.h"

enum { LOG_TAIL = 400, LOG_MOST = 16 << 20 };

void local_child_exec(char **argv, pid_t parent, int log)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* A session of its own: the kernel may share cores between sessions, and the proctor raises the
     * priority of its session while it times. It must not raise that of the user's other programs.
     */
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(PROCTOR_INFRASTRUCTURE); /* it died before the call above */
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (dup2(null, 0) >= 0 && dup2(log, 1) >= 0 && dup2(log, 2) >= 0)
        execvp(argv[0], argv);
    _exit(127);
}

char *local_child_log(const char *log)
{
    OWNED char *text = NULL;
    size_t len = 0;
    if (fs_read(log, LOG_MOST, &text, &len, NULL) != 0)
        return xstrdup("");
    stage_remove_lines(text);
    len = strlen(text);
    while (len && (text[len - 1] == '\n' || text[len - 1] == ' '))
        text[--len] = '\0';
    const char *tail = len > LOG_TAIL ? text + len - LOG_TAIL : text;
    if (tail > text) /* not from the middle of a word */
        tail += strcspn(tail, " \n");
    char *out = xasprintf("%s%s", *tail ? ": " : "", tail);
    for (char *p = out; *p; p++)
        if (*p == '\n')
            *p = ' ';
    return out;
}

char *local_child_no_result(const char *log, bool hung, int status)
{
    char how[256];
    if (hung)
        snprintf(how, sizeof how, "the proctor hung far beyond the unit's limits");
    else if (WIFSIGNALED(status))
        snprintf(how, sizeof how, "the proctor was killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(how, sizeof how, "the proctor ended with status %d and left no result",
                 WEXITSTATUS(status));
    const uint64_t cpu = inherited_limits_cpu();
    if (cpu && WIFSIGNALED(status) && !hung) {
        const size_t n = strlen(how);
        snprintf(how + n, sizeof how - n,
                 ", perhaps by the limit of %llu s of processor time (ulimit -t)",
                 (unsigned long long)cpu);
    }
    char *tail = local_child_log(log), *reason = xasprintf("%s%s", how, tail);
    free(tail);
    return reason;
}

/* A child executes /bin/true behind a gate that is answered, or closed. */
#include "unit.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "supervise/exec_gate.h"

enum { NOT_EXECUTED = 7 };

static void child(int socket)
{
    char *const argv[] = {"true", NULL}, *const env[] = {NULL};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    const int gate = exec_gate_make();
    if (gate < 0 || exec_gate_send(socket, gate) != 0)
        _exit(1);
    execve("/bin/true", argv, env);
    _exit(NOT_EXECUTED);
}

static int status_of(pid_t pid)
{
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static pid_t start(int *gate)
{
    int pair[2], why;
    if (!exec_gate_possible())
        skip();
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
    const pid_t pid = fork();
    if (pid == 0)
        child(pair[1]);
    close(pair[1]);
    *gate = exec_gate_receive(pair[0], &why);
    close(pair[0]);
    assert_true(*gate >= 0);
    return pid;
}

TEST(answered)
{
    int gate;
    const pid_t pid = start(&gate);
    struct pollfd p = {gate, POLLIN, 0};
    assert_int_equal(poll(&p, 1, 10000), 1);
    assert_int_equal(waitpid(pid, NULL, WNOHANG), 0); /* it waits */
    exec_gate_answer(gate);
    assert_int_equal(status_of(pid), 0);
    close(gate);
}

TEST(closed)
{
    int gate;
    const pid_t pid = start(&gate);
    close(gate);
    assert_int_equal(status_of(pid), NOT_EXECUTED);
}

/* Who has ended meanwhile is not waited for. */
TEST(ended)
{
    int gate;
    const pid_t pid = start(&gate);
    struct pollfd p = {gate, POLLIN, 0};
    assert_int_equal(poll(&p, 1, 10000), 1);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    exec_gate_answer(gate);
    close(gate);
}

/* A number comes instead of the gate when a program could not be started. */
TEST(number)
{
    int pair[2], sent = 4711, why;
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
    assert_int_equal(write(pair[1], &sent, sizeof sent), sizeof sent);
    close(pair[1]);
    assert_int_equal(exec_gate_receive(pair[0], &why), -1);
    assert_int_equal(why, sent);
    assert_int_equal(exec_gate_receive(pair[0], &why), -1);
    assert_int_equal(why, 0);
    close(pair[0]);
}

TESTS(NULL, NULL)

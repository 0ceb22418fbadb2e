#include "supervise/launch_agent.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "abi/protocol.h"
#include "base/fsio.h"
#include "base/strbuf.h"

enum { ASK_LIMIT_S = 5, LIBRARY_MOST = 200 << 20 };

static int listen_at(const char *path)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (strlen(path) < sizeof a.sun_path)
        memcpy(a.sun_path, path, strlen(path) + 1);
    if (fd >= 0 && a.sun_path[0] && bind(fd, (struct sockaddr *)&a, sizeof a) == 0 &&
        listen(fd, SOMAXCONN) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* So many slots of each host, as a launcher reads them. */
static int write_hosts(const struct driver_process *d, const char *file, const char *slots)
{
    const struct launch l = d->spec.launch;
    const struct other_nodes *all = d->spec.others;
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    strbuf_addf(&sb, "%s%s%d\n", all->head, slots, l.ranks / l.nodes);
    for (int i = 0; i + 1 < l.nodes; i++)
        strbuf_addf(&sb, "%s%s%d\n", all->node[i].name, slots, l.ranks / l.nodes);
    OWNED char *path = xasprintf("%s/%s", d->spec.scratch, file);
    return fs_write_unsynced(path, sb.s, sb.len, NULL);
}

bool launch_agent_open(struct driver_process *d, struct outcome *o)
{
    if (d->spec.launch.nodes <= 1)
        return true;
    OWNED char *path = xasprintf("%s/agent", d->spec.scratch);
    unlink(path);
    d->agent = d->spec.others ? listen_at(path) : -1;
    if (d->agent >= 0 && write_hosts(d, "hosts", " slots=") == 0 && /* Open MPI */
        write_hosts(d, "machines", ":") == 0)                       /* Hydra */
        return true;
    outcome_set(o, OUTCOME_NOT_STARTED, "cannot prepare a launch over %d nodes",
                d->spec.launch.nodes);
    return false;
}

void launch_agent_close(struct driver_process *d)
{
    if (d->agent >= 0)
        close(d->agent);
    d->agent = -1;
}

static bool send_library(const struct driver_process *d, struct other_node *n, struct outcome *o)
{
    OWNED char *bytes = NULL;
    size_t size = 0;
    struct err e = ERR_INIT;
    struct node_answer a;
    if (d->spec.library && fs_read(d->spec.library, LIBRARY_MOST, &bytes, &size, &e) != 0) {
        outcome_set(o, OUTCOME_NOT_STARTED, "%s", e.text);
        return false;
    }
    return other_node_ask(n, NODE_LIBRARY, NULL, 0, bytes, size, &a, o);
}

/* "NODE\0COMMAND\0", where the command is for a shell. */
static bool start_there(struct driver_process *d, const char *asked, size_t size, struct outcome *o)
{
    struct other_node *n = other_node_named(d->spec.others, asked);
    const size_t name = strlen(asked) + 1;
    struct node_answer a;
    if (!n || n->spawned || n->sock < 0 || name >= size) {
        outcome_set(o, OUTCOME_NOT_STARTED, "the launcher asks for the node '%.100s'", asked);
        return false;
    }
    const struct node_spawn s = {.kind = d->spec.kind,
                                 .launch = d->spec.launch,
                                 .limits = *d->spec.limits,
                                 .fill = d->spec.fill,
                                 .of_grader = d->spec.own};
    n->spawned = send_library(d, n, o) &&
                 other_node_ask(n, NODE_SPAWN, &s, sizeof s, asked + name, size - name, &a, o);
    return n->spawned;
}

bool launch_agent_answer(struct driver_process *d, struct outcome *o)
{
    const int fd = accept4(d->agent, NULL, NULL, SOCK_CLOEXEC);
    const struct timeval limit = {.tv_sec = ASK_LIMIT_S};
    OWNED char *asked = xcalloc(PG_AGENT_MOST + 1, 1);
    if (fd >= 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    const ssize_t n = fd >= 0 ? recv(fd, asked, PG_AGENT_MOST, 0) : -1;
    bool ok = n > 0;
    if (!ok)
        outcome_set(o, OUTCOME_NOT_STARTED, "the launcher's agent did not say what to start");
    ok = ok && start_there(d, asked, (size_t)n, o);
    if (fd >= 0 && ok)
        send(fd, "y", 1, MSG_NOSIGNAL);
    if (fd >= 0)
        close(fd);
    return ok;
}

#include "supervise/other_node_start.h"

#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/install.h"
#include "base/proc.h"
#include "base/random.h"
#include "supervise/last_words.h"
#include "supervise/procfs.h"
#include "supervise/stop.h"

enum {
    START_LIMIT_MS = 60000,
    END_LIMIT_MS = 3000,
    LOOK_MS = 50,
    LIST_LIMIT_MS = 20000,
    LIST_MOST = 1 << 20
};

/* --- which nodes ------------------------------------------------------------------------------ */

static void add_names(struct other_nodes *all, char *names)
{
    char *rest = NULL;
    for (char *n = strtok_r(names, "\n", &rest); n; n = strtok_r(NULL, "\n", &rest)) {
        if (strcmp(n, all->head) == 0)
            continue;
        all->node = xrealloc_array(all->node, all->count + 1, sizeof *all->node);
        all->node[all->count++] = (struct other_node){.name = xstrdup(n), .sock = -1};
    }
}

bool other_nodes_possible(int nodes)
{
    const char *count = getenv("SLURM_JOB_NUM_NODES");
    return count && atoi(count) >= nodes && getenv("SLURM_JOB_NODELIST") &&
           getenv("SLURMD_NODENAME");
}

int other_nodes_find(struct other_nodes *all, int nodes, struct err *e)
{
    const char *list = getenv("SLURM_JOB_NODELIST"), *here = getenv("SLURMD_NODENAME");
    if (!list || !here)
        return err_input(e, "a launch over %d nodes needs a Slurm job with %d nodes", nodes, nodes);
    if (!all->head) {
        char *argv[] = {"scontrol", "show", "hostnames", (char *)(uintptr_t)list, NULL};
        const struct proc_spec spec = {
            .argv = argv, .output_max = LIST_MOST, .timeout_ms = LIST_LIMIT_MS};
        struct proc_result r;
        const int rc = proc_run(&spec, &r, e);
        const bool ok = rc == 0 && proc_ok(&r);
        if (ok) {
            all->head = xstrdup(here);
            add_names(all, r.out.s);
        } else if (rc == 0) {
            err_system(e, "scontrol show hostnames %s failed", list);
        }
        proc_result_free(&r);
        if (!ok)
            return -1;
    }
    if ((int)all->count + 1 < nodes)
        return err_input(e,
                         "a launch over %d nodes needs a Slurm job with %d nodes: this one has %u",
                         nodes, nodes, all->count + 1);
    return 0;
}

/* --- start ------------------------------------------------------------------------------------ */

/* A port on every address. */
static int listen_anywhere(unsigned *port)
{
    struct sockaddr_in6 a = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_ANY_INIT};
    struct sockaddr_in a4 = {.sin_family = AF_INET};
    const int off = 0;
    socklen_t len = sizeof a, len4 = sizeof a4;
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) == 0 &&
        bind(fd, (struct sockaddr *)&a, sizeof a) == 0 && listen(fd, 4) == 0 &&
        getsockname(fd, (struct sockaddr *)&a, &len) == 0) {
        *port = ntohs(a.sin6_port);
        return fd;
    }
    if (fd >= 0)
        close(fd);
    fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); /* a node without IPv6 */
    if (fd >= 0 && bind(fd, (struct sockaddr *)&a4, sizeof a4) == 0 && listen(fd, 4) == 0 &&
        getsockname(fd, (struct sockaddr *)&a4, &len4) == 0) {
        *port = ntohs(a4.sin_port);
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

/* srun, with the line that the other proctor reads. `said`: a file for what srun prints. */
static pid_t start_step(const char *node, const char *line, int said)
{
    OWNED char *proctor = install_path("libexec/paragrade/proctor"), *srun = proc_which("srun");
    OWNED char *where = xasprintf("--nodelist=%s", node);
    char *argv[] = {"srun",       "--overlap", "--nodes=1", "--ntasks=1",      where,
                    "--mpi=none", "--quiet",   "--chdir=/", "--cpu-bind=none", "--export=ALL",
                    proctor,      "--serve",   NULL};
    int in[2];
    pid_t pid = -1;
    if (srun && pipe2(in, O_CLOEXEC) == 0) {
        pid = fork();
        if (pid == 0) {
            const int null = open("/dev/null", O_WRONLY);
            prctl(PR_SET_PDEATHSIG, SIGTERM);
            dup2(in[0], 0);
            dup2(null, 1);
            dup2(said, 2);
            execv(srun, argv);
            _exit(127);
        }
        close(in[0]);
        if (pid > 0 && write(in[1], line, strlen(line)) < 0)
            kill(pid, SIGTERM);
        close(in[1]);
    }
    return pid;
}

static void address_of(int sock, int (*name)(int, struct sockaddr *, socklen_t *), char out[64])
{
    static const char mapped[] = "::ffff:";
    struct sockaddr_storage a;
    socklen_t len = sizeof a;
    char host[64] = "";
    if (name(sock, (struct sockaddr *)&a, &len) == 0)
        getnameinfo((struct sockaddr *)&a, len, host, sizeof host, NULL, 0, NI_NUMERICHOST);
    const bool is_mapped = strncmp(host, mapped, sizeof mapped - 1) == 0;
    snprintf(out, 64, "%s", host + (is_mapped ? sizeof mapped - 1 : 0));
}

static int bits_of(const unsigned char *mask, size_t n)
{
    int bits = 0;
    for (size_t i = 0; i < n; i++)
        bits += __builtin_popcount(mask[i]);
    return bits;
}

/* How many bits of an address of this node belong to its network. */
static int network_bits(const char *address)
{
    struct ifaddrs *all = NULL;
    int bits = strchr(address, ':') ? 64 : 24;
    if (getifaddrs(&all) != 0)
        return bits;
    for (const struct ifaddrs *i = all; i; i = i->ifa_next) {
        char text[64] = "";
        const bool v4 = i->ifa_addr && i->ifa_addr->sa_family == AF_INET,
                   v6 = i->ifa_addr && i->ifa_addr->sa_family == AF_INET6;
        if ((!v4 && !v6) || !i->ifa_netmask ||
            getnameinfo(i->ifa_addr, v4 ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6),
                        text, sizeof text, NULL, 0, NI_NUMERICHOST) != 0 ||
            strcmp(text, address) != 0)
            continue;
        const struct sockaddr_in *m4 = (const void *)i->ifa_netmask;
        const struct sockaddr_in6 *m6 = (const void *)i->ifa_netmask;
        bits = v4 ? bits_of((const void *)&m4->sin_addr, 4) : bits_of(m6->sin6_addr.s6_addr, 16);
    }
    freeifaddrs(all);
    return bits;
}

/* Is it an address of this node? */
static bool is_here(const struct sockaddr *a, socklen_t len)
{
    char wanted[64] = "", text[64];
    struct ifaddrs *all = NULL;
    bool found = false;
    if (getnameinfo(a, len, wanted, sizeof wanted, NULL, 0, NI_NUMERICHOST) != 0 ||
        getifaddrs(&all) != 0)
        return false;
    for (const struct ifaddrs *i = all; i && !found; i = i->ifa_next) {
        const int family = i->ifa_addr ? i->ifa_addr->sa_family : AF_UNSPEC;
        const socklen_t n =
            family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
        found = (family == AF_INET || family == AF_INET6) &&
                getnameinfo(i->ifa_addr, n, text, sizeof text, NULL, 0, NI_NUMERICHOST) == 0 &&
                strcmp(text, wanted) == 0;
    }
    freeifaddrs(all);
    return found || strncmp(wanted, "127.", 4) == 0;
}

/* mpirun starts the ranks of such a node here. */
static bool looks_local(const char *name)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    bool here = false;
    if (getaddrinfo(name, NULL, &hints, &found) != 0)
        return false;
    for (const struct addrinfo *a = found; a && !here; a = a->ai_next)
        here = is_here(a->ai_addr, a->ai_addrlen);
    freeaddrinfo(found);
    return here;
}

static bool greets(int sock, const char *token, uint64_t deadline)
{
    struct node_message m;
    if (node_receive(sock, &m, deadline) != 0)
        return false;
    const struct node_hello *h = (const struct node_hello *)(const void *)m.bytes;
    const bool ok = m.size == sizeof *h && h->version == NODE_VERSION &&
                    memcmp(h->token, token, NODE_TOKEN) == 0;
    free(m.bytes);
    return ok;
}

/* Whoever connects and does not know the token is let go. */
static int await_connection(int listener, pid_t step, const char *token)
{
    const uint64_t until = clock_deadline_ms(START_LIMIT_MS);
    while (clock_mono_ns() < until && !proctor_stop) {
        struct pollfd p = {listener, POLLIN, 0};
        if (poll(&p, 1, LOOK_MS) <= 0) {
            siginfo_t gone = {0};
            if (waitid(P_PID, (id_t)step, &gone, WEXITED | WNOHANG | WNOWAIT) == 0 && gone.si_pid)
                return -1;
            continue;
        }
        const int sock = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (sock < 0)
            continue;
        node_connection_set(sock);
        if (greets(sock, token, clock_deadline_ms(2000)))
            return sock;
        close(sock);
    }
    return -1;
}

static void end_step(struct other_node *n)
{
    if (n->sock >= 0)
        close(n->sock);
    n->sock = -1;
    n->spawned = n->awake = false;
    const uint64_t until = clock_deadline_ms(END_LIMIT_MS);
    while (n->step > 0 && waitpid(n->step, NULL, WNOHANG) == 0) {
        if (clock_mono_ns() > until)
            kill(n->step, SIGKILL);
        clock_sleep_ms(2);
    }
    n->step = 0;
}

static void read_said(int said, char *out, size_t cap)
{
    char text[2000];
    const ssize_t n = pread(said, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    one_line(text, out, cap);
}

static int start_one(struct other_nodes *all, struct other_node *n, struct err *e)
{
    unsigned char raw[NODE_TOKEN / 2];
    char token[NODE_TOKEN + 1], host[256] = "", why[400];
    unsigned port = 0;
    if (looks_local(n->name))
        return err_system(e,
                          "the name of node %s leads to node %s itself, so its ranks would start "
                          "here: correct /etc/hosts",
                          n->name, all->head);
    random_bytes(raw, sizeof raw);
    for (size_t i = 0; i < sizeof raw; i++)
        snprintf(token + 2 * i, 3, "%02x", raw[i]);
    gethostname(host, sizeof host - 1);
    const int listener = listen_anywhere(&port);
    const int said = memfd_create("srun", MFD_CLOEXEC);
    if (listener < 0 || said < 0)
        return err_system(e, "cannot listen for node %s: %s", n->name, strerror(errno));
    OWNED char *line = xasprintf("%s %u %s\n", host, port, token);
    n->step = start_step(n->name, line, said);
    n->sock = n->step > 0 ? await_connection(listener, n->step, token) : -1;
    close(listener);
    read_said(said, why, sizeof why);
    close(said);
    if (n->sock < 0) {
        end_step(n);
        n->failed = true;
        return err_system(e, "no proctor on node %s%s%s", n->name, *why ? ": " : "", why);
    }
    address_of(n->sock, getpeername, n->address);
    address_of(n->sock, getsockname, all->head_address);
    all->network_bits = network_bits(all->head_address);
    return 0;
}

static bool tell_policy(struct other_node *n, const struct sandbox_policy *p, struct outcome *o)
{
    FREED_BY(strbuf_free) struct strbuf paths = STRBUF_INIT;
    for (size_t i = 0; i < p->withheld_count; i++)
        strbuf_add(&paths, p->withheld[i], strlen(p->withheld[i]) + 1);
    const struct node_policy head = {.required = p->required, .paths = (uint32_t)p->withheld_count};
    struct node_answer a;
    return other_node_ask(n, NODE_POLICY, &head, sizeof head, paths.s, paths.len, &a, o);
}

int other_nodes_start(struct other_nodes *all, int nodes, const struct sandbox_policy *policy,
                      struct err *e)
{
    for (unsigned i = 0; (int)i + 1 < nodes; i++) {
        struct other_node *n = &all->node[i];
        struct outcome o = {0};
        if (n->sock >= 0)
            continue;
        end_step(n); /* of one that is gone */
        if (start_one(all, n, e) != 0)
            return -1;
        if (!tell_policy(n, policy, &o)) {
            end_step(n);
            return err_system(e, "%s", o.text);
        }
    }
    return 0;
}

void other_nodes_close(struct other_nodes *all)
{
    for (unsigned i = 0; i < all->count; i++) {
        end_step(&all->node[i]);
        free(all->node[i].name);
    }
    free(all->node);
    free(all->head);
    *all = (struct other_nodes){0};
}

bool other_nodes_own(const struct other_nodes *all, pid_t pid)
{
    bool found = false;
    for (unsigned i = 0; i < all->count && !found; i++) {
        FREED_BY(pid_list_free) struct pid_list below = {0};
        if (all->node[i].step <= 0)
            continue;
        procfs_descendants(all->node[i].step, &below);
        found = all->node[i].step == pid || pid_list_has(&below, pid);
    }
    return found;
}

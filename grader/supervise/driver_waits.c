#include "supervise/driver_waits.h"

#include <stdio.h>
#include <string.h>
#include <sys/uio.h>

/* So many ranks are named. */
enum { NAMED = 4, RANK_TEXT = 400, OPERATION_TEXT = 80 };

bool driver_waits_look(const struct driver_process *d, unsigned i, struct pg_waits *w)
{
    const pid_t pid = d->rank_pid[i];
    const struct iovec to = {w, sizeof *w};
    const struct iovec from = {(void *)(uintptr_t)d->rank_waits[i], sizeof *w};
    return pid_list_has(&d->ranks, pid) &&
           process_vm_readv(pid, &to, 1, &from, 1, 0) == (ssize_t)sizeof *w;
}

uint64_t driver_waits_stamp(const struct driver_process *d)
{
    uint64_t stamp = 0;
    bool some = false;
    for (unsigned i = 0; i < d->rank_count; i++) {
        struct pg_waits w;
        if (!driver_waits_look(d, i, &w) || w.state == PG_COMPUTES)
            return 0;
        some = some || w.state == PG_WAITS;
        stamp += w.calls;
    }
    return some ? stamp : 0;
}

bool driver_waits_move(const struct driver_process *d, uint64_t *bytes)
{
    bool own = false;
    *bytes = 0;
    for (unsigned i = 0; i < d->rank_count; i++) {
        struct pg_waits w;
        if (!driver_waits_look(d, i, &w))
            continue;
        own = own || w.own_operations;
        *bytes += w.state == PG_WAITS ? w.bytes : 0;
    }
    return own;
}

bool driver_waits_left(const struct driver_process *d)
{
    struct pg_waits w;
    for (unsigned i = 0; i < d->rank_count; i++)
        if (driver_waits_look(d, i, &w) && w.state == PG_RETURNED && w.open > 0)
            return true;
    return false;
}

bool driver_waits_any_source(const struct driver_process *d)
{
    struct pg_waits w;
    for (unsigned i = 0; i < d->rank_count; i++)
        if (driver_waits_look(d, i, &w) && w.any_source)
            return true;
    return false;
}

bool driver_waits_is_call(const char *name, size_t cap)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    return memchr(name, '\0', cap) && strncmp(name, "MPI_", 4) == 0 &&
           name[strspn(name, letters)] == '\0';
}

static long long last_of(const struct pg_misused *m, int part)
{
    return (long long)((uint64_t)m->until[part] - 1);
}

void driver_waits_misused(const struct pg_misused *m, int rank, char *out, size_t cap)
{
    out[0] = '\0';
    if (m->kind == PG_SENT_CHANGED)
        snprintf(out, cap,
                 "rank %d sends to rank %d (tag %d) by an operation that does not block, and "
                 "changes or frees this memory before the operation ends: wait first, for example "
                 "with MPI_Wait(), or use other memory for each message",
                 rank, m->to, m->tag);
    else if (m->kind == PG_PARTS_OVERLAP && driver_waits_is_call(m->call, sizeof m->call))
        snprintf(out, cap,
                 "%.32s on rank %d puts parts over each other: elements %lld..%lld from rank %d, "
                 "and %lld..%lld from rank %d. Displacements count elements, as counts do, and "
                 "not rows",
                 m->call, rank, (long long)m->from[0], last_of(m, 0), m->rank[0],
                 (long long)m->from[1], last_of(m, 1), m->rank[1]);
}

bool driver_waits_misuse(const struct driver_process *d, char *out, size_t cap)
{
    struct pg_waits w;
    out[0] = '\0';
    for (unsigned i = 0; i < d->rank_count && !*out; i++)
        if (driver_waits_look(d, i, &w))
            driver_waits_misused(&w.misused, (int)i, out, cap);
    return *out != '\0';
}

/* " to rank 1 (tag 5)" */
static size_t add_peer(char *out, size_t cap, const char *how, int rank, int tag)
{
    char text[24] = "";
    if (tag >= 0)
        snprintf(text, sizeof text, " (tag %d)", tag);
    return (size_t)snprintf(out, cap, " %s rank %d%s", how, rank, text);
}

/* Whom a rank waits for. */
static void add_peers(const struct pg_peers *p, char *out, size_t cap)
{
    size_t used = 0;
    if (p->to >= 0)
        used = add_peer(out, cap, "to", p->to, p->to_tag);
    if (p->from >= 0)
        add_peer(out + used, cap - used, used ? "and from" : "from", p->from, p->from_tag);
    else if (!used && p->root >= 0)
        snprintf(out, cap, " (root: rank %d)", p->root);
}

/* " for data from rank 1 (tag 2), 8 bytes; to rank 0 (tag 1), 8 bytes" */
static void add_operations(const struct pg_waits *w, char *out, size_t cap)
{
    size_t used = 0;
    for (uint32_t i = 0; i < w->operations && i < PG_OPERATIONS_TOLD; i++) {
        const struct pg_operation *o = &w->operation[i];
        const bool sends = o->to >= 0;
        if (used + OPERATION_TEXT > cap || (!sends && o->from < 0))
            return;
        used += (size_t)snprintf(out + used, cap - used, "%s", used ? "," : " for data");
        used += add_peer(out + used, cap - used, sends ? "to" : "from", sends ? o->to : o->from,
                         o->tag);
        used +=
            (size_t)snprintf(out + used, cap - used, ", %llu bytes", (unsigned long long)o->bytes);
    }
}

void driver_waits_rank(const struct pg_waits *w, int rank, char *out, size_t cap)
{
    char peers[4 * OPERATION_TEXT] = "", bytes[48] = "";
    if (w->state != PG_WAITS || !driver_waits_is_call(w->call, sizeof w->call)) {
        snprintf(out, cap, "rank %d %s", rank,
                 w->state == PG_RETURNED ? "has returned" : "is in no call of MPI");
        return;
    }
    add_peers(&w->peers, peers, sizeof peers);
    if (!*peers)
        add_operations(w, peers, sizeof peers);
    if (w->bytes)
        snprintf(bytes, sizeof bytes, ", %llu bytes", (unsigned long long)w->bytes);
    snprintf(out, cap, "rank %d waits in %s%s%s", rank, w->call, peers, bytes);
}

void driver_waits_text(const struct driver_process *d, char *out, size_t cap)
{
    static const char more[] = "; ...";
    size_t used = 0;
    bool all = d->rank_count <= NAMED;
    out[0] = '\0';
    for (unsigned i = 0; i < d->rank_count && i < NAMED; i++) {
        struct pg_waits w;
        char text[RANK_TEXT];
        if (!driver_waits_look(d, i, &w))
            continue;
        driver_waits_rank(&w, (int)i, text, sizeof text);
        if (used + strlen(text) + 2 + sizeof more > cap) {
            all = false;
            break;
        }
        used += (size_t)snprintf(out + used, cap - used, "%s%s", used ? "; " : "", text);
    }
    if (used && !all)
        snprintf(out + used, cap - used, "%s", more);
}

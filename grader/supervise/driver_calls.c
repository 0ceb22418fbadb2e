#include "supervise/driver_calls.h"

#include <stdio.h>
#include <string.h>
#include <sys/uio.h>

#include "base/plural.h"
#include "supervise/driver_waits.h"

/* --- reading ---------------------------------------------------------------------------------- */

void driver_calls_read(const struct driver_process *d, struct driver_calls *c)
{
    c->ranks = d->rank_count < PG_PARTS_TOLD ? d->rank_count : PG_PARTS_TOLD;
    for (unsigned i = 0; i < c->ranks; i++) {
        struct pg_calls *of = &c->of[i];
        const struct iovec to = {of, sizeof *of};
        struct pg_waits w = {0};
        c->known[i] = driver_waits_look(d, i, &w) && w.noted;
        const struct iovec from = {(void *)(uintptr_t)w.noted, sizeof *of};
        c->known[i] = c->known[i] &&
                      process_vm_readv(d->rank_pid[i], &to, 1, &from, 1, 0) == (ssize_t)sizeof *of;
    }
}

unsigned driver_calls_count(const struct driver_calls *c, unsigned rank)
{
    const unsigned n = c->known[rank] ? c->of[rank].count : 0;
    return n < PG_CALLS_TOLD ? n : PG_CALLS_TOLD;
}

bool driver_calls_named(const struct driver_calls *c)
{
    for (unsigned rank = 0; rank < c->ranks; rank++)
        for (unsigned i = 0; i < driver_calls_count(c, rank); i++)
            if (!driver_waits_is_call(c->of[rank].call[i].name, sizeof c->of[rank].call[i].name))
                return false;
    return true;
}

/* --- calls of all ranks ----------------------------------------------------------------------- */

/* Call n of those that all ranks make, or NULL. */
static const struct pg_call *common(const struct driver_calls *c, unsigned rank, bool world,
                                    unsigned n)
{
    for (unsigned i = 0, seen = 0; i < driver_calls_count(c, rank); i++) {
        const struct pg_call *call = &c->of[rank].call[i];
        if (call->kind != PG_MESSAGE && !call->world == !world && seen++ == n)
            return call;
    }
    return NULL;
}

/* The ranks a and b, and their calls of this number. */
struct pair {
    const struct driver_calls *calls;
    unsigned a, b, number;
    bool world;
    const struct pg_call *of_a, *of_b;
};

static const char *operation(int name)
{
    static const char *const names[] = {
#define OP(name) [PG_MPI_##name] = "MPI_" #name,
#define TYPE(name, element)
#include "abi/mpi_names.def"
#undef OP
#undef TYPE
    };
    return name > 0 && (size_t)name < sizeof names / sizeof names[0] ? names[name] : NULL;
}

/* Has b the sizes of this call and the next one in the other order? */
static bool is_other_order(const struct pair *p)
{
    const struct pg_call *a = common(p->calls, p->a, p->world, p->number + 1),
                         *b = common(p->calls, p->b, p->world, p->number + 1);
    return a && b && p->of_a->bytes == b->bytes && a->bytes == p->of_b->bytes &&
           strncmp(a->name, b->name, sizeof a->name) == 0;
}

/* What `from` sends and `to` expects. At one of them a number for each rank is known. */
static bool parts_differ(const struct pair *p, const char *what, char *out, size_t cap)
{
    static const char fit[] = "counts and types must fit";
    const unsigned rank[] = {p->a, p->b};
    const struct pg_call *call[] = {p->of_a, p->of_b};
    const bool scatter = strstr(p->of_a->name, "catter");
    for (int n = 0; n < 4; n++) { /* first those of different ranks */
        const int i = n % 2, k = n < 2 ? 1 - i : i;
        const long long part = call[i]->part[rank[k]], bytes = call[k]->bytes;
        if (part < 0 || bytes < 0 || part == bytes)
            continue;
        if (scatter)
            snprintf(out, cap, "%s: rank %u sends %lld bytes to rank %u, which expects %lld: %s",
                     what, rank[i], part, rank[k], bytes, fit);
        else
            snprintf(out, cap, "%s: rank %u sends %lld bytes, and rank %u expects %lld from it: %s",
                     what, rank[k], bytes, rank[i], part, fit);
        return true;
    }
    return false;
}

static bool pair_differs(const struct pair *p, char *out, size_t cap)
{
    static const char fit[] = "all ranks make such calls in the same order, with the same values";
    const struct pg_call *a = p->of_a, *b = p->of_b;
    const char *op_a = operation(a->operation), *op_b = operation(b->operation);
    char what[80];
    if (strcmp(a->name, b->name) != 0) {
        snprintf(out, cap, "collective call %u is %s on rank %u and %s on rank %u: %s",
                 p->number + 1, a->name, p->a, b->name, p->b, fit);
        return true;
    }
    snprintf(what, sizeof what, "collective call %u (%s)", p->number + 1, a->name);
    if (a->peers.root != b->peers.root)
        snprintf(out, cap, "%s has root %d on rank %u and root %d on rank %u: %s", what,
                 a->peers.root, p->a, b->peers.root, p->b, fit);
    else if (op_a && op_b && op_a != op_b)
        snprintf(out, cap, "%s has %s on rank %u and %s on rank %u: %s", what, op_a, p->a, op_b,
                 p->b, fit);
    else if (a->kind == PG_IN_PARTS)
        return parts_differ(p, what, out, cap);
    else if (a->bytes < 0 || b->bytes < 0 || a->bytes == b->bytes)
        return false;
    else
        snprintf(out, cap, "%s has %lld bytes on rank %u and %lld on rank %u: %s", what,
                 (long long)a->bytes, p->a, (long long)b->bytes, p->b,
                 is_other_order(p) ? "with the next call it is the other way round. Are the two "
                                     "calls in another order there?"
                                   : "counts and types must fit");
    return true;
}

/* So many calls of a rank may be only the first ones. */
static bool is_whole(const struct driver_calls *c, unsigned rank)
{
    return driver_calls_count(c, rank) < PG_CALLS_TOLD;
}

static bool is_missing(const struct pair *p, char *out, size_t cap)
{
    const struct pg_call *call = p->of_a ? p->of_a : p->of_b;
    if (!is_whole(p->calls, p->a) || !is_whole(p->calls, p->b))
        return false;
    snprintf(out, cap, "rank %u makes %u collective %s, and rank %u makes more: %s is the next",
             p->of_a ? p->b : p->a, p->number, plural(p->number, "call", "calls"),
             p->of_a ? p->a : p->b, call->name);
    return true;
}

static bool common_calls_differ(struct pair *p, char *out, size_t cap)
{
    for (p->number = 0;; p->number++) {
        p->of_a = common(p->calls, p->a, p->world, p->number);
        p->of_b = common(p->calls, p->b, p->world, p->number);
        if (!p->of_a && !p->of_b)
            return false;
        if (!p->of_a || !p->of_b)
            return is_missing(p, out, cap);
        if (pair_differs(p, out, cap))
            return true;
    }
}

/* --- messages --------------------------------------------------------------------------------- */

/* The message that call i of rank `to` takes, or NULL: it takes none, or it is not known. Messages
 * from one rank to another with the same tag stay in order. */
static const struct pg_call *sent(const struct driver_calls *c, unsigned to, unsigned i)
{
    const struct pg_call *take = &c->of[to].call[i];
    const unsigned from = (unsigned)take->peers.from;
    unsigned before = 0;
    if (take->kind != PG_MESSAGE || take->room < 0 || take->peers.from < 0 || from >= c->ranks ||
        c->of[from].unordered || c->of[to].unordered)
        return NULL;
    for (unsigned k = 0; k < i; k++) {
        const struct pg_call *t = &c->of[to].call[k];
        before += t->kind == PG_MESSAGE && t->room >= 0 && t->peers.from == take->peers.from &&
                  t->peers.from_tag == take->peers.from_tag && t->world == take->world;
    }
    for (unsigned k = 0; k < driver_calls_count(c, from); k++) {
        const struct pg_call *s = &c->of[from].call[k];
        if (s->kind == PG_MESSAGE && s->bytes >= 0 && s->peers.to == (int)to &&
            s->peers.to_tag == take->peers.from_tag && s->world == take->world && !before--)
            return s;
    }
    return NULL;
}

/* Room for a longer message is no mistake by itself, such as room for the largest part. It is none
 * if some message with this tag is as long as that. */
static bool some_fill(const struct driver_calls *c, int tag)
{
    for (unsigned to = 0; to < c->ranks; to++)
        for (unsigned i = 0; i < driver_calls_count(c, to); i++) {
            const struct pg_call *take = &c->of[to].call[i], *s = sent(c, to, i);
            if (s && s->peers.to_tag == tag && take->room == s->bytes)
                return true;
        }
    return false;
}

static bool messages_differ(const struct driver_calls *c, bool unset, char *out, size_t cap)
{
    for (unsigned to = 0; to < c->ranks; to++)
        for (unsigned i = 0; i < driver_calls_count(c, to); i++) {
            const struct pg_call *take = &c->of[to].call[i], *s = sent(c, to, i);
            const bool is_short = s && s->bytes < take->room && take->unasked &&
                                  (unset || !some_fill(c, s->peers.to_tag));
            if (!s || (s->bytes <= take->room && !is_short))
                continue;
            snprintf(out, cap,
                     "rank %d sends %lld bytes to rank %u (tag %d) by %s, and %s there %s %lld: %s",
                     take->peers.from, (long long)s->bytes, to, s->peers.to_tag, s->name,
                     take->name, is_short ? "expects" : "has room for", (long long)take->room,
                     is_short ? "are both counts and types right?" : "counts and types must fit");
            return true;
        }
    return false;
}

/* --- both ------------------------------------------------------------------------------------- */

bool driver_calls_differ(const struct driver_calls *c, bool unset, char *out, size_t cap)
{
    struct pair p = {.calls = c};
    out[0] = '\0';
    if (!driver_calls_named(c))
        return false;
    for (int world = 0; world < 2; world++)
        for (p.b = 1; p.b < c->ranks; p.b++) {
            p.world = world;
            if (c->known[0] && c->known[p.b] && common_calls_differ(&p, out, cap))
                return true;
        }
    return messages_differ(c, unset, out, cap);
}

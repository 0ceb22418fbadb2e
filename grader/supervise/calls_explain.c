#include "supervise/calls_explain.h"

#include "base/strbuf.h"

/* Runs of a trial; calls that are tried; bytes that are no padding. */
enum { RUNS = 8, TRIED_MOST = 4, REST_LEAST = 4 };

static const struct {
    const char *name;
    bool is_type;
    enum element_type element;
} names[PG_NAMES] = {
#define OP(n) [PG_MPI_##n] = {.name = "MPI_" #n},
#define TYPE(n, e) [PG_MPI_##n] = {"MPI_" #n, true, TYPE_##e},
#include "abi/mpi_names.def"
#undef OP
#undef TYPE
};

/* What some rank has used: 1 << enum pg_name. */
static uint64_t used_by(const struct driver_calls *c)
{
    uint64_t used = 0;
    for (unsigned i = 0; i < c->ranks; i++)
        used |= c->known[i] ? c->of[i].used : 0;
    return used;
}

/* With zeros in fresh memory it may be right whatever stands in for what. */
static struct cause_seen ask(const struct cause_question *q, unsigned instead_of, unsigned instead)
{
    const struct cause_trial t = {.runs = RUNS,
                                  .fill = FILL_OTHERS,
                                  .calls = true,
                                  .instead_of = instead_of,
                                  .instead = instead};
    struct cause_seen seen = {0};
    q->oracle.ask(q->oracle.with, &t, &seen);
    return seen;
}

/* --- other names ------------------------------------------------------------------------------ */

/* Each run is right with the one in place of the other. */
static bool is_right(const struct cause_question *q, unsigned instead_of, unsigned instead)
{
    const struct cause_seen seen = ask(q, instead_of, instead);
    return seen.known && !seen.wrong;
}

/* The other operation that makes the result right, or PG_NAME_NONE. */
static unsigned better_operation(const struct cause_question *q, unsigned used)
{
    static const unsigned usual[] = {PG_MPI_SUM, PG_MPI_MAX, PG_MPI_MIN};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (usual[i] != used && is_right(q, used, usual[i]))
            return usual[i];
    return PG_NAME_NONE;
}

static bool has_elements(const struct kernel *k, enum element_type type)
{
    bool some = k->out.type == type;
    for (int i = 0; i < k->inputs; i++)
        some = some || k->in[i].type == type;
    return some;
}

/* The type of the kernel's elements that does. */
static unsigned better_type(const struct cause_question *q, const struct kernel *k, unsigned used)
{
    bool tried[TYPE_ALL] = {0};
    tried[names[used].element] = true;
    for (unsigned i = 0; i < PG_NAMES; i++) {
        const enum element_type e = names[i].element;
        if (!names[i].is_type || tried[e] || !has_elements(k, e))
            continue;
        tried[e] = true;
        if (is_right(q, used, i))
            return i;
    }
    return PG_NAME_NONE;
}

#define SENDS(beside, neighbour)                                                                   \
    "if each rank sends to the rank " neighbour " it the elements right " beside                   \
    " those that it sends now: which row does that rank need?"
#define PUTS(beside, neighbour)                                                                    \
    "if each rank puts what comes from the rank " neighbour " it right " beside                    \
    " where it puts it now: which row is that of the other rank?"

static const struct {
    unsigned name, instead;
    const char *says;
} others[] = {
    {PG_SPACED, PG_PACKED,
     "where each rank's part begins where the part before it ends: are the displacements in "
     "elements, as the counts are?"},
    {PG_SCAN, PG_EXSCAN,
     "with MPI_Exscan in place of MPI_Scan, which includes what the rank itself gives"},
    {PG_SENT, PG_SHIFT(1, 0), SENDS("after", "before")},
    {PG_SENT, PG_SHIFT(0, -1), SENDS("before", "after")},
    {PG_SENT, PG_SHIFT(1, -1),
     "if each rank sends the rows beside those that it sends now: does it send its halo?"},
    {PG_TAKEN, PG_SHIFT(-1, 0), PUTS("before", "before")},
    {PG_TAKEN, PG_SHIFT(0, 1), PUTS("after", "after")},
    {PG_TAKEN, PG_SHIFT(-1, 1),
     "if each rank puts what it takes beside where it puts it now: does it overwrite its own "
     "rows?"},
    {PG_SENT, PG_SHIFT(-1, 0), SENDS("before", "before")},
    {PG_SENT, PG_SHIFT(0, 1), SENDS("after", "after")},
    {PG_SENT, PG_SHIFT(-1, 1),
     "if each rank sends the rows beside those that it sends now, nearer to the other ranks: does "
     "it send its first and its last row?"},
};

static char *explain_names(const struct cause_question *q, const struct kernel *k, uint64_t used,
                           bool types)
{
    for (unsigned i = PG_NAME_NONE + 1; i < PG_SPACED; i++) {
        if (!(used >> i & 1) || names[i].is_type != types)
            continue;
        const unsigned better = types ? better_type(q, k, i) : better_operation(q, i);
        if (better)
            return xasprintf("the result is right with %s in place of %s: is that what is meant?",
                             names[better].name, names[i].name);
    }
    return NULL;
}

static char *explain_others(const struct cause_question *q, uint64_t used)
{
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (used >> others[i].name & 1 && is_right(q, others[i].name, others[i].instead))
            return xasprintf("the result is right %s", others[i].says);
    return NULL;
}

/* --- memory that a message should have set ---------------------------------------------------- */

/* The result changes with the bytes behind what this call takes. */
static bool uses_rest(const struct cause_question *q, const struct cause_seen *before,
                      unsigned rank, unsigned call)
{
    const struct cause_seen seen = ask(q, PG_UNSET, PG_CALL(rank, call));
    return seen.known && (seen.wrong != before->wrong || seen.output != before->output);
}

/* *c: of a trial whose runs were the same. */
static char *explain_rest(const struct cause_question *q, const struct cause_seen *before,
                          const struct driver_calls *c)
{
    unsigned tried = 0;
    for (unsigned rank = 0; rank < c->ranks; rank++)
        for (unsigned i = 0; i < driver_calls_count(c, rank); i++) {
            const struct pg_call *call = &c->of[rank].call[i];
            if (call->rest < REST_LEAST || tried++ >= TRIED_MOST || !uses_rest(q, before, rank, i))
                continue;
            return xasprintf("rank %u gets %lld bytes by %s, and uses the %lld bytes of memory "
                             "behind them, which were never set: are the count and the type right?",
                             rank, (long long)(call->room >= 0 ? call->room : call->bytes),
                             call->name, (long long)call->rest);
        }
    return NULL;
}

char *calls_explain(const struct cause_question *q, const struct kernel *k, bool unset,
                    struct driver_calls *c)
{
    char text[400];
    const struct cause_seen seen = ask(q, PG_NAME_NONE, PG_NAME_NONE);
    const struct driver_calls first = *c;
    const uint64_t used = used_by(c);
    if (!seen.known)
        return NULL;
    if (driver_calls_differ(c, unset, text, sizeof text))
        return xstrdup(text);
    if (seen.wrong < RUNS)
        return NULL;
    char *said = explain_names(q, k, used, true);
    if (!said && unset && seen.steady && driver_calls_named(&first))
        said = explain_rest(q, &seen, &first);
    if (!said && !unset)
        said = explain_names(q, k, used, false);
    return said ? said : explain_others(q, used);
}

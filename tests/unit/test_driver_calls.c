/* Calls of MPI that ranks make: which of them do not fit, and what is no mistake. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "supervise/calls_explain.h"

/* A call of rank `rank`. What is left out is 0: see made(). */
struct made {
    int rank;
    const char *name;
    enum pg_call_kind kind;
    int to, from, root, tag;
    int operation;
    long long bytes, room;
    long long parts[2]; /* 0: unknown */
    bool unasked, unordered;
};

enum { CALLS = 7 };

static void make(const struct made *m, struct driver_calls *c)
{
    *c = (struct driver_calls){.ranks = 2, .known = {true, true}};
    for (int i = 0; i < CALLS && m[i].name; i++) {
        struct pg_calls *of = &c->of[m[i].rank];
        struct pg_call *call = &of->call[of->count++];
        *call = (struct pg_call){.kind = m[i].kind,
                                 .operation = m[i].operation,
                                 .unasked = m[i].unasked,
                                 .peers = {m[i].to, m[i].from, m[i].root, m[i].tag, m[i].tag},
                                 .bytes = m[i].bytes,
                                 .room = m[i].room};
        snprintf(call->name, sizeof call->name, "%s", m[i].name);
        for (int k = 0; k < PG_PARTS_TOLD; k++)
            call->part[k] = k < 2 && m[i].parts[k] ? m[i].parts[k] : -1;
        of->unordered = of->unordered || m[i].unordered;
    }
}

#define ALL(r, call, root, n)                                                                      \
    {                                                                                              \
        r, "MPI_" call, PG_TOGETHER, -1, -1, root, -1, 0, n, -1, {0}, 0, 0                         \
    }
#define SUMS(r, op, n)                                                                             \
    {                                                                                              \
        r, "MPI_Reduce", PG_TOGETHER, -1, -1, 0, -1, PG_MPI_##op, n, -1, {0}, 0, 0                 \
    }
#define PARTS(r, call, n, ...)                                                                     \
    {                                                                                              \
        r, "MPI_" call, PG_IN_PARTS, -1, -1, 0, -1, 0, n, -1, {__VA_ARGS__}, 0, 0                  \
    }
#define SENDS(r, to, tag, n)                                                                       \
    {                                                                                              \
        r, "MPI_Send", PG_MESSAGE, to, -1, -1, tag, 0, n, -1, {0}, 0, 0                            \
    }
#define TAKES(r, from, tag, n)                                                                     \
    {                                                                                              \
        r, "MPI_Recv", PG_MESSAGE, -1, from, -1, tag, 0, -1, n, {0}, 1, 0                          \
    }
#define ASKS(r, from, tag, n)                                                                      \
    {                                                                                              \
        r, "MPI_Recv", PG_MESSAGE, -1, from, -1, tag, 0, -1, n, {0}, 0, 0                          \
    }
#define TAKES_ANY(r, from, tag, n)                                                                 \
    {                                                                                              \
        r, "MPI_Recv", PG_MESSAGE, -1, from, -1, tag, 0, -1, n, {0}, 1, 1                          \
    }

TEST(calls)
{
    static const struct {
        const char *name;
        struct made made[CALLS];
        bool unset;
        const char *says; /* in its words; NULL: nothing */
    } table[] = {
        ROW("none", {{0}}, false, NULL),
        ROW("the same", {ALL(0, "Bcast", 0, 8), ALL(1, "Bcast", 0, 8)}, false, NULL),
        ROW("another size", {ALL(0, "Bcast", 0, 8), ALL(1, "Bcast", 0, 4)}, false,
            "collective call 1 (MPI_Bcast) has 8 bytes on rank 0 and 4 on rank 1: counts"),
        ROW("a size that is not known", {ALL(0, "Bcast", 0, 8), ALL(1, "Bcast", 0, -1)}, false,
            NULL),
        ROW("another order",
            {ALL(0, "Bcast", 0, 8), ALL(0, "Bcast", 0, 4), ALL(1, "Bcast", 0, 4),
             ALL(1, "Bcast", 0, 8)},
            false, "Are the two calls in another order there?"),
        ROW("another call", {ALL(0, "Bcast", 0, 8), ALL(1, "Reduce", 0, 8)}, false,
            "collective call 1 is MPI_Bcast on rank 0 and MPI_Reduce on rank 1"),
        ROW("another root", {ALL(0, "Bcast", 0, 8), ALL(1, "Bcast", 1, 8)}, false,
            "has root 0 on rank 0 and root 1 on rank 1"),
        ROW("another operation", {SUMS(0, SUM, 8), SUMS(1, MAX, 8)}, false,
            "has MPI_SUM on rank 0 and MPI_MAX on rank 1"),
        ROW("one call less",
            {ALL(0, "Barrier", -1, 0), ALL(0, "Bcast", 0, 8), ALL(1, "Barrier", -1, 0)}, false,
            "rank 1 makes 1 collective call, and rank 0 makes more: MPI_Bcast is the next"),
        ROW("parts that fit", {PARTS(0, "Gatherv", 8, 8, 4), PARTS(1, "Gatherv", 4, 0)}, false,
            NULL),
        ROW("a part that is larger", {PARTS(0, "Gatherv", 8, 8, 4), PARTS(1, "Gatherv", 12, 0)},
            false, "rank 1 sends 12 bytes, and rank 0 expects 4 from it"),
        ROW("the root's own", {PARTS(0, "Gather", 8, 4, 4), PARTS(1, "Gather", 4, 0)}, false,
            "rank 0 sends 8 bytes, and rank 0 expects 4 from it"),
        ROW("in place at the root", {PARTS(0, "Gather", -1, 4, 4), PARTS(1, "Gather", 4, 0)}, false,
            NULL),
        ROW("a scattered part", {PARTS(0, "Scatterv", 8, 8, 4), PARTS(1, "Scatterv", 12, 0)}, false,
            "rank 0 sends 4 bytes to rank 1, which expects 12"),
        ROW("a message that fits", {SENDS(0, 1, 3, 8), TAKES(1, 0, 3, 8)}, true, NULL),
        ROW("one that is too long", {SENDS(0, 1, 3, 8), ASKS(1, 0, 3, 4)}, false,
            "rank 0 sends 8 bytes to rank 1 (tag 3) by MPI_Send, and MPI_Recv there has room for "
            "4: counts and types must fit"),
        ROW("one that is short", {SENDS(0, 1, 3, 8), TAKES(1, 0, 3, 16)}, false,
            "and MPI_Recv there expects 16: are both counts and types right?"),
        ROW("the receiver asks how long it is", {SENDS(0, 1, 3, 8), ASKS(1, 0, 3, 16)}, true, NULL),
        ROW("room for the longest",
            {SENDS(0, 1, 3, 8), SENDS(0, 1, 3, 16), TAKES(1, 0, 3, 16), TAKES(1, 0, 3, 16)}, false,
            NULL),
        ROW("the same, and unset memory",
            {SENDS(0, 1, 3, 8), SENDS(0, 1, 3, 16), TAKES(1, 0, 3, 16), TAKES(1, 0, 3, 16)}, true,
            "expects 16"),
        ROW("other tags", {SENDS(0, 1, 4, 9), SENDS(0, 1, 3, 8), TAKES(1, 0, 3, 8)}, false, NULL),
        ROW("in order",
            {SENDS(0, 1, 3, 4), SENDS(0, 1, 3, 8), TAKES(1, 0, 3, 4), TAKES(1, 0, 3, 4)}, false,
            "sends 8 bytes"),
        ROW("any order", {SENDS(0, 1, 3, 8), TAKES_ANY(1, 0, 3, 4)}, false, NULL),
        ROW("a rank that is none", {TAKES(1, 9, 3, 4)}, false, NULL),
        ROW("made up", {{.name = "\033[31m", .kind = PG_TOGETHER}, ALL(1, "Bcast", 0, 8)}, false,
            NULL),
    };
    static struct driver_calls c;
    char text[400];
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        make(table[i].made, &c);
        const bool said = driver_calls_differ(&c, table[i].unset, text, sizeof text);
        if (said != (table[i].says != NULL) || (said && !strstr(text, table[i].says)))
            fail_msg("%s: '%s'", table[i].name, text);
    }
}

/* A rank may make more calls than are noted, and its process may say any number. */
TEST(too_many)
{
    static struct driver_calls c;
    char text[400];
    make((struct made[CALLS]){ALL(0, "Bcast", 0, 8)}, &c);
    for (int i = 0; i < PG_CALLS_TOLD; i++)
        c.of[1].call[i] = c.of[0].call[0];
    c.of[1].count = 4000000000;
    assert_false(driver_calls_differ(&c, true, text, sizeof text));
    c.known[1] = false;
    assert_int_equal(driver_calls_count(&c, 1), 0);
}

/* --- trials ----------------------------------------------------------------------------------- */

/* A program that is wrong, and what makes it right; `behind`: it uses memory behind its first
 * message. */
struct program {
    uint64_t used;
    unsigned instead_of, instead;
    bool behind, right, with_zeros;
};

struct simulation {
    const struct program *program;
    struct driver_calls calls;
};

static void ask(void *with, const struct cause_trial *t, struct cause_seen *seen)
{
    struct simulation *s = with;
    const struct program *p = s->program;
    const bool right =
        p->right || (p->with_zeros && t->fill == FILL_ZEROS) ||
        (t->instead_of && t->instead_of == p->instead_of && t->instead == p->instead);
    const bool set = t->instead_of == PG_UNSET && t->instead == PG_CALL(1, 0) && p->behind;
    make((struct made[CALLS]){ALL(0, "Bcast", 0, 12), ALL(1, "Bcast", 0, 12)}, &s->calls);
    s->calls.of[0].used = p->used;
    s->calls.of[1].call[0].rest = 28;
    *seen = (struct cause_seen){.known = true,
                                .wrong = right ? 0 : t->runs,
                                .output = right ? 0
                                          : set ? 6
                                                : 7,
                                .steady = !right};
}

#define USED(name) (UINT64_C(1) << (name))

TEST(explained)
{
    static const struct {
        const char *name;
        struct program program;
        bool unset;
        const char *says;
    } table[] = {
        ROW("nothing helps", {.used = USED(PG_MPI_SUM) | USED(PG_MPI_INT)}, false, NULL),
        ROW("now it is right", {.used = USED(PG_MPI_MAX), .right = true}, false, NULL),
        ROW("an operation",
            {.used = USED(PG_MPI_MAX), .instead_of = PG_MPI_MAX, .instead = PG_MPI_SUM}, false,
            "the result is right with MPI_SUM in place of MPI_MAX"),
        ROW("one that is not used", {.instead_of = PG_MPI_MAX, .instead = PG_MPI_SUM}, false, NULL),
        ROW("a type of the elements",
            {.used = USED(PG_MPI_FLOAT), .instead_of = PG_MPI_FLOAT, .instead = PG_MPI_INT}, true,
            "the result is right with MPI_INT in place of MPI_FLOAT"),
        ROW("another type",
            {.used = USED(PG_MPI_FLOAT), .instead_of = PG_MPI_FLOAT, .instead = PG_MPI_LONG}, false,
            NULL),
        ROW("displacements",
            {.used = USED(PG_SPACED), .instead_of = PG_SPACED, .instead = PG_PACKED}, false,
            "where each rank's part begins where the part before it ends"),
        ROW("a scan", {.used = USED(PG_SCAN), .instead_of = PG_SCAN, .instead = PG_EXSCAN}, false,
            "with MPI_Exscan in place of MPI_Scan"),
        ROW("rows of the halo are sent",
            {.used = USED(PG_SENT), .instead_of = PG_SENT, .instead = PG_SHIFT(1, -1)}, false,
            "does it send its halo?"),
        ROW("rows before the last ones",
            {.used = USED(PG_SENT), .instead_of = PG_SENT, .instead = PG_SHIFT(0, 1)}, false,
            "sends to the rank after it the elements right after"),
        ROW("a row is overwritten",
            {.used = USED(PG_TAKEN), .instead_of = PG_TAKEN, .instead = PG_SHIFT(-1, 0)}, true,
            "puts what comes from the rank before it right before"),
        ROW("ranks that are no neighbours", {.instead_of = PG_SENT, .instead = PG_SHIFT(1, -1)},
            false, NULL),
        ROW("unset memory", {.behind = true}, true,
            "rank 1 gets 12 bytes by MPI_Bcast, and uses the 28 bytes of memory behind them"),
        ROW("memory that is unset elsewhere", {.used = USED(PG_MPI_FLOAT), .with_zeros = true},
            true, NULL),
        ROW("no unset memory", {.behind = true}, false, NULL),
        ROW("memory that nobody uses", {.used = 0}, true, NULL),
    };
    static const struct kernel k = {.out = {.name = "C", .type = TYPE_I32}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        static struct simulation s;
        s.program = &table[i].program;
        const struct cause_question q = {.oracle = {ask, &s}};
        char *said = calls_explain(&q, &k, table[i].unset, &s.calls);
        if (!said != !table[i].says || (said && !strstr(said, table[i].says)))
            fail_msg("%s: '%s'", table[i].name, said ? said : "");
        free(said);
    }
}

TESTS(NULL, NULL)

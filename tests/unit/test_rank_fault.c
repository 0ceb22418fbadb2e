/* What a rank prints when it crashes, and what others print. */
#include "unit.h"

#include <string.h>

#include "supervise/rank_fault.h"

static const struct pg_fault fault = {
    .type = PG_FAULT, .signal = 11, .area = -1, .place = {0x1a6a}};

static void add_line(struct strbuf *sb, const struct pg_fault *f)
{
    const unsigned char *bytes = (const unsigned char *)f;
    strbuf_adds(sb, PG_RANK_FAULT);
    for (size_t i = 0; i < sizeof *f; i++)
        strbuf_addf(sb, "%02x", bytes[i]);
    strbuf_adds(sb, "\n");
}

TEST(taken)
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    struct pg_fault f, second = fault;
    second.place[0] = 7;
    strbuf_adds(&sb, "before\n");
    add_line(&sb, &fault);
    strbuf_add(&sb, "a\0b\n", 4);
    add_line(&sb, &second);
    assert_true(rank_fault_take(&sb, &f));
    assert_int_equal(f.signal, 11);
    assert_int_equal(f.place[0], 0x1a6a);
    assert_int_equal(sb.len, strlen("before\n") + 4 + strlen(sb.s + strlen("before\n") + 4));
    assert_memory_equal(sb.s, "before\na\0b\n", 11);
}

TEST(refused)
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    struct pg_fault f, inside = fault;
    assert_false(rank_fault_take(&sb, &f));
    inside.area = 2; /* only rank 0 has matrices */
    add_line(&sb, &inside);
    strbuf_adds(&sb, PG_RANK_FAULT "12\n" PG_RANK_FAULT "zz\n" PG_RANK_FAULT);
    assert_false(rank_fault_take(&sb, &f));
    assert_string_equal(sb.s, "");
}

#define DASHES "--------------------------------------------------------------------------\n"

TEST(launcher)
{
    static const struct {
        const char *printed, *left;
    } row[] = {
        {"", ""},
        {"mine\n" DASHES "Primary job  terminated normally, but 1 process returned\n"
         "a non-zero exit code. Per user-direction, the job has been aborted.\n" DASHES DASHES
         "mpirun noticed that process rank 0 with PID 0 on node vm exited on signal 11.\n" DASHES,
         "mine\n"},
        {DASHES "prterun noticed that process rank 1 died\n" DASHES "mine", "mine"},
        {"-\nrun noticed that process rank\n" DASHES, ""},
        {"run noticed that process rank\n---\n", "run noticed that process rank\n---\n"},
        {DASHES "There are not enough slots\n" DASHES,
         DASHES "There are not enough slots\n" DASHES},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
        strbuf_adds(&sb, row[i].printed);
        rank_fault_forget_launcher(&sb);
        assert_string_equal(sb.s, row[i].left);
        assert_int_equal(sb.len, strlen(sb.s));
    }
}

TESTS(NULL, NULL)

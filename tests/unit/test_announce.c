/* Announcements of proctors: each is heard once, damaged lines are passed over. */
#include "unit.h"

#include <string.h>

#include "rundir/announce.h"

#include "test_dir.h"

static void note(void *arg, const struct announcement *one)
{
    strbuf_addf(arg, "%d_%ld %d %s %s;", one->array, one->task, one->unit, one->id,
                one->verdict ? one->verdict : "-");
}

static void expect(struct announcements *a, const char *want)
{
    FREED_BY(strbuf_free) struct strbuf heard = STRBUF_INIT;
    announcements_read(test_dir, a, note, &heard);
    if (strcmp(heard.s, want) != 0)
        fail_msg("'%s' instead of '%s'", heard.s, want);
}

TEST(damaged_lines)
{
    static const char *const bad[] = {
        "\n",           "x\n",          "1 2 3\n",      "1 2 3 a\n",  "1 2 3 a b c\n",
        "1 2 -3 a b\n", "-1 2 3 a b\n", "1 2 x3 a b\n", "1  3 a b\n", "1 2 99999999999 a b\n",
        "1 2 3  b\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        FREED_BY(announcements_free) struct announcements a = {0};
        OWNED char *text = xasprintf("%s1 2 3 u pass\n", bad[i]);
        put_at("slurm/units-n1.log", text);
        expect(&a, "1_2 3 u pass;");
    }
}

TEST(heard_once)
{
    FREED_BY(announcements_free) struct announcements a = {0};
    struct announcement one = {.array = 1, .task = 7, .unit = 4, .id = "anna.naive"};
    expect(&a, "");
    put_at("slurm/array-1-0.log", "1 2 3 u pass\n"); /* another kind of log */
    announce(test_dir, "n1", &one);
    expect(&a, "1_7 4 anna.naive -;");
    expect(&a, "");
    one.verdict = "pass";
    announce(test_dir, "n1", &one);
    one.id = "ben.naive";
    announce(test_dir, "n2", &one);
    expect(&a, "1_7 4 anna.naive pass;1_7 4 ben.naive pass;");
    expect(&a, "");
}

TEST(half_a_line_is_read_when_it_is_whole)
{
    FREED_BY(announcements_free) struct announcements a = {0};
    put_at("slurm/units-n1.log", "1 0 0 u pass\n1 0 1 v wro");
    expect(&a, "1_0 0 u pass;");
    expect(&a, "");
    put_at("slurm/units-n1.log", "1 0 0 u pass\n1 0 1 v wrong-answer\n");
    expect(&a, "1_0 1 v wrong-answer;");
    put_at("slurm/units-n1.log", "1 0 2 w pass\n"); /* somebody has put another file there */
    expect(&a, "1_0 2 w pass;");
}

TEST(more_than_fits_into_memory_at_once)
{
    FREED_BY(announcements_free) struct announcements a = {0};
    FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT, want = STRBUF_INIT;
    for (int i = 0; i < 60000; i++) {
        strbuf_addf(&text, "1 2 %d some-longer-name.naive pass\n", i);
        strbuf_addf(&want, "1_2 %d some-longer-name.naive pass;", i);
    }
    put_at("slurm/units-n1.log", text.s);
    expect(&a, want.s);
}

TESTS_WITH(test_dir_clear, NULL, test_dir_make, test_dir_remove)

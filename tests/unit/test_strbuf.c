#include "unit.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strbuf.h"

/* --- no memory: the program ends, it does not go on with half a string ------------------------ */

static void more_than_there_is(void)
{
    struct strbuf sb = STRBUF_INIT;
    strbuf_add(&sb, "x", 1);
    strbuf_add(&sb, "x", SIZE_MAX - 1); /* length + NUL wraps around to 1 */
}

static void more_than_half(void)
{
    struct strbuf sb = STRBUF_INIT;
    strbuf_add(&sb, "x", SIZE_MAX / 2 + 2); /* no power of two is large enough */
}

static void product_wraps_in_array(void)
{
    free(xrealloc_array(NULL, SIZE_MAX / 2 + 2, 2));
}

static void product_wraps_in_calloc(void)
{
    free(xcalloc(SIZE_MAX / 2 + 2, 2));
}

TEST(impossible_sizes)
{
    static const struct {
        const char *name;
        void (*f)(void);
    } table[] = {
        {"more than there is", more_than_there_is},
        {"more than half", more_than_half},
        {"array", product_wraps_in_array},
        {"calloc", product_wraps_in_calloc},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            alarm(5);
            close(STDERR_FILENO);
            signal(SIGABRT, SIG_DFL); /* without the test library's handlers */
            signal(SIGSEGV, SIG_DFL);
            table[i].f();
            _exit(0);
        }
        int status;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        /* A sanitizer ends the program by itself, with a status of its own. */
        if (!(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) &&
            !(WIFEXITED(status) && WEXITSTATUS(status) != 0))
            fail_msg("%s: status 0x%x", table[i].name, (unsigned)status);
    }
}

/* --- life ------------------------------------------------------------------------------------- */

TEST(empty)
{
    struct strbuf sb = STRBUF_INIT;
    assert_string_equal(sb.s, "");
    strbuf_clear(&sb); /* no memory yet: nothing may be written to the shared empty string */
    strbuf_free(&sb);
    strbuf_free(&sb);
    strbuf_add(&sb, NULL, 0);
    strbuf_adds(&sb, "");
    strbuf_addf(&sb, "%s", "");
    assert_int_equal(sb.len, 0);
    assert_string_equal(sb.s, "");
    strbuf_free(&sb);
    OWNED char *s = strbuf_detach(&sb); /* a string of its own even then */
    assert_string_equal(s, "");
    assert_ptr_not_equal(s, strbuf_empty);
    assert_string_equal(strbuf_empty, "");
}

TEST(grows)
{
    enum { N = 100000 };
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    for (int i = 0; i < N; i++) {
        strbuf_addf(&sb, "%d,", i % 10);
        if (sb.len != 2 * ((size_t)i + 1) || sb.s[sb.len] || sb.cap <= sb.len)
            fail_msg("step %d: length %zu, capacity %zu", i, sb.len, sb.cap);
    }
    assert_memory_equal(sb.s, "0,1,2,3,4,5,6,7,8,9,0,", 22);
}

/* Lengths around every capacity: the NUL always has its place. */
TEST(boundaries)
{
    char text[300];
    memset(text, 'y', sizeof text);
    for (size_t first = 0; first <= 130; first++) {
        for (size_t second = 0; second <= 130; second++) {
            FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
            strbuf_add(&sb, text, first);
            strbuf_add(&sb, text, second);
            assert_int_equal(sb.len, first + second);
            assert_int_equal(sb.s[sb.len], '\0');
            assert_memory_equal(sb.s, text, sb.len);
        }
    }
}

TEST(formats)
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    OWNED char *wide = xasprintf("%*d", 5000, 7);
    assert_int_equal(strlen(wide), 5000);
    strbuf_addf(&sb, "%d%% of %s", 42, wide);
    assert_int_equal(sb.len, 7 + 5000);
    assert_memory_equal(sb.s, "42% of ", 7);
    assert_int_equal(sb.s[sb.len - 1], '7');
    OWNED char *s = xasprintf("%s", "");
    assert_string_equal(s, "");
}

TEST(bytes_are_kept)
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    strbuf_add(&sb, "a\0b", 3);
    strbuf_adds(&sb, "c");
    assert_int_equal(sb.len, 4);
    assert_memory_equal(sb.s, "a\0bc", 5);
}

TEST(clear_keeps_memory)
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    strbuf_adds(&sb, "some text");
    size_t cap = sb.cap;
    const char *s = sb.s;
    strbuf_clear(&sb);
    assert_int_equal(sb.len, 0);
    assert_string_equal(sb.s, "");
    assert_int_equal(sb.cap, cap);
    strbuf_adds(&sb, "other");
    assert_ptr_equal(sb.s, s);
    assert_string_equal(sb.s, "other");
    OWNED char *mine = strbuf_detach(&sb);
    assert_string_equal(mine, "other");
    assert_int_equal(sb.cap, 0);
    assert_string_equal(sb.s, "");
    strbuf_adds(&sb, "new"); /* usable again */
    assert_string_equal(sb.s, "new");
    assert_string_equal(mine, "other");
}

/* --- the allocators --------------------------------------------------------------------------- */

TEST(never_null)
{
    static const size_t sizes[][2] = {{0, 0}, {0, 8}, {8, 0}, {3, 7}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        OWNED unsigned char *p = xcalloc(sizes[i][0], sizes[i][1]);
        assert_non_null(p);
        for (size_t k = 0; k < sizes[i][0] * sizes[i][1]; k++)
            assert_int_equal(p[k], 0);
        p = xrealloc_array(p, sizes[i][0], sizes[i][1]);
        assert_non_null(p);
    }
    OWNED char *s = xstrdup("copy");
    assert_string_equal(s, "copy");
}

TEST(a_list_grows)
{
    struct {
        size_t number, zero;
    } *list = NULL;
    for (size_t i = 0; i < 1000; i++) {
        list = list_one_more(list, i, sizeof *list);
        assert_int_equal(list[i].number, 0);
        list[i].number = i;
    }
    for (size_t i = 0; i < 1000; i++) {
        assert_int_equal(list[i].number, i);
        assert_int_equal(list[i].zero, 0);
    }
    free(list);
}

TEST(replacing)
{
    static const struct {
        const char *text, *key, *value, *result;
    } rows[] = {
        {"", "{a}", "x", ""},
        {"{a", "{a}", "x", "{a"},
        {"-o{a}", "{a}", "", "-o"},
        {"{a}{a} {b}", "{a}", "{a}{a}", "{a}{a}{a}{a} {b}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        OWNED char *got = xreplace(rows[i].text, rows[i].key, rows[i].value);
        assert_string_equal(got, rows[i].result);
    }
}

TEST(paragraphs)
{
    static const struct {
        const char *text, *begin;
        size_t columns;
        const char *result;
    } rows[] = {
        {"", " * ", 9, "\n"},
        {" \n", "", 9, "\n"},
        {"a", " * ", 1, " * a\n"},
        {"a  bc\nd ", "", 4, "a bc\nd\n"},
        {"a bc d", "* ", 6, "* a bc\n* d\n"},
        {"abcdefgh i", "", 4, "abcdefgh\ni\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
        strbuf_add_paragraph(&sb, rows[i].text, rows[i].begin, rows[i].columns);
        assert_string_equal(sb.s, rows[i].result);
    }
}

TESTS(NULL, NULL)

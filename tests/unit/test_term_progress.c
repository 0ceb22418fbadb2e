/* How far a command is: lines in a log, a bar and a picture on a terminal. */
#include "unit.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/term.h"

#include "terminal.h"

/* Put f in the place of stderr; give it back with restore(). */
static int redirect(FILE *f)
{
    fflush(stderr);
    int saved = dup(STDERR_FILENO);
    dup2(fileno(f), STDERR_FILENO);
    return saved;
}

static void restore(int saved)
{
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
}

/* The same with a file, and what it then holds. */
static FILE *redirect_to_file(int *saved)
{
    FILE *f = tmpfile();
    assert_non_null(f);
    *saved = redirect(f);
    return f;
}

static char *restored(FILE *f, int saved)
{
    restore(saved);
    return contents(f);
}

TEST(lines)
{
    int saved;
    FILE *f = redirect_to_file(&saved);
    struct progress p;
    progress_start(&p, 3, false);
    for (int i = 0; i < 1000; i++) /* a busy loop is no reason to say it again */
        progress_update(&p, 1, "%s runs", "alice");
    progress_note(&p, "a %s", "note");
    progress_update(&p, 3, "%0300d", 1); /* the last step is always told */
    progress_end(&p);
    char *text = restored(f, saved), *third;
    static const char begin[] = "1/3  alice runs\na note\n3/3  0000";
    if (strncmp(text, begin, strlen(begin)) != 0)
        fail_msg("%s", text);
    third = text + strlen(begin) - strlen("3/3  0000");
    assert_ptr_equal(strchr(third, '\n'), text + strlen(text) - 1);
    assert_null(strpbrk(text, "\r\033"));
    free(text);
}

TEST(time_left)
{
    /* The first steps take an hour, because they also measure the node. */
    static const struct {
        size_t first, done, total;
        unsigned spent; /* seconds since the first steps */
        const char *says;
    } table[] = {
        {0, 0, 0, 10, "x\n"},
        {0, 0, 4, 10, "0/4  x\n"},
        {0, 1, 4, 10, "1/4  x\n"}, /* nobody knows yet */
        {1, 4, 4, 10, "4/4  x\n"},
        {1, 5, 4, 10, "5/4  x\n"},
        {1, 2, 3, 45, "2/3, about 45s left  x\n"},
        {1, 3, 4, 90, "3/4, about 45s left  x\n"},
        {1, 2, 4, 45, "2/4, about 1m30s left  x\n"},
        {40, 60, 100, 20, "60/100, about 40s left  x\n"},
        {1, 2, 3, 3705, "2/3, about 1h01m left  x\n"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        int saved;
        FILE *f = redirect_to_file(&saved);
        struct progress p;
        progress_start(&p, table[i].total, false);
        p.hold_ns = UINT64_MAX; /* shows nothing */
        progress_update(&p, table[i].first, "x");
        p.hold_ns = 0;
        p.started_ns -= (3600 + table[i].spent) * 1000000000ULL;
        p.first_ns -= table[i].spent * 1000000000ULL;
        progress_update(&p, table[i].done, "x");
        progress_end(&p);
        OWNED char *text = restored(f, saved);
        assert_string_equal(text, table[i].says);
    }
}

TEST(quiet)
{
    int saved;
    FILE *f = redirect_to_file(&saved);
    struct progress p;
    progress_start(&p, 2, true);
    progress_update(&p, 1, "x");
    progress_update(&p, 2, "y");
    progress_end(&p);
    OWNED char *text = restored(f, saved);
    assert_string_equal(text, "");
}

/* Give stderr back; all that was written to the terminal, which is closed. */
static void restored_from(FILE *tty, int master, int saved, char text[1000])
{
    struct pollfd ready = {master, POLLIN, 0};
    fputs("end", stderr);
    restore(saved);
    text[0] = '\0';
    for (size_t n = 0; !strstr(text, "end") && poll(&ready, 1, 10000) == 1;) {
        ssize_t got = read(master, text + n, 999 - n);
        if (got <= 0)
            break;
        n += (size_t)got;
        text[n] = '\0';
    }
    fclose(tty);
    close(master);
}

TEST(bar)
{
    int master;
    FILE *tty = terminal_or_skip(&master);
    int saved = redirect(tty);
    struct progress p;
    progress_start(&p, 2, false);
    progress_update(&p, 1, "half");
    progress_note(&p, "note");
    progress_update(&p, 2, "all");
    progress_end(&p);
    char text[1000];
    restored_from(tty, master, saved, text);
    assert_string_equal(text, "[######      ] 1/2  half\r\033[Knote\r\n"
                              "[############] 2/2  all\r\033[Kend");
}

struct shown {
    int columns, lines;
    const char *text;
};

static void draw(void *with, int columns, int lines, struct strbuf *out)
{
    struct shown *s = with;
    s->columns = columns;
    s->lines = lines;
    strbuf_adds(out, s->text);
}

/* The picture stands above the bar, and both are replaced together. What does not change is not
 * written again. */
TEST(picture)
{
    int master;
    FILE *tty = terminal_or_skip(&master);
    const struct winsize size = {.ws_row = 30, .ws_col = 120};
    assert_int_equal(ioctl(master, TIOCSWINSZ, &size), 0);
    int saved = redirect(tty);
    struct shown s = {.text = "one\ntwo\n"};
    struct progress p;
    progress_start(&p, 2, false);
    p.draw = draw;
    p.with = &s;
    progress_update(&p, 0, "first");
    p.shown_ns -= 1000000000ULL;
    progress_update(&p, 0, "first");
    s.text = "three\n";
    progress_update(&p, 2, "last");
    progress_end(&p);
    progress_start(&p, 0, false); /* how much there is to do is not known */
    progress_update(&p, 0, "reading");
    progress_end(&p);
    char text[1000];
    restored_from(tty, master, saved, text);
    assert_string_equal(text, "one\r\ntwo\r\n[                        ] 0/2  first"
                              "\r\033[2A\033[J"
                              "three\r\n[########################] 2/2  last"
                              "\r\033[1A\033[J"
                              "reading\r\033[K"
                              "end");
    assert_int_equal(s.columns, 119);
    assert_int_equal(s.lines, 28);
}

/* What a log says: the same line once, and nothing of steps that are over soon. */
TEST(log_is_short)
{
    int saved;
    FILE *f = redirect_to_file(&saved);
    struct progress p;
    progress_start(&p, 3, false);
    p.hold_ns = 5000000000ULL;
    progress_update(&p, 0, "held back");
    p.started_ns -= 6000000000ULL;
    for (int i = 0; i < 10; i++) { /* every six seconds */
        progress_update(&p, 0, "the same");
        p.shown_ns -= 6000000000ULL;
    }
    p.shown_ns -= 60000000000ULL;
    progress_update(&p, 0, "the same");
    p.shown_ns -= 6000000000ULL;
    progress_update(&p, 0, "another");
    progress_end(&p);
    OWNED char *text = restored(f, saved);
    assert_string_equal(text, "0/3  the same\n0/3  the same\n0/3  another\n");
}

/* A terminal that obeys no escape sequences. */
TEST(dumb_terminal)
{
    int master;
    FILE *tty = terminal_or_skip(&master);
    setenv("TERM", "dumb", 1);
    int saved = redirect(tty);
    struct progress p;
    progress_start(&p, 2, false);
    progress_update(&p, 1, "half");
    progress_end(&p);
    char text[1000];
    restored_from(tty, master, saved, text);
    assert_string_equal(text, "1/2  half\r\nend");
}

TESTS_WITH(by_default, NULL, NULL, NULL)

/* What people see: tables as text that cut(1) and eyes can read, whatever students printed. */
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

static char *printed(struct term_table *t)
{
    FILE *f = tmpfile();
    assert_non_null(f);
    term_table_print(t, f);
    return contents(f);
}

/* What a function prints to a file. */
static char *printed_by(void print(FILE *f, const void *what), const void *what)
{
    FILE *f = tmpfile();
    assert_non_null(f);
    print(f, what);
    return contents(f);
}

TEST(width)
{
    static const struct {
        const char *text;
        int columns;
    } table[] = {
        {"", 0},
        {"abc", 3},
        {"\xc3\xa9mile", 5},
        {"\xc2\xb1 5 \xc2\xb5s", 6},
        {"\xe2\x89\xa4", 1},
        {"\xf0\x9d\x84\x9e", 1},
        {"\xff\xfe", 2}, /* not UTF-8: something is shown for each */
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (term_width(table[i].text) != table[i].columns)
            fail_msg("'%s': %d", table[i].text, term_width(table[i].text));
}

TEST(control_characters)
{
    struct term_table *t = term_table_new(NULL);
    term_table_column(t, "a", TERM_LEFT);
    term_table_column(t, "b", TERM_LEFT);
    term_table_cell(t, TERM_RED, "%s", "x\ty\nz\r\033[31m\a\x7f");
    term_table_cell(t, TERM_PLAIN, "%s",
                    "\x01\x1f~ \xc3\xa9\xc2\x9b\xc2\xa0"
                    "\xe2\x80\xae\xe2\x81\xa9\xe2\x80\xa9");
    OWNED char *text = printed(t);
    assert_string_equal(
        text, "a              b\nx y z  [31m      ~ \xc3\xa9  \xc2\xa0      \xe2\x80\xa9\n");
}

TEST(odd_tables)
{
    char *text = printed(term_table_new(NULL));
    assert_string_equal(text, "");
    free(text);
    struct term_table *t = term_table_new("only a title");
    term_table_end_row(t);
    text = printed(t);
    assert_string_equal(text, "only a title\n");
    free(text);
    t = term_table_new(NULL);
    term_table_column(t, "no", TERM_LEFT);
    term_table_column(t, "rows", TERM_RIGHT);
    term_table_end_row(t); /* ends nothing */
    text = printed(t);
    assert_string_equal(text, "no  rows\n");
    free(text);
    t = term_table_new("never printed");
    term_table_column(t, "a", TERM_LEFT);
    term_table_cell(t, TERM_PLAIN, "%0500d", 7);
    term_table_discard(t);
}

static struct term_table *example(void)
{
    struct term_table *t = term_table_new("Results");
    term_table_column(t, "name", TERM_LEFT);
    term_table_column(t, "points", TERM_RIGHT);
    term_table_column(t, "why", TERM_LEFT);
    term_table_cell(t, TERM_BOLD, "%s", "\xc3\xa9mile");
    term_table_cell(t, TERM_PLAIN, "%.1f", 9.5);
    term_table_end_row(t);
    term_table_cell(t, TERM_PLAIN, "%s", "al");
    term_table_cell(t, TERM_GREEN, "%d", 10000000);
    term_table_cell(t, TERM_PLAIN, "%s %d%%", "all", 100);
    term_table_end_row(t); /* a full row stays as it is */
    return t;
}

TEST(aligned_without_colour)
{
    static const char want[] = "Results\nname     points  why\n\xc3\xa9mile       9.5\n"
                               "al     10000000  all 100%\n";
    static const enum term_color_mode modes[] = {TERM_COLOR_AUTO, TERM_COLOR_NEVER};
    for (size_t i = 0; i < 2; i++) {
        term_set_color(modes[i]);
        OWNED char *text = printed(example());
        assert_string_equal(text, want);
    }
}

TEST(aligned_form)
{
    term_set_color(TERM_COLOR_ALWAYS);
    OWNED char *text = printed(example());
    assert_string_equal(text, "\033[1mResults\033[0m\n"
                              "\033[2mname\033[0m     \033[2mpoints\033[0m  \033[2mwhy\033[0m\n"
                              "\033[1m\xc3\xa9mile\033[0m       9.5\n"
                              "al     \033[32m10000000\033[0m  all 100%\n");
}

/* Columns that say nothing are left out where people read, and stay where programs do. */
static struct term_table *with_gaps(const char *filled)
{
    struct term_table *t = term_table_new(NULL);
    term_table_column(t, "copies", TERM_RIGHT);
    term_table_column(t, "a", TERM_LEFT);
    term_table_column(t, "peak", TERM_RIGHT);
    term_table_column(t, "next", TERM_LEFT);
    for (int row = 0; row < 2; row++) {
        term_table_cell(t, TERM_PLAIN, "-");
        term_table_cell(t, TERM_PLAIN, "%d", row);
        term_table_cell(t, TERM_DIM, "%s", row ? filled : "-");
        term_table_end_row(t);
    }
    return t;
}

TEST(columns_left_out)
{
    static const struct {
        enum term_color_mode mode;
        const char *filled, *want;
    } table[] = {
        {TERM_COLOR_NEVER, "-", "a\n0\n1\n"},
        {TERM_COLOR_ALWAYS, "-", "\033[2ma\033[0m\n0\n1\n"},
        {TERM_COLOR_ALWAYS, "5",
         "\033[2ma\033[0m  \033[2mpeak\033[0m\n0     \033[2m-\033[0m\n1     \033[2m5\033[0m\n"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        term_set_color(table[i].mode);
        OWNED char *text = printed(with_gaps(table[i].filled));
        assert_string_equal(text, table[i].want);
    }
}

TEST(colour)
{
    int master;
    FILE *tty = terminal(&master), *file = tmpfile();
    assert_non_null(file);
    const struct {
        enum term_color_mode mode;
        const char *term, *no_color;
        bool on_file, on_terminal;
    } table[] = {
        {TERM_COLOR_NEVER, "xterm", NULL, false, false},
        {TERM_COLOR_AUTO, "xterm", "1", false, false},
        {TERM_COLOR_AUTO, "dumb", NULL, false, false},
        {TERM_COLOR_AUTO, "xterm", "", false, true}, /* empty counts as unset */
        {TERM_COLOR_AUTO, NULL, NULL, false, true},
        {TERM_COLOR_AUTO, "xterm", NULL, false, true},
        {TERM_COLOR_ALWAYS, "dumb", "1", true, true}, /* who asks for it gets it */
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        unsetenv("TERM");
        unsetenv("NO_COLOR");
        if (table[i].term)
            setenv("TERM", table[i].term, 1);
        if (table[i].no_color)
            setenv("NO_COLOR", table[i].no_color, 1);
        term_set_color(table[i].mode);
        FILE *files[] = {file, tty};
        bool want[] = {table[i].on_file, table[i].on_terminal};
        for (size_t k = 0; k < (tty ? 2 : 1); k++) {
            if (term_color(files[k]) != want[k])
                fail_msg("row %zu, file %zu", i, k);
            assert_string_equal(term_on(files[k], TERM_YELLOW), want[k] ? "\033[33m" : "");
            assert_string_equal(term_on(files[k], TERM_PLAIN), "");
            assert_string_equal(term_off(files[k]), want[k] ? "\033[0m" : "");
        }
    }
    fclose(file);
    if (tty)
        fclose(tty);
    if (master >= 0)
        close(master);
}

/* --- lines that fit the terminal ---------------------------------------------------------------
 */

/* What a terminal of so many columns gets from print(); NULL: there are no pseudo-terminals. The
 * caller frees it. */
static char *on_terminal(int columns, void print(FILE *f, const void *what), const void *what)
{
    int master;
    FILE *tty = terminal(&master);
    const struct winsize size = {.ws_row = 24, .ws_col = (unsigned short)columns};
    if (!tty || ioctl(master, TIOCSWINSZ, &size) != 0) {
        print_message("no pseudo-terminals here\n");
        return NULL;
    }
    print(tty, what);
    fputs("\a", tty); /* the end */
    fflush(tty);
    struct strbuf got = STRBUF_INIT;
    struct pollfd ready = {master, POLLIN, 0};
    char buf[1000];
    while (!strchr(got.s, '\a') && poll(&ready, 1, 10000) == 1) {
        const ssize_t n = read(master, buf, sizeof buf);
        if (n <= 0)
            break;
        for (ssize_t i = 0; i < n; i++)
            if (buf[i] != '\r')
                strbuf_add(&got, buf + i, 1);
    }
    fclose(tty);
    close(master);
    got.s[strcspn(got.s, "\a")] = '\0';
    return strbuf_detach(&got);
}

struct paragraph {
    const char *text;
    int columns, indent;
    const char *want;
    bool command;
};

static void print_paragraph(FILE *f, const void *what)
{
    const struct paragraph *p = what;
    (p->command ? term_print_command : term_print)(f, p->indent, "%s", p->text);
}

static const struct paragraph paragraphs[] = {
    {"", 20, 4, "", false},
    {"\n", 20, 4, "\n", false},
    {"exactly twenty wide..", 21, 0, "exactly twenty wide..\n", false},
    {"one two three four", 10, 2, "one two\n  three\n  four\n", false},
    /* a word is never broken, and no line is empty */
    {"/a/path/longer/than/the/terminal is", 10, 2, "/a/path/longer/than/the/terminal\n  is\n",
     false},
    {"is /a/path/longer", 10, 2, "is\n  /a/path/longer\n", false},
    {"    indented first line", 14, 4, "    indented\n    first line\n", false},
    {"first\nsecond goes on\n\nfourth", 8, 1, "first\nsecond\n goes on\n\nfourth\n", false},
    /* characters count, not bytes */
    {"\xc3\xa9\xc3\xa9\xc3\xa9 \xc2\xb1\xc2\xb1\xc2\xb1 \xc3\xa9", 9, 0,
     "\xc3\xa9\xc3\xa9\xc3\xa9 \xc2\xb1\xc2\xb1\xc2\xb1 \xc3\xa9\n", false},
    /* styles take no room */
    {"\033[1mab\033[0m \033[31mcd\033[0m ef", 8, 0, "\033[1mab\033[0m \033[31mcd\033[0m ef\n",
     false},
    {"\033[1mab\033[0m \033[31mcd\033[0m ef", 7, 0, "\033[1mab\033[0m \033[31mcd\033[0m\nef\n",
     false},
    {"two  blanks", 11, 0, "two  blanks\n", false},
    {"two  blanks", 8, 0, "two\nblanks\n", false},
    {"replay run carol.simd 6", 19, 4, "replay run \\\n    carol.simd 6\n", true},
};

TEST(lines_fit_the_terminal)
{
    for (size_t i = 0; i < sizeof paragraphs / sizeof paragraphs[0]; i++) {
        struct paragraph p = paragraphs[i];
        char *text = *p.text ? xasprintf("%s\n", p.text) : xstrdup("");
        p.text = strcmp(text, "\n\n") == 0 ? "\n" : text;
        OWNED char *got = on_terminal(p.columns, print_paragraph, &p);
        if (!got) {
            free(text);
            skip();
        }
        if (strcmp(got, p.want) != 0)
            fail_msg("row %zu:\n%s", i, got);
        free(text);
    }
}

TEST(lines_stay_whole_elsewhere)
{
    for (size_t i = 0; i < sizeof paragraphs / sizeof paragraphs[0]; i++) {
        OWNED char *text = printed_by(print_paragraph, &paragraphs[i]);
        assert_string_equal(text, paragraphs[i].text);
    }
}

static void print_wide_table(FILE *f, const void *what)
{
    (void)what;
    struct term_table *t = term_table_new("Wide");
    term_table_column(t, "name", TERM_LEFT);
    term_table_column(t, "state", TERM_LEFT);
    term_table_column(t, "size", TERM_RIGHT);
    term_table_column(t, "meaning", TERM_NOTE);
    term_table_keys(t, 1);
    for (int row = 1; row <= 2; row++) {
        term_table_cell(t, TERM_PLAIN, "row %d", row);
        term_table_cell(t, TERM_PLAIN, "%s", row == 1 ? "ok" : "missing");
        term_table_cell(t, TERM_PLAIN, "%d", 10 * row);
        term_table_cell(t, TERM_PLAIN, "%s", row == 1 ? "" : "install what is missing");
        term_table_end_row(t);
    }
    term_table_print(t, f);
}

/* What is printed on terminals of so many columns. */
struct fit {
    int columns;
    const char *want;
};

static void fits(void print(FILE *f, const void *what), const struct fit *row, size_t n)
{
    setenv("NO_COLOR", "1", 1);
    for (; n; n--, row++) {
        OWNED char *got = on_terminal(row->columns, print, NULL);
        if (!got)
            skip();
        assert_string_equal(got, row->want);
    }
}

#define FITS(print, table) fits(print, table, sizeof(table) / sizeof(table)[0])

TEST(tables_fit_the_terminal)
{
    static const struct fit table[] = {
        {80, "Wide\nname   state    size\nrow 1  ok         10\nrow 2  missing    20\n"
             "    install what is missing\n"},
        {20, "Wide\nname   state    size\nrow 1  ok         10\nrow 2  missing    20\n"
             "    install what is\n    missing\n"},
        {19, "Wide\nname   state\nrow 1  ok\nrow 2  missing\n\nname   size\nrow 1    10\n"
             "row 2    20\n    install what is\n    missing\n"},
    };
    FITS(print_wide_table, table);
    OWNED char *text = printed_by(print_wide_table, NULL);
    assert_string_equal(text, "Wide\nname   state    size\nrow 1  ok         10\n"
                              "row 2  missing    20\n    install what is missing\n");
}

static void print_spare(FILE *f, const void *what)
{
    (void)what;
    struct term_table *t = term_table_new(NULL);
    term_table_column(t, "name", TERM_LEFT);
    term_table_column(t, "rate", TERM_SPARE);
    term_table_column(t, "peak", TERM_SPARE);
    term_table_column(t, "points", TERM_RIGHT);
    for (int i = 1; i <= 4; i++)
        term_table_cell(t, TERM_PLAIN, "%d", i);
    term_table_print(t, f);
}

static void print_cut(FILE *f, const void *unused)
{
    struct term_table *t = term_table_new(NULL);
    (void)unused;
    term_table_column(t, "run", TERM_LEFT);
    term_table_column(t, "what", TERM_CUT);
    term_table_cell(t, TERM_PLAIN, "first");
    term_table_cell(t, TERM_PLAIN, "a check of Zoë: 3 passed");
    term_table_print(t, f);
}

/* A long last column ends where the terminal does. Too little of it would say nothing. */
TEST(cut_column)
{
    static const struct fit table[] = {
        {31, "run    what\nfirst  a check of Zoë: 3 passed\n"},
        {30, "run    what\nfirst  a check of Zoë: 3 pa...\n"},
        {23, "run    what\nfirst  a check of Zo...\n"},
        {22, "run    what\nfirst  a check of Zoë: 3 passed\n"},
    };
    FITS(print_cut, table);
}

static void print_cut_first(FILE *f, const void *unused)
{
    struct term_table *t = term_table_new(NULL);
    (void)unused;
    term_table_column(t, "submission", TERM_CUT);
    term_table_column(t, "simd", TERM_LEFT);
    term_table_column(t, "points", TERM_RIGHT);
    term_table_cell(t, TERM_PLAIN, "a-long-name-of-a-student");
    term_table_cell(t, TERM_PLAIN, "pass");
    term_table_cell(t, TERM_PLAIN, "7");
    term_table_print(t, f);
}

/* The first column, too, so that no part is needed for the rest. */
TEST(cut_first_column)
{
    static const struct fit table[] = {
        {38, "submission                simd  points\n"
             "a-long-name-of-a-student  pass       7\n"},
        {37, "submission               simd  points\n"
             "a-long-name-of-a-stu...  pass       7\n"},
        {30, "submission        simd  points\n"
             "a-long-name-o...  pass       7\n"},
        {29, "submission                simd\na-long-name-of-a-student  pass\n\n"
             "submission                points\na-long-name-of-a-student       7\n"},
    };
    FITS(print_cut_first, table);
}

/* As few as possible are left out, the first one first, and never the others. */
TEST(spare_columns)
{
    static const struct fit table[] = {
        {24, "name  rate  peak  points\n1        2     3       4\n"},
        {23, "name  peak  points\n1        3       4\n"},
        {18, "name  peak  points\n1        3       4\n"},
        {17, "name  points\n1          4\n"},
    };
    FITS(print_spare, table);
}

/* With notes alone below a row, as lines with the first note in them, and indented. */
static struct term_table *with_notes(void)
{
    static const struct term_column columns[] = {{"unit", TERM_LEFT},
                                                 {"verdict", TERM_LEFT},
                                                 {"message", TERM_NOTE},
                                                 {"smallest", TERM_NOTE}};
    struct term_table *t = term_table_new("Failed");
    term_table_columns(t, columns, 4);
    for (int row = 1; row <= 2; row++) {
        term_table_cell(t, TERM_PLAIN, "ann.%d", row);
        term_table_cell(t, TERM_PLAIN, "%s", row == 1 ? "crash" : "timeout");
        term_table_cell(t, TERM_PLAIN, "at %d", row);
        term_table_cell(t, TERM_PLAIN, "%s", row == 1 ? "" : "1x1x1");
    }
    return t;
}

static void print_lines(FILE *f, const void *what)
{
    (void)what;
    term_table_lines(with_notes(), f);
}

static void print_indented(FILE *f, const void *what)
{
    (void)what;
    struct term_table *t = with_notes();
    term_table_indent(t, 3);
    term_table_show(t, f);
    term_table_show(term_table_new("no rows"), f);
}

TEST(tables_of_notes)
{
    static const struct {
        void (*print)(FILE *, const void *);
        const char *want;
    } table[] = {
        {print_lines, "Failed\nann.1  crash    at 1\nann.2  timeout  at 2\n    smallest: 1x1x1\n"},
        {print_indented, "   Failed\n   unit   verdict\n   ann.1  crash\n       at 1\n"
                         "   ann.2  timeout\n       at 2\n       1x1x1\n"},
    };
    setenv("NO_COLOR", "1", 1);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *text = printed_by(table[i].print, NULL);
        assert_string_equal(text, table[i].want);
    }
}

static void print_brief(FILE *f, const void *what)
{
    (void)what;
    struct term_table *t = term_table_new(NULL);
    term_table_column(t, "id", TERM_LEFT);
    term_table_column(t, "verdict", TERM_LEFT);
    term_table_cell(t, TERM_PLAIN, "ann");
    term_table_cell(t, TERM_PLAIN, "wrote-out-of-bounds");
    term_table_brief(t, "bounds");
    term_table_print(t, f);
}

/* Shorter texts stand where the others do not fit, and only there. */
TEST(brief_cells)
{
    static const struct fit table[] = {
        {24, "id   verdict\nann  wrote-out-of-bounds\n"},
        {23, "id   verdict\nann  bounds\n"},
    };
    FITS(print_brief, table);
}

/* What is printed to memory that is laid out as a terminal of so many columns. */
static char *laid_out(int columns, void (*print)(FILE *, const void *), const void *what)
{
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);
    assert_non_null(f);
    term_layout(f, columns);
    print(f, what);
    term_layout(NULL, 0);
    assert_int_equal(fclose(f), 0);
    return text;
}

TEST(a_file_is_laid_out_as_a_terminal)
{
    term_set_color(TERM_COLOR_ALWAYS); /* a file has no colour all the same */
    for (size_t i = 0; i < sizeof paragraphs / sizeof paragraphs[0]; i++) {
        struct paragraph p = paragraphs[i];
        OWNED char *line =
            *p.text && strcmp(p.text, "\n") != 0 ? xasprintf("%s\n", p.text) : xstrdup(p.text);
        p.text = line;
        OWNED char *got = laid_out(p.columns, print_paragraph, &p);
        if (strcmp(got, p.want) != 0)
            fail_msg("row %zu:\n%s", i, got);
    }
    char *got = laid_out(20, print_wide_table, NULL);
    assert_string_equal(got, "Wide\nname   state    size\nrow 1  ok         10\n"
                             "row 2  missing    20\n    install what is\n    missing\n");
    free(got);
    term_set_color(TERM_COLOR_AUTO);
    FILE *f = tmpfile();
    assert_non_null(f);
    print_wide_table(f, NULL); /* other files have room for whole lines */
    got = contents(f);
    assert_string_equal(got, "Wide\nname   state    size\nrow 1  ok         10\n"
                             "row 2  missing    20\n    install what is missing\n");
    free(got);
}

/* The last test: nothing takes this back. */
TEST(for_programs)
{
    term_set_color(TERM_COLOR_NEVER);
    term_set_tsv();
    OWNED char *text = printed(with_gaps("-")), *other = printed(example());
    assert_string_equal(text, "copies\ta\tpeak\tnext\n-\t0\t-\t\n-\t1\t-\t\n");
    assert_string_equal(other, "Results\nname\tpoints\twhy\n\xc3\xa9mile\t9.5\t\n"
                               "al\t10000000\tall 100%\n");
}

TESTS_WITH(by_default, NULL, NULL, NULL)

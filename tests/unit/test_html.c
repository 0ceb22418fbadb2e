/* HTML pages: text of students stays text, whatever it has in it. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/term.h"
#include "pages/html.h"

#define BAD "\xef\xbf\xbd" /* U+FFFD */

static const struct {
    const char *text, *html;
} table[] = {
    /* tags, entities and attributes */
    {"<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"},
    {"\" onload=\"x", "&quot; onload=&quot;x"},
    {"' onload='x", "&#39; onload=&#39;x"},
    {"&lt;", "&amp;lt;"},
    {"&", "&amp;"},
    {"]]><!--", "]]&gt;&lt;!--"},
    /* control characters, of one byte and of two */
    {"\x01", BAD},
    {"\x1b[31m", BAD "[31m"},
    {"\r\n", BAD "\n"},
    {"\x7f", BAD},
    {"\xc2\x80\xc2\x9f", BAD BAD},
    /* no UTF-8: lone bytes, cut off, a tag in place of a following byte */
    {"\x80", BAD},
    {"\xff\xfe", BAD BAD},
    {"a\xe2\x82", "a" BAD BAD},
    {"\xc3<", BAD "&lt;"},
    {"\xe2\x82<b>", BAD BAD "&lt;b&gt;"},
    {"\xf0\x9f\x98\"", BAD BAD BAD "&quot;"},
    /* longer than necessary: '/', '<' and '<'; a surrogate; beyond U+10FFFF */
    {"\xc0\xaf", BAD BAD},
    {"\xe0\x80\xbc", BAD BAD BAD},
    {"\xf0\x80\x80\xbc", BAD BAD BAD BAD},
    {"\xed\xa0\x80", BAD BAD BAD},
    {"\xf4\x90\x80\x80", BAD BAD BAD BAD},
    {"\xf8\x88\x80\x80\x80", BAD BAD BAD BAD BAD},
    /* characters that change the direction or are not there */
    {"a\xe2\x80\xae"
     "b",
     "a" BAD "b"},
    {"\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\xaa", BAD BAD BAD},
    {"\xe2\x81\xa6\xe2\x81\xa9\xd8\x9c", BAD BAD BAD},
    {"\xef\xbb\xbf\xef\xbf\xbe\xef\xbf\xbf", BAD BAD BAD},
    /* ordinary text */
    {"", ""},
    {"a\tb\nc", "a\tb\nc"},
    {"gr\xc3\xbcn \xe2\x82\xac \xf0\x9f\x98\x80", "gr\xc3\xbcn \xe2\x82\xac \xf0\x9f\x98\x80"},
    {"\xc2\xa0\xf4\x8f\xbf\xbf", "\xc2\xa0\xf4\x8f\xbf\xbf"},
};

TEST(text_is_escaped)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(strbuf_free) struct strbuf one = STRBUF_INIT, two = STRBUF_INIT;
        html_add(&one, table[i].text);
        html_addf(&two, "%s", table[i].text);
        if (strcmp(one.len ? one.s : "", table[i].html) != 0)
            fail_msg("line %zu: '%s' instead of '%s'", i, one.s, table[i].html);
        assert_string_equal(two.len ? two.s : "", table[i].html);
    }
}

/* Nothing is cut, in the middle of an entity for example. */
TEST(long_names)
{
    static const struct {
        const char *piece, *html;
    } pieces[] = {{"<", "&lt;"}, {"\xff", BAD}, {"\xe2\x82\xac", "\xe2\x82\xac"}, {"a", "a"}};
    enum { COUNT = 300000 };
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT, html = STRBUF_INIT;
        const size_t len = strlen(pieces[i].html);
        for (size_t k = 0; k < COUNT; k++)
            strbuf_adds(&text, pieces[i].piece);
        html_addf(&html, "%s", text.s);
        assert_int_equal(html.len, COUNT * len);
        for (size_t k = 0; k < COUNT; k++)
            if (memcmp(html.s + k * len, pieces[i].html, len) != 0)
                fail_msg("piece %zu of %s", k, pieces[i].piece);
    }
}

/* --- every function that takes text ------------------------------------------------------------
 */

#define EVIL "<i>\"'&\x01"
#define HARMLESS "&lt;i&gt;&quot;&#39;&amp;" BAD

static void section(struct html_page *p)
{
    html_section(p, "id", EVIL);
    html_section_end(p);
}

static void heading(struct html_page *p)
{
    html_heading(p, "id", EVIL);
}

static void paragraph(struct html_page *p)
{
    html_paragraph(p, "%s", EVIL);
}

static void total(struct html_page *p)
{
    html_total(p, "%s", EVIL);
}

static void labelled(struct html_page *p)
{
    html_labelled(p, EVIL, EVIL);
}

static void lines(struct html_page *p)
{
    html_lines(p, EVIL, EVIL);
}

/* A title and two headings; a cell that leads to a page, and a sentence. Control characters are
 * blanks in tables. */
static struct term_table *evil_table(void)
{
    static const struct term_column columns[] = {{EVIL, TERM_LEFT}, {EVIL, TERM_NOTE}};
    struct term_table *t = term_table_new(EVIL);
    term_table_columns(t, columns, 2);
    for (int i = 0; i < 2; i++) {
        term_table_cell(t, TERM_RED, "<i>\"'&");
        term_table_link(t, EVIL);
    }
    return t;
}

static void a_table(struct html_page *p)
{
    html_table(p, NULL, evil_table());
}

static void a_caption(struct html_page *p)
{
    html_table(p, EVIL, evil_table());
}

static void no_rows(struct html_page *p)
{
    html_table_or(p, NULL, term_table_new(EVIL), EVIL);
}

static unsigned times_in(const char *text, const char *what)
{
    unsigned n = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + strlen(what), what))
        n++;
    return n;
}

/* A number that says what its row is about stands on the left, below its heading. */
TEST(a_number_is_a_heading)
{
    struct html_page p = HTML_PAGE_INIT;
    struct term_table *t = term_table_new("All");
    term_table_column(t, "size", TERM_RIGHT);
    term_table_column(t, "time", TERM_RIGHT);
    term_table_cell(t, TERM_PLAIN, "512");
    term_table_cell(t, TERM_PLAIN, "1 s");
    term_table_end_row(t);
    html_table(&p, NULL, t);
    assert_non_null(
        strstr(p.body.s, "<th scope=\"col\">size</th><th scope=\"col\" class=\"number\">"));
    assert_non_null(strstr(p.body.s, "<th scope=\"row\">512</th><td class=\"number\">1 s</td>"));
    free(html_page_finish(&p, "", "", ""));
}

/* What each kind of column and cell becomes. */
TEST(cells_of_a_table)
{
    static const struct term_column columns[] = {{"points", TERM_RIGHT},
                                                 {"verdict", TERM_LEFT},
                                                 {"empty", TERM_LEFT},
                                                 {"why", TERM_NOTE},
                                                 {"who", TERM_NAME}};
    static const char *const want[] = {
        "<caption><span>All</span></caption>",
        "<thead><tr><th scope=\"col\" class=\"number\">points</th><th scope=\"col\">verdict</th>"
        "<th scope=\"col\">why</th><th scope=\"col\">who</th></tr></thead>",
        "<tr><td class=\"number\">1</td><td class=\"good\"><span "
        "aria-hidden=\"true\">\u2713</span> "
        "pass</td><td class=\"text\">so</td><th scope=\"row\" class=\"text\"><a href=\"x.html\">Ann"
        "</a></th></tr>",
        "<th scope=\"row\">jones-anna-12<wbr>.simd</th>"};
    struct term_table *t = term_table_new("All");
    term_table_columns(t, columns, 5);
    term_table_cell(t, TERM_BOLD, "1");
    term_table_cell(t, TERM_GREEN, "pass");
    term_table_mark(t);
    term_table_cell(t, TERM_DIM, "-");
    term_table_cell(t, TERM_PLAIN, "so");
    term_table_cell(t, TERM_PLAIN, "Ann");
    term_table_link(t, "x.html");
    struct html_page p = HTML_PAGE_INIT;
    html_table(&p, NULL, t);
    t = term_table_new("Units");
    term_table_column(t, "unit", TERM_LEFT);
    term_table_cell(t, TERM_PLAIN, "jones-anna-12.simd");
    html_table(&p, NULL, t);
    OWNED char *html = html_page_finish(&p, "", "", "");
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
        if (!strstr(html, want[i]))
            fail_msg("%s is not in %s", want[i], strstr(html, "<caption>"));
}

TEST(every_function_escapes)
{
    static const struct {
        void (*add)(struct html_page *p);
        unsigned texts; /* how often the text is on the page */
    } functions[] = {{section, 2}, {heading, 1}, {paragraph, 1}, {total, 1},  {labelled, 2},
                     {lines, 2},   {a_table, 6}, {a_caption, 6}, {no_rows, 1}};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        struct html_page p = HTML_PAGE_INIT;
        functions[i].add(&p);
        OWNED char *html = html_page_finish(&p, EVIL, EVIL, EVIL);
        if (times_in(html, HARMLESS) != functions[i].texts + 4) /* the title is there twice */
            fail_msg("function %zu: %s", i, strstr(html, "<body>"));
        assert_int_equal(times_in(html, "<i>"), 0);
        assert_int_equal(times_in(html, "\"'"), 0);
        assert_int_equal(times_in(html, "\x01"), 0);
    }
}

TEST(a_page_is_used_up)
{
    struct html_page p = HTML_PAGE_INIT;
    section(&p);
    OWNED char *first = html_page_finish(&p, "T", "S", "F"),
               *second = html_page_finish(&p, "T", "S", "F");
    assert_int_equal(times_in(first, HARMLESS), 2);
    assert_int_equal(times_in(second, HARMLESS), 0);
    /* even text that was not escaped could run nothing and ask for nothing */
    assert_int_equal(times_in(second, "content=\"default-src 'none'; "), 1);
}

TESTS(NULL, NULL)

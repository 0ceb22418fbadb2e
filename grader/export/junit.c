/* JUnit XML, which continuous integration shows. */
#include <stdbool.h>
#include <string.h>

#include "base/json.h"
#include "export/export.h"
#include "report/text.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* U+FFFE and U+FFFF: XML has no such characters (XML 1.0, section 2.2). */
static bool is_no_character(const char *s)
{
    return strncmp(s, "\xef\xbf\xbe", 3) == 0 || strncmp(s, "\xef\xbf\xbf", 3) == 0;
}

/* Text in an attribute or element. Control characters are replaced: XML has none. */
static void add_text(struct strbuf *sb, const char *text)
{
    json_auto_t *safe = json_printable(text);
    for (const char *p = json_string_value(safe); *p; p++) {
        if (is_no_character(p)) {
            strbuf_adds(sb, REPLACEMENT);
            p += 2;
            continue;
        }
        switch (*p) {
        case '&':
            strbuf_adds(sb, "&amp;");
            break;
        case '<':
            strbuf_adds(sb, "&lt;");
            break;
        case '>':
            strbuf_adds(sb, "&gt;");
            break;
        case '"':
            strbuf_adds(sb, "&quot;");
            break;
        case '\n':
            strbuf_adds(sb, "&#10;");
            break;
        default:
            strbuf_add(sb, p, 1);
        }
    }
}

static void add_attribute(struct strbuf *sb, const char *name, const char *text)
{
    strbuf_addf(sb, " %s=\"", name);
    add_text(sb, text);
    strbuf_adds(sb, "\"");
}

struct counts {
    unsigned tests, failures, errors, skipped;
    double seconds;
};

static void count(const struct unit_result *u, struct counts *c)
{
    c->tests++;
    c->skipped += u->verdict == VERDICT_SKIPPED;
    c->errors += u->verdict == VERDICT_INFRA_ERROR;
    c->failures += verdict_fault(u->verdict) == FAULT_STUDENT;
    c->seconds += u->total_seconds;
}

static void add_counts(struct strbuf *sb, const struct counts *c)
{
    strbuf_addf(sb, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" time=\"%.3f\">\n",
                c->tests, c->failures, c->errors, c->skipped, c->seconds);
}

static void add_case(struct strbuf *sb, const struct graded_run *g, unsigned unit)
{
    const struct unit_result *u = g->results->unit[unit];
    const char *element = u->verdict == VERDICT_SKIPPED       ? "skipped"
                          : u->verdict == VERDICT_INFRA_ERROR ? "error"
                                                              : "failure";
    strbuf_adds(sb, "    <testcase");
    add_attribute(sb, "classname", text_submission(g->run, unit));
    add_attribute(sb, "name", text_tier(g->run, unit));
    strbuf_addf(sb, " time=\"%.3f\"", u->total_seconds);
    if (u->verdict == VERDICT_PASS) {
        strbuf_adds(sb, "/>\n");
        return;
    }
    strbuf_addf(sb, ">\n      <%s", element);
    if (u->verdict != VERDICT_SKIPPED)
        add_attribute(sb, "type", verdict_name(u->verdict));
    add_attribute(sb, "message", u->message[0] ? u->message : verdict_summary(u->verdict));
    strbuf_adds(sb, ">");
    add_text(sb, u->build_log);
    strbuf_addf(sb, "</%s>\n    </testcase>\n", element);
}

/* *total: what it counts is added. */
static void add_suite(struct strbuf *sb, const struct graded_run *g, int submission,
                      struct counts *total)
{
    const struct plan *p = g->run->plan;
    const struct unit_range mine = plan_units_of(p, submission);
    struct counts c = {0};
    for (unsigned i = mine.first; i < mine.end; i++) {
        count(g->results->unit[i], &c);
        count(g->results->unit[i], total);
    }
    strbuf_adds(sb, "  <testsuite");
    add_attribute(sb, "name", p->submissions[submission].id);
    add_counts(sb, &c);
    for (unsigned i = mine.first; i < mine.end; i++)
        add_case(sb, g, i);
    strbuf_adds(sb, "  </testsuite>\n");
}

void export_junit(const struct graded_run *g, struct strbuf *out)
{
    const struct plan *p = g->run->plan;
    FREED_BY(strbuf_free) struct strbuf suites = STRBUF_INIT;
    struct counts total = {0};
    for (unsigned i = 0; i < p->submissions_count; i++)
        if (!p->submissions[i].is_reference)
            add_suite(&suites, g, (int)i, &total);
    strbuf_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    add_attribute(out, "name", g->run->assignment->name);
    add_counts(out, &total);
    strbuf_adds(out, suites.s);
    strbuf_adds(out, "</testsuites>\n");
}

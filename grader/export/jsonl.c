/* JSON Lines: one object a line, for programs that read results one by one. */

#include "base/json.h"
#include "export/export.h"
#include "report/report.h"

enum { DIGITS = 9 };

/* What a line needs to be read alone. */
static void add_context(json_t *o, const struct run *r, unsigned unit)
{
    const struct submission *s = &r->plan->submissions[r->plan->units[unit].submission];
    json_object_set_new(o, "run", json_printable(r->plan->run_id));
    json_object_set_new(o, "assignment", json_printable(r->assignment->name));
    json_object_set_new(o, "name", json_printable(s->name));
    json_object_set_new(o, "reference", json_boolean(s->is_reference));
}

int export_jsonl(const struct graded_run *g, struct strbuf *out, struct err *e)
{
    int rc = 0;
    for (unsigned i = 0; i < g->run->plan->units_count && rc == 0; i++) {
        json_auto_t *o = report_unit_json(g->run, g->results, g->board, i);
        add_context(o, g->run, i);
        OWNED char *text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
        if (text)
            strbuf_addf(out, "%s\n", text);
        else
            rc = err_system(e, "unit %s cannot be written as JSON", g->run->plan->units[i].id);
    }
    return rc;
}

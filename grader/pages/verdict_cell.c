#include "pages/verdict_cell.h"

static void look(enum verdict v, const char **style, const char **mark)
{
    switch (v) {
    case VERDICT_PASS:
        *style = "good";
        *mark = "\u2713"; /* check mark */
        return;
    case VERDICT_SKIPPED:
    case VERDICT_MISSING:
        *style = "dim";
        *mark = "\u2013"; /* dash */
        return;
    case VERDICT_INFRA_ERROR:
        *style = "warn";
        *mark = "!";
        return;
    default:
        *style = "bad";
        *mark = "\u2717"; /* ballot x */
    }
}

void verdict_cell(const struct unit_result *u, struct html_page *page)
{
    const char *style = "dim", *mark = "\u2013";
    if (u)
        look(u->verdict, &style, &mark);
    html_mark_cell(page, style, mark, u ? verdict_name(u->verdict) : "not run");
}

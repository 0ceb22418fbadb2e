#include "cmd/nightly_page.h"

#include <string.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "base/version.h"
#include "history/nodes.h"
#include "pages/html.h"

static void show_nodes(const struct news *n, struct html_page *page)
{
    html_section(page, "nodes", "Nodes");
    html_paragraph(page,
                   "level: how much slower a node is than the median of the other nodes with the "
                   "same processor. noise: how far its nights are from its own level. last night: "
                   "how much slower it was than its own level. nights: since its last change. "
                   "verdict: when its times are judged for the first time.");
    html_table_or(page, NULL, nodes_table(n, true), "No node was measured yet.");
    html_section_end(page);
}

static void show_changes(const struct news *n, struct html_page *page)
{
    html_section(page, "changes", "Changes");
    html_table_or(page, NULL, changes_table(n), "Changes: none.");
    html_section_end(page);
}

int nightly_page_write(const struct news *n, const char *path, struct err *e)
{
    const struct panel *p = &n->view.panel;
    struct html_page page = {.sortable = true};
    char now[32];
    clock_utc(now, sizeof now);
    show_nodes(n, &page);
    show_changes(n, &page);
    OWNED char *subtitle = p->nights ? xasprintf("%zu %s on %zu %s, the last one %s", p->nodes,
                                                 plural(p->nodes, "node", "nodes"), p->nights,
                                                 plural(p->nights, "day", "days"),
                                                 n->view.day[p->nights - 1])
                                     : xstrdup("Nothing was measured yet."),
               *footer = xasprintf("Made %s. Paragrade %s.", now, PARAGRADE_VERSION),
               *html = html_page_finish(&page, "Every night", subtitle, footer);
    return fs_write_for_all(path, html, strlen(html), e); /* its readers have other accounts */
}

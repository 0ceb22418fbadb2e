/* verdict_cell.h - a verdict in a table: a mark, its name, and a colour. Colour is never the only
 * sign. */
#ifndef PAGES_VERDICT_CELL_H
#define PAGES_VERDICT_CELL_H

#include "model/result.h"
#include "pages/html.h"

/* u: NULL if it has not been run. */
void verdict_cell(const struct unit_result *u, struct html_page *page);

#endif

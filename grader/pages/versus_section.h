/* versus_section.h - how fast tiers are beside others, as the assignment's `versus` asks for. */
#ifndef PAGES_VERSUS_SECTION_H
#define PAGES_VERSUS_SECTION_H

#include "pages/find.h"

/* A section with the comparisons of one submission, or with those of all (submission -1), who are
 * named then. Nothing if the assignment compares nothing. */
void show_versus(const struct source *s, int submission, struct html_page *page);

#endif

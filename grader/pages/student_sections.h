/* student_sections.h - the sections of a student's page. Pictures: see student_page.h. */
#ifndef PAGES_STUDENT_SECTIONS_H
#define PAGES_STUDENT_SECTIONS_H

#include "pages/find.h"
#include "pages/standing.h"
#include "report/said.h"

/* One tier, below a heading of its own (student_tier.c). */
/* said: on the page before. */
void student_tier(const struct source *s, int unit, struct said *said, struct html_page *page);
/* student_speed.c */
void student_ladder(const struct source *s, unsigned submission, int picture,
                    struct html_page *page);
void student_scaling(const struct source *s, unsigned submission, int picture,
                     struct html_page *page);
void student_roofline(const struct source *s, unsigned submission, int picture,
                      struct html_page *page);
/* Nothing in a partial check (student_class.c). */
void student_class(const struct source *s, unsigned submission, const struct standing *class,
                   struct html_page *page);

#endif

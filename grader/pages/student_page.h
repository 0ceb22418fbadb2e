/* student_page.h - one student's page: nothing of another student is in it. */
#ifndef PAGES_STUDENT_PAGE_H
#define PAGES_STUDENT_PAGE_H

#include "pages/find.h"
#include "pages/standing.h"

/* Numbers in source.pictures; -1: there is none. */
struct student_pictures {
    int ladder, scaling, roofline;
};

/* Append the scripts of a student's pictures. */
void student_page_draw(const struct source *s, unsigned submission, struct pictures *p,
                       struct student_pictures *out);

/* The page as HTML; the caller frees it. */
char *student_page(const struct source *s, unsigned submission, const struct student_pictures *n,
                   const struct standing *class);

#endif

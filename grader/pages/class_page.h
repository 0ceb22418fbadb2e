/* class_page.h - the class for its instructor. Names and points of everybody are in it. */
#ifndef PAGES_CLASS_PAGE_H
#define PAGES_CLASS_PAGE_H

#include "pages/find.h"
#include "pages/standing.h"
#include "report/similar_sources.h"

struct class_pictures {
    int ladder, roofline;
};

void class_page_draw(const struct source *s, struct pictures *p, struct class_pictures *out);
/* The page as HTML; the caller frees it. */
char *class_page(const struct source *s, const struct class_pictures *n,
                 const struct standing *class, const struct similar_list *similar);

#endif

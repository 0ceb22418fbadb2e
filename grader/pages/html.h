/*
 * html.h - HTML pages that need nothing else: no other file, no network, and no script to be read.
 *
 * Text is always escaped. Only functions named html_raw... take HTML.
 */
#ifndef PAGES_HTML_H
#define PAGES_HTML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* A page under construction. sortable: a page for an instructor: as wide as its window, and a small
 * script of ours, the only one that the policy of the page allows, sorts its tables. HTML_PAGE_INIT
 * needs no allocation. */
struct html_page {
    struct strbuf nav;  /* links to the sections */
    struct strbuf body; /* sections */
    bool sortable;
};

#define HTML_PAGE_INIT                                                                             \
    {                                                                                              \
        STRBUF_INIT, STRBUF_INIT, false                                                            \
    }

/* Text between tags and in attributes in quotes: < > & " ' are escaped. Control characters, bytes
 * that are no UTF-8, and characters that change the direction of writing become U+FFFD: a page must
 * not show another text than the one that was written. */
void html_add(struct strbuf *sb, const char *text);
void html_addf(struct strbuf *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A section with a heading of the second level and a link to it. id: a word. */
void html_section(struct html_page *p, const char *id, const char *title);
void html_section_end(struct html_page *p);
/* A heading of the third level. */
void html_heading(struct html_page *p, const char *id, const char *title);

void html_paragraph(struct html_page *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* One that stands out. */
void html_total(struct html_page *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A paragraph that begins with bold text. */
void html_labelled(struct html_page *p, const char *label, const char *text);
/* Lines as they were written; long ones are wrapped. label: for screen readers. */
void html_lines(struct html_page *p, const char *label, const char *text);

/* A table with its title, or another caption. Frees it. Columns that say nothing are left out. Wide
 * tables scroll by themselves, also by keyboard. */
struct term_table;
void html_table(struct html_page *p, const char *caption, struct term_table *t);
/* The same, but for a table without rows this paragraph, or nothing (NULL). */
void html_table_or(struct html_page *p, const char *caption, struct term_table *t,
                   const char *none);

/* The page as a file: title (also its first heading), a line below it, the links, the sections, a
 * footer. The caller frees the string; the page is empty afterwards. */
char *html_page_finish(struct html_page *p, const char *title, const char *subtitle,
                       const char *footer);

/* The script that sorts tables. */
extern const char html_sort_script[];
/* The sheet of styles, to be put between <style> and </style>. */
void html_raw_style(struct strbuf *sb);

#endif

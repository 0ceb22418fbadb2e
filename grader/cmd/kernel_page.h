/* kernel_page.h - what students are given of a kernel in a file: a short page. */
#ifndef CMD_KERNEL_PAGE_H
#define CMD_KERNEL_PAGE_H

#include <stdbool.h>

#include "model/assignment.h"

/* In Markdown: what is computed, by which function, how it is checked, an example, the tiers. The
 * kernel must be from a file. tiers: name them and their points. The caller frees it. */
char *kernel_page(const struct assignment *a, bool tiers);

#endif

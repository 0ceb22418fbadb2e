/* What one call of a tier consisted of on a GPU, as its profiler said. Names of kernels are the
 * student's text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "pages/student_sections.h"
#include "report/text.h"

/* Name, share and times, which calls and the work of the device both have. */
static void show_times(const struct device_profile *p, unsigned row, struct html_page *page)
{
    const struct profile_row *x = &p->row[row];
    const double share = profile_share(p, row);
    char text[TEXT_MOST] = "-";
    html_text_row(page, x->name);
    if (isfinite(share))
        snprintf(text, sizeof text, "%.1f%%", 100 * share);
    html_number(page, text);
    text_seconds(x->seconds, text);
    html_number(page, text);
    snprintf(text, sizeof text, "%llu", (unsigned long long)x->calls);
    html_number(page, text);
    text_seconds(x->seconds / (double)x->calls, text);
    html_number(page, text);
}

/* What a launch of the kernel asked for. Copies have none of it. */
static void show_launch(const struct profile_row *x, struct html_page *page)
{
    enum { COUNT = 5 };
    char text[COUNT][TEXT_MOST] = {"-", "-", "-", "-", "-"};
    if (x->activity == ACTIVITY_KERNEL) {
        snprintf(text[0], TEXT_MOST, "%u", x->registers);
        snprintf(text[1], TEXT_MOST, "%u B", x->shared_bytes);
        snprintf(text[2], TEXT_MOST, "%u", x->block_threads);
        snprintf(text[3], TEXT_MOST, "%llu", (unsigned long long)x->grid_blocks);
        if (isfinite(x->occupancy))
            snprintf(text[4], TEXT_MOST, "%.0f%%", 100 * x->occupancy);
    }
    for (int i = 0; i < COUNT; i++)
        html_number(page, text[i]);
}

/* The rows of the program's calls, or those of what the device did. */
static void show_rows(const struct device_profile *p, bool calls, const char *caption,
                      struct html_page *page)
{
    static const struct html_column columns[] = {
        {"name", false},   {"share", true},     {"total", true},         {"calls", true},
        {"average", true}, {"registers", true}, {"shared, block", true}, {"threads, block", true},
        {"blocks", true},  {"occupancy", true}};
    enum { COLUMNS = sizeof columns / sizeof columns[0], COLUMNS_OF_CALLS = 5 };
    bool any = false;
    for (unsigned i = 0; i < p->count; i++) {
        if ((p->row[i].activity == ACTIVITY_API) != calls)
            continue;
        if (!any)
            html_table(page, caption, columns, calls ? COLUMNS_OF_CALLS : COLUMNS);
        any = true;
        show_times(p, i, page);
        if (!calls)
            show_launch(&p->row[i], page);
        html_row_end(page);
    }
    if (any)
        html_table_end(page);
}

void student_profile(const struct tier *t, const struct device_profile *p, struct html_page *page)
{
    if (!p->count)
        return;
    char size[SHAPE_TEXT];
    shape_format(p->shape, size);
    char *work = xasprintf("%s: what the device did in one call at size %s, with the copies",
                           t->title, size),
         *calls = xasprintf("%s: CUDA API calls of the same call", t->title);
    show_rows(p, false, work, page);
    show_rows(p, true, calls, page);
    free(work);
    free(calls);
}

/* Write the CSV files and receipts.json. */
#include "report/tables.h"

#include "base/parallel.h"
#include "report/receipt.h"
#include "report/report.h"

/* Tables are made side by side. */
struct tables {
    const struct table_source *source;
    struct table of[TABLE_COUNT];
};

static void make_table(void *arg, size_t i)
{
    static void (*const rows[TABLE_COUNT])(const struct table_source *s, struct table *t) = {
        [UNITS] = rows_units,           [CASES] = rows_cases,           [SAMPLES] = rows_samples,
        [SPEEDUP] = rows_speedup,       [EFFICIENCY] = rows_efficiency, [WEAK] = rows_weak,
        [SWEEP] = rows_sweep,           [PROFILE] = rows_profile,       [VERSUS] = rows_versus,
        [GRADES] = rows_grades,         [ROOFLINE] = rows_roofline,     [COUNTERS] = rows_counters,
        [SIMILARITY] = rows_similarity, [SPREAD] = rows_spread,
    };
    struct tables *t = arg;
    table_init(&t->of[i], (enum table_id)i, t->source->run->assignment->kernel);
    rows[i](t->source, &t->of[i]);
}

/* The first error counts; the other files are written. */
static int write_files(const struct table_source *s, const char *dir, struct err *e)
{
    struct tables t = {.source = s};
    int rc = 0;
    parallel_for(TABLE_COUNT, make_table, &t);
    for (int i = 0; i < TABLE_COUNT; i++)
        if (table_close(&t.of[i], (enum table_id)i, dir, rc == 0 ? e : NULL) != 0)
            rc = -1;
    return rc;
}

static int write_tables(struct table_source *s, const char *dir, struct similar_list *similar,
                        struct err *e)
{
    struct similar_row *rows;
    s->similar_count = similar_rows(s->run, &rows);
    s->similar = rows;
    const int rc = write_files(s, dir, e);
    if (similar)
        *similar = (struct similar_list){rows, s->similar_count};
    else
        similar_rows_free(rows, s->similar_count);
    return rc;
}

int report_write_tables(const struct run *r, const char *dir, const struct results *res,
                        const struct scoreboard *b, const json_t *receipts, struct err *e)
{
    struct table_source source = {.run = r, .results = res, .board = b, .receipts = receipts};
    return write_tables(&source, dir, NULL, e);
}

int report_write(const struct run *r, const struct results *res, const struct scoreboard *b,
                 struct similar_list *similar, struct err *e)
{
    json_auto_t *receipts = NULL, *files = receipt_files(r->dir);
    const struct receipt_before before = {.files = files};
    if (receipt_make(r, res, b, &before, &receipts, e) != 0)
        return -1;
    struct table_source source = {.run = r, .results = res, .board = b, .receipts = receipts};
    int rc = write_tables(&source, r->dir, similar, e);
    if (rc == 0) {
        receipt_add_files(receipts, r->dir, files);
        rc = receipt_save(r->dir, receipts, e);
    }
    return rc;
}

/* Write the CSV files and receipts.json. */
#include "report/tables.h"

#include "report/receipt.h"
#include "report/report.h"

int report_write_tables(const struct run *r, const char *dir, const struct results *res,
                        const struct scoreboard *b, const json_t *receipts, struct err *e)
{
    static void (*const rows[TABLE_COUNT])(const struct table_source *s, struct table *t) = {
        [UNITS] = rows_units,       [CASES] = rows_cases,           [SAMPLES] = rows_samples,
        [SPEEDUP] = rows_speedup,   [EFFICIENCY] = rows_efficiency, [SWEEP] = rows_sweep,
        [PROFILE] = rows_profile,   [VERSUS] = rows_versus,         [GRADES] = rows_grades,
        [ROOFLINE] = rows_roofline, [COUNTERS] = rows_counters,     [SIMILARITY] = rows_similarity,
        [SPREAD] = rows_spread,
    };
    const struct table_source source = {r, res, b, receipts};
    for (int i = 0; i < TABLE_COUNT; i++) {
        struct table t;
        table_init(&t, (enum table_id)i, r->assignment->kernel);
        rows[i](&source, &t);
        if (table_close(&t, (enum table_id)i, dir, e) != 0)
            return -1;
    }
    return 0;
}

int report_write(const struct run *r, const struct results *res, const struct scoreboard *b,
                 struct err *e)
{
    json_t *receipts;
    if (receipt_make(r, res, b, NULL, &receipts, e) != 0)
        return -1;
    int rc = report_write_tables(r, r->dir, res, b, receipts, e);
    if (rc == 0) {
        receipt_add_files(receipts, receipt_files(r->dir));
        rc = receipt_save(r->dir, receipts, e);
    }
    json_decref(receipts);
    return rc;
}

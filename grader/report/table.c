#include "report/table.h"

#include <math.h>
#include <stdint.h>

#include "base/strbuf.h"

const enum part table_file[TABLE_COUNT] = {
    [UNITS] = PART_UNITS_TABLE,           [CASES] = PART_CASES_TABLE,
    [SAMPLES] = PART_SAMPLES_TABLE,       [SPEEDUP] = PART_SPEEDUP_TABLE,
    [EFFICIENCY] = PART_EFFICIENCY_TABLE, [WEAK] = PART_WEAK_TABLE,
    [SWEEP] = PART_SWEEP_TABLE,           [PROFILE] = PART_PROFILE_TABLE,
    [VERSUS] = PART_VERSUS_TABLE,         [GRADES] = PART_GRADES_TABLE,
    [ROOFLINE] = PART_ROOFLINE_TABLE,     [SPREAD] = PART_SPREAD_TABLE,
    [COUNTERS] = PART_COUNTERS_TABLE,     [SIMILARITY] = PART_SIMILARITY_TABLE,
};

const struct table_column table_columns[COLUMN_COUNT] = {
#define COLUMN(table, identifier, name) {table, name},
#include "report/columns.def"
#undef COLUMN
};

void table_init(struct table *t, enum table_id which, const struct kernel *k)
{
    t->csv = csv_out_new();
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        t->index[i] = SIZE_MAX;
    table_add_columns(t, which, k);
}

static size_t add_shape(struct table *t, const struct kernel *k)
{
    size_t first = 0;
    for (int i = 0; i < kernel_fields(k); i++) {
        char key[FIELD_KEY];
        kernel_field_key(k, i, key);
        const size_t column = csv_out_column(t->csv, key);
        first = i == 0 ? column : first;
    }
    return first;
}

void table_add_columns(struct table *t, enum table_id which, const struct kernel *k)
{
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        const char *name = table_columns[i].name;
        if (table_columns[i].table == which)
            t->index[i] = *name ? csv_out_column(t->csv, name) : add_shape(t, k);
    }
}

int table_close(struct table *t, enum table_id which, const char *dir, struct err *e)
{
    OWNED char *path = part_path(dir, table_file[which]);
    return csv_out_close(t->csv, path, e);
}

void table_str(struct table *t, enum column c, const char *s)
{
    csv_out_str(t->csv, t->index[c], s);
}

void table_int(struct table *t, enum column c, long long v)
{
    csv_out_int(t->csv, t->index[c], v);
}

void table_shape(struct table *t, enum column c, const struct kernel *k, struct shape s)
{
    for (int i = 0; i < kernel_fields(k); i++) {
        const struct shape_field f = kernel_field(k, s, i);
        const size_t column = t->index[c] + (size_t)i;
        if (f.kind == FIELD_INTEGER)
            csv_out_int(t->csv, column, f.integer);
        else if (f.kind == FIELD_REAL)
            csv_out_num(t->csv, column, f.real, FACT_SIGNIFICANT);
        else
            csv_out_str(t->csv, column, f.text);
    }
}

void table_size(struct table *t, enum column c, struct shape s)
{
    char size[SHAPE_TEXT];
    shape_format(s, size);
    table_str(t, c, size);
}

void table_number(struct table *t, enum column c, const char *s)
{
    csv_out_number(t->csv, t->index[c], s);
}

void table_num(struct table *t, enum column c, double v, int significant)
{
    csv_out_num(t->csv, t->index[c], v, significant);
}

void table_positive(struct table *t, enum column c, double v, int significant)
{
    table_num(t, c, v > 0 ? v : (double)NAN, significant);
}

void table_points(struct table *t, enum column c, double v)
{
    csv_out_decimal(t->csv, t->index[c], v, POINTS_DECIMALS);
}

void table_yes_no(struct table *t, enum column c, bool v)
{
    table_str(t, c, v ? "yes" : "no");
}

void table_empty(struct table *t, enum column c)
{
    table_str(t, c, "");
}

void table_end_row(struct table *t)
{
    csv_out_end_row(t->csv);
}

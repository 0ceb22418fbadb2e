#include "kernel/row_order.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/strbuf.h"
#include "kernel/pattern.h"

/* Two rows may be exchanged by chance where they have few elements. */
enum { ROWS_LEAST = 3, ROWS_MOST = 1 << 16 };

enum { ROW_ORDER_TEXT = 128 };

struct row {
    uint64_t hash;
    size_t number;
};

static int by_hash(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static struct row *sorted(size_t rows, size_t bytes, const void *matrix)
{
    struct row *r = xcalloc(rows, sizeof *r);
    for (size_t i = 0; i < rows; i++)
        r[i] = (struct row){hash_64((const unsigned char *)matrix + i * bytes, bytes), i};
    qsort(r, rows, sizeof *r, by_hash);
    return r;
}

void row_order_describe(const char *row, size_t rows, size_t bytes, const void *expected,
                        const void *got, struct mismatch *m)
{
    if (rows < ROWS_LEAST || rows > ROWS_MOST || !m->wrong)
        return;
    OWNED struct row *want = sorted(rows, bytes, expected), *have = sorted(rows, bytes, got);
    size_t same = 0, from = rows;
    for (; same < rows && want[same].hash == have[same].hash; same++)
        if (have[same].number == (size_t)m->row)
            from = want[same].number;
    if (same == rows && from != (size_t)m->row && from < rows) {
        char cause[ROW_ORDER_TEXT];
        snprintf(cause, sizeof cause,
                 "all %ss are right, but in another order: %s %d holds what belongs in %s %zu", row,
                 row, m->row, row, from);
        pattern_add_cause(m, cause);
    }
}

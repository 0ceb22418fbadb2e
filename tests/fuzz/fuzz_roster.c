/* A class list out of a spreadsheet. */
#include <string.h>

#include "base/csv.h"
#include "fuzz.h"
#include "plan/roster.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    struct csv_table t;
    struct roster r;
    struct err e = ERR_INIT;
    int rc = csv_read(path, &t, &e);
    if (rc != 0) {
        fuzz_refused(rc, &e);
    } else {
        FUZZ_ASSERT(t.count > 0);
        for (size_t i = 0; i < t.count; i++) {
            FUZZ_ASSERT(t.row[i].count == t.row[0].count);
            FUZZ_ASSERT(t.row[i].line > (i ? t.row[i - 1].line : 0));
        }
        csv_table_free(&t);
    }
    int taken = roster_load(path, &r, &e);
    if (taken != 0) {
        fuzz_refused(taken, &e);
        return 0;
    }
    FUZZ_ASSERT(rc == 0 && r.count > 0);
    for (size_t i = 0; i < r.count; i++) {
        const struct student *s = &r.student[i];
        FUZZ_ASSERT(s->directory[0] && !strchr(s->directory, '/'));
        FUZZ_ASSERT(strcmp(s->directory, ".") != 0 && strcmp(s->directory, "..") != 0);
        FUZZ_ASSERT(s->name[0]);
        for (size_t k = 0; k < r.columns; k++)
            FUZZ_ASSERT(r.column[k][0] && s->field[k]);
    }
    roster_free(&r);
    return 0;
}

/* Records of Slurm jobs: written and read again; damaged ones are refused. */
#include "unit.h"

#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "rundir/job_record.h"

#include "test_dir.h"

static int load(const char *text, struct job_record *b, struct err *e)
{
    OWNED char *path = xasprintf("%s/array-1.json", test_dir);
    if (fs_write_atomic(path, text, strlen(text), e) != 0)
        fail_msg("%s", e->text);
    return job_record_load(path, b, e);
}

TEST(damaged)
{
    static const struct {
        const char *text, *error;
    } table[] = {
        {"", "array-1.json: is damaged"},
        {"[]", "not a JSON object"},
        {"{}", "field 'name' is not a string"},
        {"{\"name\": 1, \"elements\": 0, \"units\": []}", "field 'name' is not a string"},
        {"{\"name\": \"x\", \"elements\": 1}", "field 'units' is not a list of units"},
        {"{\"name\": \"x\", \"elements\": 1, \"units\": 7}",
         "field 'units' is not a list of units"},
        {"{\"name\": \"x\", \"elements\": 1, \"units\": [\"u\", 7]}",
         "field 'units' is not a list of units"},
        {"{\"name\": \"x\", \"units\": [\"u\"]}", "field 'elements'"},
        {"{\"name\": \"x\", \"elements\": 0, \"units\": [\"u\"]}", "field 'elements'"},
        {"{\"name\": \"x\", \"elements\": 2, \"units\": [\"u\"]}", "field 'elements'"},
        {"{\"name\": \"x\", \"elements\": 1, \"units\": [\"u\"]}", "field 'throttle'"},
        {"{\"name\": \"x\", \"elements\": [[\"u\"]]}", "field 'units'"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct err e = ERR_INIT;
        FREED_BY(job_record_free) struct job_record b = {0};
        if (load(table[i].text, &b, &e) == 0 || e.kind != ERR_INPUT ||
            !strstr(e.text, table[i].error) || b.name || b.unit || b.count)
            fail_msg("%s: %s", table[i].text, e.text);
    }
}

TEST(written_and_read)
{
    static const char *const ids[] = {"anna.naive", "ben.simd", "cleo.openmp"};
    struct err e = ERR_INIT;
    OWNED char *path = xasprintf("%s/array-2.json", test_dir);
    for (unsigned count = 0; count <= 3; count++) {
        FREED_BY(job_record_free) struct job_record b = {0};
        const struct job_record_view r = {.name = "pg-r-1",
                                          .elements = count > 0,
                                          .throttle = count,
                                          .unit = count ? ids : NULL,
                                          .count = count};
        assert_int_equal(job_record_write(path, &r, &e), 0);
        assert_int_equal(job_record_load(path, &b, &e), 0);
        assert_string_equal(b.name, "pg-r-1");
        assert_int_equal(b.count, count);
        assert_int_equal(b.elements, count > 0);
        assert_int_equal(b.throttle, count);
        for (unsigned i = 0; i < count; i++)
            assert_string_equal(b.unit[i], ids[i]);
    }
}

TESTS(test_dir_make, test_dir_remove)

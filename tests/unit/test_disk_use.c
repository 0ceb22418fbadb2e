/* How much a directory takes: links, deep directories, what is not there. */
#include "unit.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/disk_use.h"
#include "test_dir.h"

enum { FILE_BYTES = 400000, DIRECTORIES = 1 << 18 /* what many directories themselves take */ };

/* A file in a directory below `dir`, which is made. */
static void put(const char *dir)
{
    static const char block[FILE_BYTES];
    OWNED char *path = xasprintf("%s/%s", test_dir, dir), *file = xasprintf("%s/file", path);
    assert_int_equal(fs_mkdirs(path, NULL), 0);
    assert_int_equal(fs_write_atomic(file, block, sizeof block, NULL), 0);
}

TEST(directories)
{
    static const char ten[] = "/1/2/3/4/5/6/7/8/9/0";
    OWNED char *deep = xasprintf("deep%s", ten),
               *deeper = xasprintf("deeper%s%s%s%s", ten, ten, ten, ten);
    put("one");
    put("two");
    put("two/more");
    put(deep);
    put(deeper);
    const char *const links[][2] = {{"linked", "../two"}, {"loop", "../loop"}, {"usr", "/usr"}};
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        OWNED char *dir = xasprintf("%s/%s", test_dir, links[i][0]),
                   *link = xasprintf("%s/link", dir);
        assert_int_equal(fs_mkdirs(dir, NULL), 0);
        assert_int_equal(symlink(links[i][1], link), 0);
    }
    const struct {
        const char *path;
        uint64_t files;
    } table[] = {
        {"nowhere", 0}, {"one/file", 1}, {"one", 1},  {"two", 2}, {deep, 1},
        {"deep", 1},    {"deeper", 0}, /* below more than 32 directories */
        {deeper, 1},    {"linked", 0},   {"loop", 0}, {"usr", 0}, {"usr/link", 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *path = xasprintf("%s/%s", test_dir, table[i].path);
        const uint64_t bytes = disk_use(path), least = table[i].files * FILE_BYTES;
        if (bytes < least || bytes >= least + DIRECTORIES)
            fail_msg("%s: %llu bytes", table[i].path, (unsigned long long)bytes);
    }
    assert_int_equal(disk_use("/nowhere"), 0);
    OWNED char *one = xasprintf("%s/two", test_dir), *all = xasprintf("%s/deeper", test_dir);
    assert_int_equal(disk_count(one).files, 4);
    assert_false(disk_count(one).too_deep);
    assert_true(disk_count(all).too_deep);
}

TEST(texts)
{
    static const struct {
        uint64_t bytes;
        const char *text;
    } table[] = {
        {0, "0 KiB"},
        {1023, "1 KiB"},
        {812 << 10, "812 KiB"},
        {1 << 20, "1.0 MiB"},
        {UINT64_C(1331) << 20, "1.3 GiB"},
        {UINT64_C(5000) << 40, "5000 TiB"},
    };
    char text[DISK_USE_TEXT];
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_string_equal(disk_use_text(table[i].bytes, text), table[i].text);
}

TESTS(test_dir_make, test_dir_remove)

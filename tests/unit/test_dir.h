/*
 * test_dir.h - the directory of a test program, for tests that need files. The first functions
 * are for cmocka_run_group_tests(). Include it after "unit.h".
 */
#ifndef TESTS_UNIT_TEST_DIR_H
#define TESTS_UNIT_TEST_DIR_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fsio.h"
#include "base/strbuf.h"

static char test_dir[] = "/tmp/paragrade-test-XXXXXX";

static inline int test_dir_make(void **arg)
{
    (void)arg;
    return mkdtemp(test_dir) ? 0 : -1;
}

/* The same. Programs in its directory `bin` come before all others. */
static inline int test_dir_make_with_bin(void **arg)
{
    if (test_dir_make(arg) != 0)
        return -1;
    OWNED char *path = xasprintf("%s/bin:%s", test_dir, getenv("PATH"));
    return setenv("PATH", path, 1);
}

static inline int test_dir_remove(void **arg)
{
    (void)arg;
    return fs_remove_tree(test_dir, NULL);
}

/* An empty directory, for each test. */
static inline int test_dir_clear(void **arg)
{
    (void)arg;
    fs_remove_tree(test_dir, NULL);
    return fs_mkdirs(test_dir, NULL);
}

/* The path of a file in it. The caller frees it. */
static inline char *at(const char *name)
{
    return xasprintf("%s/%s", test_dir, name);
}

static inline bool exists_at(const char *name)
{
    OWNED char *path = at(name);
    return fs_exists(path);
}

/* `file` is the path of that file in it, in a program with TESTS(setup, teardown). */
#define TEST_FILE(name)                                                                            \
    static char *file;                                                                             \
    static int setup(void **arg)                                                                   \
    {                                                                                              \
        const int rc = test_dir_make(arg);                                                         \
        file = at(name);                                                                           \
        return rc;                                                                                 \
    }                                                                                              \
    static int teardown(void **arg)                                                                \
    {                                                                                              \
        free(file);                                                                                \
        return test_dir_remove(arg);                                                               \
    }

/* Write a file. Its directories are made. */
static inline void put_at(const char *name, const char *text)
{
    OWNED char *path = at(name), *dir = at(name);
    *strrchr(dir, '/') = '\0';
    assert_int_equal(fs_mkdirs(dir, NULL), 0);
    assert_int_equal(fs_write_atomic(path, text, strlen(text), NULL), 0);
}

/* Write a program into its directory `bin`. */
static inline void put_command(const char *name, const char *text)
{
    OWNED char *relative = xasprintf("bin/%s", name), *path = at(relative);
    put_at(relative, text);
    assert_int_equal(chmod(path, 0755), 0);
}

#endif

/* A file server that fails, and one whose answers are lost. */
#include "unit.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/tree.h"

#include "test_dir.h"

/* These two take the place of the C library's functions, in this program only. */

static int entries_left = -1; /* then readdir() fails; -1: it never does */

struct dirent *readdir(DIR *d)
{
    struct dirent *(*real)(DIR *);
    *(void **)&real = dlsym(RTLD_NEXT, "readdir");
    if (entries_left == 0) {
        errno = EIO;
        return NULL;
    }
    entries_left -= entries_left > 0;
    return real(d);
}

static bool answer_lost; /* link() does its work and says that the name was there */

int link(const char *from, const char *to)
{
    int (*real)(const char *, const char *);
    *(void **)&real = dlsym(RTLD_NEXT, "link");
    const int rc = real(from, to);
    if (rc != 0 || !answer_lost)
        return rc;
    errno = EEXIST;
    return -1;
}

static int fs_names(const char *dir, char ***names, size_t *count, struct err *e)
{
    return fs_list(dir, names, count, e);
}

static int tree_names(const char *dir, char ***names, size_t *count, struct err *e)
{
    return tree_list(dir, 100, names, count, e);
}

static int tree_closed(const char *dir, char ***names, size_t *count, struct err *e)
{
    return tree_list_closed(dir, 100, names, count, e);
}

/* A list that is not whole is no list: students would be missing without a word. */
TEST(listing_fails)
{
    static const struct {
        int (*list)(const char *dir, char ***names, size_t *count, struct err *e);
        size_t count; /* without an error */
        int most;     /* of entries, with "." and ".." */
    } table[] = {{fs_names, 4, 6}, {tree_names, 4, 8}, {tree_closed, 0, 8}};
    put_at("a", "");
    put_at("b", "");
    put_at("c", "");
    put_at("d/e", "");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char **names;
        size_t n;
        for (entries_left = 0; entries_left <= table[i].most;) {
            const int after = entries_left;
            struct err e = ERR_INIT;
            if (table[i].list(test_dir, &names, &n, &e) != -1)
                fail_msg("list %zu, after %d entries: %zu names", i, after, n);
            assert_null(names);
            assert_int_equal(n, 0);
            assert_int_equal(e.kind, ERR_SYSTEM);
            assert_non_null(strstr(e.text, test_dir));
            assert_non_null(strstr(e.text, "Input/output error"));
            entries_left = after;
            assert_int_equal(table[i].list(test_dir, &names, &n, NULL), -1);
            entries_left = after + 1;
        }
        entries_left = -1;
        errno = EIO; /* of an earlier call */
        assert_int_equal(table[i].list(test_dir, &names, &n, NULL), 0);
        assert_int_equal(n, table[i].count);
        fs_list_free(names, n);
    }
}

/* The first writer must know that it is the first one. */
TEST(answer_of_link_is_lost)
{
    OWNED char *path = at("published"), *data = NULL;
    struct err e = ERR_INIT;
    answer_lost = true;
    assert_int_equal(fs_publish_once(path, "mine", 4, &e), 0);
    assert_int_equal(fs_publish_once(path, "too late", 8, &e), 1);
    answer_lost = false;
    assert_int_equal(fs_publish_once(path, "too late", 8, &e), 1);
    assert_int_equal(fs_read(path, 10, &data, NULL, &e), 0);
    assert_string_equal(data, "mine");
    OWNED_TEXTS char **names = NULL;
    size_t n;
    assert_int_equal(fs_list(test_dir, &names, &n, NULL), 0);
    assert_int_equal(n, 1); /* no temporary file is left */
}

TESTS_WITH(test_dir_clear, NULL, test_dir_make, test_dir_remove)

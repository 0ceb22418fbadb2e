/* A file server that fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>

#include "base/fsio.h"
#include "base/tree.h"

#include "test_dir.h"

/* The C library's function, but after so many entries it fails. -1: it never does. */
static int entries_left = -1;

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
static void listing_fails(void **arg)
{
    (void)arg;
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

int main(void)
{
    if (!mkdtemp(test_dir))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(listing_fails, test_dir_clear),
    };
    return cmocka_run_group_tests(tests, NULL, test_dir_remove);
}

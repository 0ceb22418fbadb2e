/* Files below a directory that belongs to somebody else. */
#include "unit.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/tree.h"

#include "test_dir.h"

static void link_at(const char *to, const char *name)
{
    OWNED char *path = at(name);
    assert_int_equal(symlink(to, path), 0);
}

TEST(refused)
{
    put_at("secret/a.h", "secret");
    put_at("sub/lib/a.h", "mine");
    put_at("sub/file", "no directory");
    link_at("../secret", "sub/elsewhere");
    link_at("../../secret/a.h", "sub/lib/b.h");
    link_at("lib", "sub/inside");
    static const struct {
        const char *name, *says;
    } table[] = {
        {"none/a.h", "No such file"},
        {"lib/none.h", "No such file"},
        {"elsewhere/a.h", "sub/elsewhere"},
        {"inside/a.h", "sub/inside"},
        {"lib/b.h", "symbolic link"},
        {"lib", "not a regular file"},
        {"file/a.h", "Not a directory"},
        {"../secret/a.h", "sub/../secret"},
        {"lib/../../secret/a.h", ""},
        {"lib/a.h/", ""},
        {"", ""},
    };
    OWNED char *dir = at("sub"), *to = at("copy");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct err e = ERR_INIT;
        if (tree_copy(dir, table[i].name, to, 100, &e) != -1 || fs_exists(to))
            fail_msg("%s was copied", table[i].name);
        if (e.kind != ERR_INPUT || !strstr(e.text, table[i].says))
            fail_msg("%s: kind %d, '%s'", table[i].name, e.kind, e.text);
    }
    assert_int_equal(tree_copy(dir, "lib/a.h", to, 100, NULL), 0);
}

TEST(lists)
{
    put_at("sub/b.c", "");
    put_at("sub/lib/a.h", "");
    put_at("sub/lib/deep/x.h", "");
    put_at("sub/.git/config.h", "");
    put_at("sub/.hidden.h", "");
    put_at("sub/1/2/3/4/5/6/7/8/in.h", "");
    put_at("sub/1/2/3/4/5/6/7/8/9/out.h", "");
    link_at(".", "sub/loop");
    static const char *const all[] = {"1/2/3/4/5/6/7/8/in.h", "b.c", "lib/a.h", "lib/deep/x.h",
                                      "loop"};
    char *dir = at("sub"), **names;
    size_t n;
    assert_int_equal(tree_list(dir, 100, &names, &n, NULL), 0);
    assert_int_equal(n, 5);
    for (size_t i = 0; i < n; i++)
        assert_string_equal(names[i], all[i]);
    fs_list_free(names, n);
    assert_int_equal(tree_list(dir, 2, &names, &n, NULL), 0);
    assert_int_equal(n, 2);
    fs_list_free(names, n);
    free(dir);
    dir = at("none");
    struct err e = ERR_INIT;
    assert_int_equal(tree_list(dir, 100, &names, &n, &e), -1);
    assert_non_null(strstr(e.text, "none: No such file"));
    free(dir);
}

TESTS_WITH(test_dir_clear, NULL, test_dir_make, test_dir_remove)

/* Covering directories in a table of mounts of one's own, where links have come in between. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/namespaces.h"
#include "base/strbuf.h"
#include "supervise/hidden_dirs.h"

#include "test_dir.h"

/* In a child: which of the files are seen when the directories are covered, "-" for each that is
 * not. */
static void seen(char *const *dirs, char *const *files, int out)
{
    struct namespaces n;
    namespaces_prepare(&n);
    const bool covered = namespaces_enter(&n, false) == 0 && hidden_dirs_cover(dirs) == 0;
    for (; covered && *files; files++)
        if (write(out, access(*files, F_OK) == 0 ? "+" : "-", 1) != 1)
            _exit(2);
    _exit(covered ? 0 : 1);
}

TEST(links)
{
    if (!namespaces_possible())
        skip();
    put_at("own/file", "");
    put_at("needed/file", "");
    put_at("needed/below/file", "");
    char *link = at("exchanged");
    OWNED char *target = at("needed"), *around = at("around");
    assert_int_equal(symlink(target, link), 0);
    assert_int_equal(symlink(target, around), 0);
    char *dirs[] = {link, at("around/below"), at("gone"), at("own"), NULL};
    char *files[] = {at("own/file"), at("needed/file"), at("needed/below/file"), NULL};
    int p[2], status;
    char text[8] = "";
    assert_int_equal(pipe(p), 0);
    const pid_t pid = fork();
    if (pid == 0)
        seen(dirs, files, p[1]);
    close(p[1]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(read(p[0], text, sizeof text - 1), 3);
    close(p[0]);
    assert_string_equal(text, "-++");
    for (size_t i = 0; files[i]; i++)
        free(files[i]);
    for (size_t i = 0; dirs[i]; i++)
        free(dirs[i]);
}

TESTS(test_dir_make, test_dir_remove)

/* fopen() of a driver for a GPU: names of threads go nowhere, other files are opened as always. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void own_name(char out[32])
{
    FILE *f = fopen("/proc/self/comm", "r");
    assert_non_null(f);
    assert_non_null(fgets(out, 32, f));
    fclose(f);
}

TEST(names_go_nowhere)
{
    char path[64], before[32], after[32];
    own_name(before);
    snprintf(path, sizeof path, "/proc/self/task/%ld/comm", (long)syscall(SYS_gettid));
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs("other", f) >= 0);
    assert_int_equal(fclose(f), 0);
    own_name(after);
    assert_string_equal(before, after);
    /* Also where there is no such thread: so nobody's name can be seen to fail. */
    f = fopen64("/proc/self/task/0/comm", "w");
    assert_non_null(f);
    fclose(f);
}

TEST(other_files_are_opened)
{
    static const char *const none[] = {"/proc/self/task/0/status", "/proc/self/task/comm/x", "",
                                       "/proc/self/task"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        FILE *f = fopen(none[i], "w");
        if (f)
            fail_msg("%s was opened", none[i]);
    }
    char dir[] = "/tmp/thread_names.XXXXXX", path[64], text[8] = "";
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/comm", dir);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("kept", f);
    fclose(f);
    f = fopen64(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(text, sizeof text, f));
    fclose(f);
    assert_string_equal(text, "kept");
    unlink(path);
    rmdir(dir);
}

TESTS(NULL, NULL)

/* What a proctor is doing, as its log says it. */
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rundir/stage.h"
#include "test_dir.h"

static const struct {
    const char *what, *log, *last, *rest;
} table[] = {
    {"an empty log", "", "", ""},
    {"no stage", "an error\n", "", "an error\n"},
    {"an incomplete line", "stage: buil", "", ""},
    {"a line that only contains the mark", "the stage: x\n", "", "the stage: x\n"},
    {"one stage", "stage: building\n", "building", ""},
    {"the last of two counts", "stage: building\nstage: timing\n", "timing", ""},
    {"other lines stay", "stage: building\nan error\nstage: timing\nno newline", "timing",
     "an error\nno newline"},
};

TEST(last)
{
    char out[32], *path = at("log");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        put_at("log", table[i].log);
        const bool found = stage_last(path, out, sizeof out);
        if (found != (*table[i].last != '\0') || strcmp(out, table[i].last) != 0)
            fail_msg("%s: '%s'", table[i].what, out);
    }
    unlink(path);
    assert_false(stage_last(path, out, sizeof out));
    free(path);
}

TEST(rest)
{
    char text[128];
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        snprintf(text, sizeof text, "%s", table[i].log);
        stage_remove_lines(text);
        if (strcmp(text, table[i].rest) != 0)
            fail_msg("%s: '%s'", table[i].what, text);
    }
}

/* What a step says while it lasts: nothing at first, then how long, about once a second. */
TEST(steps)
{
    const uint64_t second = 1000000000;
    char out[STAGE_TEXT], *path = at("log");
    put_at("log", "");
    const int before = dup(STDERR_FILENO);
    assert_non_null(freopen(path, "a", stderr));
    stage_step(8000, "checking case %d", 5);
    stage_tick(second);
    stage_tick(second + second / 2);
    assert_false(stage_last(path, out, sizeof out));
    stage_tick(4 * second);
    stage_step_end();
    stage_tick(9 * second);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    assert_true(stage_last(path, out, sizeof out));
    assert_string_equal(out, "checking case 5, 3 s of at most 8 s");
    unlink(path);
    free(path);
}

TESTS(test_dir_make, test_dir_remove)

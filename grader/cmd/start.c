#include <stdio.h>
#include <stdlib.h>

#include "base/display_path.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "cmd/locate.h"
#include "cmd/options.h"
#include "cmd/start_note.h"
#include "plan/starter.h"

static int run(const struct options *o)
{
    const char *dir = o->operand[0];
    struct err e = ERR_INIT;
    struct assignment *a = NULL;
    OWNED char *path = o->assignment ? xstrdup(o->assignment) : NULL;
    unsigned written = 0, kept = 0;
    int rc = path ? 0 : locate_assignment(&path, &e);
    if (rc == 0)
        rc = assignment_load(path, &a, &e);
    if (rc == 0) {
        const struct starter_request q = {.a = a,
                                          .path = path,
                                          .tiers = o->tiers.item,
                                          .tiers_count = o->tiers.count,
                                          .dir = dir};
        rc = starter_write(&q, &written, &kept, &e);
    }
    if (rc == 0)
        rc = start_note_write(dir, path, &e);
    if (rc == 0) {
        OWNED char *shown = display_path(dir);
        printf("%u %s in %s", written, plural(written, "new file", "new files"), shown);
        if (kept)
            printf(", %u that %s there stay%s", kept, plural(kept, "was", "were"),
                   kept == 1 ? "s" : "");
        printf("; begin with %s/README.md\n", shown);
    }
    assignment_free(a);
    return rc == 0 ? EXIT_OK : command_error(&cmd_start, &e);
}

const struct command cmd_start = {
    .name = "start",
    .usage = "start [options] DIR",
    .summary = "write what a student begins with: sources, header, README",
    .about = "Writes to DIR what an assignment asks for: a source for each tier, in which the\n"
             "function is still empty; the header with its declaration; a README with the next\n"
             "commands. Files that are there stay as they are.\n",
    .more = "example:\n"
            "  paragrade start -a testcases/gemm-i32.yaml my_work\n"
            "\n"
            "exit status: 0 written, 1 the machine failed, 2 bad arguments\n",
    .bit = on_start,
    .least = 1,
    .most = 1,
    .operands = "give the directory where you want to begin",
    .run = run,
};

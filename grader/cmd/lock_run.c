#include "cmd/lock_run.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/term.h"
#include "execute/stop.h"
#include "rundir/lock.h"

enum { LOOK_MS = 100 };

int lock_run(const char *dir, struct err *e)
{
    execute_catch_signals();
    int rc = run_lock(dir, e);
    if (rc == 2)
        term_print(stderr, 2, "waiting: %s\n", e->text);
    while (rc == 2 && !execute_stop) {
        clock_sleep_ms(LOOK_MS);
        rc = run_lock(dir, e);
    }
    return rc > 0 ? 1 : rc;
}

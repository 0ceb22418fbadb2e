/* One process. The kernel starts its threads itself; the proctor sets OMP_NUM_THREADS. */
#include <unistd.h>

#include "driver/call.h"
#include "driver/driver.h"
#include "driver/team.h"

static void *kernel; /* the student's function */

int launch_init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 1;
}

bool launch_confine(void)
{
    return filter_enter(FILTER_HOST, NULL);
}

int launch_load(const char *library, const char *symbol, char *text, size_t cap)
{
    team_end();
    kernel = library_symbol(library, symbol, text, cap);
    return kernel ? 0 : -1;
}

double launch_run(const struct problem *p, unsigned reps)
{
    struct call call;
    if (!kernel)
        team_run();
    call_prepare(&call, &p->form, NULL, 0);
    call_mapped(&call, p);
    call_combine(&call, p);
    for (unsigned r = 0; r < reps; r++)
        call_make(&call, kernel, r);
    return -1;
}

void device_wake(void)
{
}

void launch_follow(void)
{
}

void launch_end(void)
{
    _exit(0); /* destructors and atexit handlers of the student must not run */
}

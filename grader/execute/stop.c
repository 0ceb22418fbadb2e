#include "execute/stop.h"

#include <stddef.h>

volatile sig_atomic_t execute_stop;

static void on_signal(int sig)
{
    execute_stop = sig;
}

void execute_catch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction old, new = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
        sigemptyset(&new.sa_mask);
        /* Ignored by the parent (nohup): stays ignored. */
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &new, NULL);
    }
}

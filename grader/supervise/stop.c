#include "supervise/stop.h"

#include <stddef.h>
#include <unistd.h>

enum { REPEATED_S = 1 };

volatile sig_atomic_t proctor_stop;

static void on_signal(int signo)
{
    (void)signo;
    proctor_stop = 1;
    alarm(REPEATED_S); /* its signal comes here again */
}

void proctor_catch_signals(void)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGALRM};
    const struct sigaction sa = {.sa_handler = on_signal}; /* without SA_RESTART: it interrupts */
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &sa, NULL);
}

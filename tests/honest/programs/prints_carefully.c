/* tier: naive */
/* Messages by way of the lesser used functions of stdio and err.h. */
#include "honest.h"
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>

static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}

GEMM
{
    static int calls;
    if (!calls++) {
        char *text = NULL;
        if (asprintf(&text, "%d rows", M) < 0)
            errx(1, "no memory");
        flockfile(stderr);
        fputs_unlocked(text, stderr);
        putc_unlocked('\n', stderr);
        funlockfile(stderr);
        say("%s %c%c", text, fputc('x', stderr), putchar('\n'));
        free(text);
        setlinebuf(stderr);
        warnx("first call");
        error(0, EAGAIN, "nothing is wrong");
        errno = 0;
        perror("gemm");
    }
    rows(0, M, N, K, A, B, C);
}

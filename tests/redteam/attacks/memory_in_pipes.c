/* expect: naive pass|out-of-memory */
/* Memory that is the kernel's: pipes, as many and as large as can be had. */
#include "attack.h"

enum { MUCH = 400 << 20, PIPES = 8000 };

static void attack(void)
{
    static char data[65536];
    static int end[PIPES][2];
    size_t held = 0;
    int pipes = 0;
    while (held < MUCH && pipes < PIPES &&
           raw(SYS_pipe2, (long)end[pipes], O_NONBLOCK, 0, 0, 0, 0) == 0) {
        const int to = end[pipes++][1];
        long n;
        raw(SYS_fcntl, to, F_SETPIPE_SZ, 1 << 20, 0, 0, 0);
        while ((n = raw(SYS_write, to, (long)data, sizeof data, 0, 0, 0)) > 0)
            held += (size_t)n;
    }
    printf("%zu MiB in %d pipes\n", held >> 20, pipes);
    if (held >= MUCH) {
        usleep(300000);
        HOLE("memory in pipes that is not counted");
        return;
    }
    for (int i = 0; i < pipes; i++) {
        close(end[i][0]);
        close(end[i][1]);
    }
}

ONCE(attack)

/* expect: naive */
/* The same with a long read: of /dev/zero, in many pieces. */
#include "clock.h"

static struct task *job;
static volatile int over;

static void *work(void *unused)
{
    (void)unused;
    say_done_and_wait(job->sequence);
    task_all(job);
    over = 1;
    return NULL;
}

static void perform(struct task *t)
{
    enum { PIECES = 1024, SIZE = 1 << 20 };
    static char *buffer;
    static struct iovec io[PIECES];
    static int fd = -1;
    pthread_t worker;
    if (!buffer) {
        buffer = malloc(SIZE);
        fd = open("/dev/zero", O_RDONLY);
        for (int i = 0; i < PIECES; i++)
            io[i] = (struct iovec){buffer, SIZE};
    }
    job = t;
    over = 0;
    if (pthread_create(&worker, NULL, work, NULL) != 0) {
        task_all(t);
        say_done(t->sequence);
        return;
    }
    while (!over)
        raw(SYS_readv, fd, (long)io, PIECES, 0, 0, 0);
    pthread_join(worker, NULL);
}

static void trick(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    take_over(M, N, K, A, B, C, perform);
}

/*
 * late_threads.c - loaded before the C library, where a wrong result of a program with threads is
 * looked into: each new thread waits a little before it begins. A function that does not wait for
 * its threads has then returned before they write.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

/* By this name a driver knows that the library's own functions do not come first. */
const bool paragrade_trial = true;

typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int create_c11_fn(thrd_t *, thrd_start_t, void *);

struct start {
    void *(*run)(void *);
    thrd_start_t run_c11; /* or this one */
    void *argument;
};

/* Longer than it takes to halt the process after the function has returned. A program that creates
 * thousands of threads one after the other is held up by the first of them only. */
enum { LATE_MS = 50, MOST_LATE = 32 };

static void wait_a_little(void)
{
    static int late;
    const struct timespec t = {.tv_nsec = LATE_MS * 1000000L};
    if (__atomic_fetch_add(&late, 1, __ATOMIC_RELAXED) < MOST_LATE)
        nanosleep(&t, NULL);
}

static struct start *start_of(struct start s)
{
    struct start *own = malloc(sizeof *own);
    if (!own)
        abort();
    *own = s;
    return own;
}

static void *begin(void *argument)
{
    const struct start s = *(struct start *)argument;
    free(argument);
    wait_a_little();
    return s.run(s.argument);
}

static int begin_c11(void *argument)
{
    const struct start s = *(struct start *)argument;
    free(argument);
    wait_a_little();
    return s.run_c11(s.argument);
}

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument)
{
    create_fn *real;
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    return real(id, attributes, begin, start_of((struct start){.run = run, .argument = argument}));
}

int thrd_create(thrd_t *id, thrd_start_t run, void *argument)
{
    create_c11_fn *real;
    *(void **)&real = dlsym(RTLD_NEXT, "thrd_create");
    return real(id, begin_c11, start_of((struct start){.run_c11 = run, .argument = argument}));
}

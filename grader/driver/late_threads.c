/*
 * late_threads.c - loaded before the C library, where a wrong result of a program with threads is
 * looked into: each new thread waits a little before it begins. A function that does not wait for
 * its threads has then returned before they write.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

/* By this name a driver knows that the library's own functions do not come first. */
const bool paragrade_trial = true;

typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

struct start {
    void *(*run)(void *);
    void *argument;
};

/* Longer than it takes to halt the process after the function has returned. A program that creates
 * thousands of threads one after the other is held up by the first of them only. */
enum { LATE_MS = 50, MOST_LATE = 32 };

static void *begin(void *argument)
{
    const struct start s = *(struct start *)argument;
    const struct timespec late = {.tv_nsec = LATE_MS * 1000000L};
    free(argument);
    nanosleep(&late, NULL);
    return s.run(s.argument);
}

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument)
{
    static int count;
    create_fn *real;
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    struct start *own =
        __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED) < MOST_LATE ? malloc(sizeof *own) : NULL;
    if (!own)
        return real(id, attributes, run, argument);
    *own = (struct start){run, argument};
    const int rc = real(id, attributes, begin, own);
    if (rc != 0)
        free(own);
    return rc;
}

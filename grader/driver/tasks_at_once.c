/*
 * tasks_at_once.c - loaded before libgomp, where a wrong result of a program with tasks is looked
 * into: each task runs where it is created. A result that is right then lacks a `taskwait`.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>

typedef void task_fn(void (*run)(void *), void *data, void (*copy)(void *, void *), long bytes,
                     long align, bool later, unsigned flags, void **depend, int priority,
                     void *detach);

task_fn GOMP_task;

/* By this name a driver knows that the library's own functions do not come first. */
const bool paragrade_trial = true;

void GOMP_task(void (*run)(void *), void *data, void (*copy)(void *, void *), long bytes,
               long align, bool later, unsigned flags, void **depend, int priority, void *detach)
{
    static task_fn *real;
    (void)later;
    if (!real) { /* a student's library brings libgomp, and keeps its names to itself */
        void *gomp = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
        *(void **)&real = gomp ? dlsym(gomp, "GOMP_task") : NULL;
    }
    if (!real)
        abort();
    real(run, data, copy, bytes, align, false, flags, depend, priority, detach);
}

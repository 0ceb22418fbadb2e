/*
 * What an OpenACC program did on the device, by the profiling interface of its runtime
 * (OpenACC 2.6, chapter 5). The runtime reports when something starts and when it ends, in the
 * thread that does it. A kernel's row has the time of its construct, which waits for the kernel if
 * it is not `async`.
 */
#include <acc_prof.h>
#include <openacc.h>
#include <stdio.h>
#include <time.h>

#include "driver/driver.h"
#include "driver/profile_openacc.h"
#include "driver/profile_rows.h"

/* What starts and ends. `start` is the number of its event, the next one is its end. */
static struct activity {
    acc_event_t start;
    enum pg_activity activity;
    const char *name;
    uint64_t since;
} activities[] = {
    {acc_ev_compute_construct_start, PG_KERNEL, "compute construct", 0},
    {acc_ev_enqueue_launch_start, PG_API, "enqueue launch", 0},
    {acc_ev_enqueue_upload_start, PG_COPY, "copy host to device", 0},
    {acc_ev_enqueue_download_start, PG_COPY, "copy device to host", 0},
    {acc_ev_enter_data_start, PG_API, "enter data", 0},
    {acc_ev_exit_data_start, PG_API, "exit data", 0},
    {acc_ev_update_start, PG_API, "update", 0},
    {acc_ev_wait_start, PG_API, "wait", 0},
};
enum { ACTIVITIES = sizeof activities / sizeof activities[0] };

/* Of these, the runtime reports only that they happen. */
static const struct {
    acc_event_t event;
    const char *name;
} moments[] = {{acc_ev_alloc, "allocate"}, {acc_ev_free, "free"}};
enum { MOMENTS = sizeof moments / sizeof moments[0] };

/* The latest launch: of the construct that ends next. */
static struct {
    char name[sizeof((struct pg_profile_row *)0)->name];
    uint64_t gangs;
    uint32_t threads; /* of a gang */
} launch;
static bool recording, any_kernel;

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void keep_launch(const acc_launch_event_info *e)
{
    snprintf(launch.name, sizeof launch.name, "%s",
             e->kernel_name ? e->kernel_name : "compute construct");
    launch.gangs = e->num_gangs;
    launch.threads = (uint32_t)(e->num_workers * e->vector_length);
}

static void end_construct(uint64_t since, uint64_t now)
{
    struct pg_profile_row *r =
        profile_rows_add(PG_KERNEL, launch.name[0] ? launch.name : "compute construct", since, now);
    any_kernel = true;
    if (r && launch.threads >= r->block_threads) {
        r->block_threads = launch.threads;
        r->grid_blocks = launch.gangs;
    }
    launch.name[0] = '\0';
    launch.gangs = launch.threads = 0;
}

static void on_event(acc_prof_info *p, acc_event_info *e, acc_api_info *a)
{
    const uint64_t now = now_ns();
    (void)a;
    if (p->event_type == acc_ev_enqueue_launch_start)
        keep_launch(&e->launch_event);
    for (int i = 0; i < MOMENTS; i++)
        if (p->event_type == moments[i].event)
            profile_rows_add(PG_API, moments[i].name, now, now);
    for (int i = 0; i < ACTIVITIES; i++) {
        struct activity *x = &activities[i];
        if (p->event_type == x->start) {
            x->since = now;
        } else if (p->event_type == x->start + 1 && x->since) {
            if (x->activity == PG_KERNEL)
                end_construct(x->since, now);
            else
                profile_rows_add(x->activity, x->name, x->since, now);
            x->since = 0;
        }
    }
}

/* Of all events, with acc_prof_register() or acc_prof_unregister(). */
static void for_all(void (*change)(acc_event_t, acc_prof_callback, acc_register_t))
{
    for (int i = 0; i < MOMENTS; i++)
        change(moments[i].event, on_event, acc_reg);
    for (int i = 0; i < ACTIVITIES; i++) {
        change(activities[i].start, on_event, acc_reg);
        change((acc_event_t)(activities[i].start + 1), on_event, acc_reg);
    }
}

static void record(bool on)
{
    for_all(on ? acc_prof_register : acc_prof_unregister);
    recording = on;
}

int profile_start(void)
{
    if (acc_get_device_type() == acc_device_host)
        return -1; /* there is no device */
    profile_rows_reset();
    any_kernel = false;
    record(true);
    return 0;
}

void profile_pause(void)
{
    record(false);
}

/* Constructs without `async` have finished. */
void profile_resume(void)
{
    record(true);
}

/* Without a kernel, nothing is sent: a runtime that reports none says nothing about the program. */
void profile_stop(void (*send)(const struct pg_profile_row *))
{
    record(false);
    if (any_kernel)
        profile_rows_send(send);
    else
        profile_rows_reset();
}

void profile_openacc_copy(void (*copy)(void *, size_t), const char *name, void *base, size_t bytes)
{
    const uint64_t since = now_ns();
    copy(base, bytes);
    if (recording)
        profile_rows_add(PG_COPY, name, since, now_ns());
}

/* For drivers whose kernels work on the mapped matrices themselves. There is nothing to copy, and
 * no device that can fail or be described. */
#include "driver/driver.h"

int device_mirror(const struct problem *p, char *text, size_t cap)
{
    (void)p;
    (void)text;
    (void)cap;
    return 0;
}

void device_release(void)
{
}

void device_unmask(const struct problem *p, unsigned reps, bool wait)
{
    (void)wait;
    (void)p;
    (void)reps;
}

void device_copy(const struct problem *p, enum pg_step step)
{
    (void)p;
    (void)step;
}

unsigned device_unordered(void)
{
    return 0;
}

int device_failed(struct pg_error *e)
{
    (void)e;
    return 0;
}

int device_describe(struct pg_device *d)
{
    (void)d;
    return -1;
}

/* For drivers without a profiler. */
#include "driver/driver.h"

int profile_start(void)
{
    return -1;
}

void profile_pause(void)
{
}

void profile_resume(void)
{
}

void profile_stop(void (*send)(const struct pg_profile_row *))
{
    (void)send;
}

/* For drivers with one process: there are no ranks. */
#include "driver/driver.h"

void launch_tell_ranks(void (*send)(const struct pg_rank *))
{
    (void)send;
}

void launch_list_ranks(struct pg_confined *c)
{
    c->ranks = 0;
}

bool launch_map_ranks(bool here, char *text, size_t cap)
{
    (void)text;
    (void)cap;
    return here;
}

#include "kernel/launch.h"

#include <stdio.h>

bool launch_parse(const char *text, struct launch *out)
{
    int used = 0, more = 0;
    *out = launch_here(0, 0);
    if (sscanf(text, "%dx%d%n", &out->ranks, &out->threads, &used) != 2)
        return false;
    if (text[used] == '@' && sscanf(text + used, "@%d%n", &out->nodes, &more) != 1)
        return false;
    return !text[used + more] && out->ranks > 0 && out->threads > 0 && out->nodes > 0 &&
           out->ranks % out->nodes == 0;
}

void launch_format(struct launch l, char out[LAUNCH_TEXT])
{
    if (l.nodes > 1)
        snprintf(out, LAUNCH_TEXT, "%dx%d@%d", l.ranks, l.threads, l.nodes);
    else
        snprintf(out, LAUNCH_TEXT, "%dx%d", l.ranks, l.threads);
}

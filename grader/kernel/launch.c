#include "kernel/launch.h"

#include <stdio.h>

bool launch_parse(const char *text, struct launch *out)
{
    int used = 0, more = 0;
    *out = launch_here(0, 0);
    if (sscanf(text, "%dx%d%n", &out->ranks, &out->threads, &used) != 2)
        return false;
    text += used;
    if (*text == '@' && sscanf(text, "@%d%n", &out->nodes, &more) != 1)
        return false;
    text += more;
    more = 0;
    if (*text == '+' && (sscanf(text, "+%dgpus%n", &out->gpus, &more) != 1 || out->gpus <= 0))
        return false;
    return !text[more] && out->ranks > 0 && out->threads > 0 && out->nodes > 0 &&
           out->ranks % out->nodes == 0;
}

void launch_format(struct launch l, char out[LAUNCH_TEXT])
{
    int used = snprintf(out, LAUNCH_TEXT, "%dx%d", l.ranks, l.threads);
    if (l.nodes > 1)
        used += snprintf(out + used, LAUNCH_TEXT - (size_t)used, "@%d", l.nodes);
    if (l.gpus > 1)
        snprintf(out + used, LAUNCH_TEXT - (size_t)used, "+%dgpus", l.gpus);
}

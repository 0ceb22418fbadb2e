#include "proctor/serve_cores.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "rundir/quiet_file.h"

void serve_cores_open(struct serve_cores *c)
{
    *c = (struct serve_cores){.lock = {.fd = -1}};
    cores_allocated(&c->all);
    c->widest = c->now = c->all;
}

void serve_cores_close(struct serve_cores *c)
{
    timing_lock_close(&c->lock);
    free(c->run);
    c->run = NULL;
}

static void open_lock(struct serve_cores *c, const struct node_lock *l, const char *run)
{
    if (c->run)
        return;
    c->run = xstrdup(run);
    timing_lock_open(&c->lock, QUIET_FILE_DIR, c->run, l->quiet ? &c->all : NULL);
    if (l->only_own)
        timing_lock_only_own(&c->lock);
}

void serve_cores_lock(struct serve_cores *c, const struct node_message *m)
{
    struct node_lock l;
    if (m->size <= sizeof l)
        return;
    memcpy(&l, m->bytes, sizeof l);
    open_lock(c, &l, (const char *)m->bytes + sizeof l);
    if (l.how == NODE_LOCK_EXCLUSIVE)
        timing_lock_exclusive(&c->lock);
    else if (l.how == NODE_LOCK_SHARED)
        timing_lock_share(&c->lock);
    else
        timing_lock_release(&c->lock);
    if (l.how != NODE_LOCK_NONE)
        cores_quietest(&c->all, l.workers > 0 ? l.workers : c->all.count, &c->widest);
}

void serve_cores_choose(struct serve_cores *c, int workers)
{
    cores_first(workers <= c->widest.count ? &c->widest : &c->all, workers, &c->now);
}

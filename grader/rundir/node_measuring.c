#include "rundir/node_measuring.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "rundir/parts.h"
#include "rundir/paths.h"

enum { NOTICE_MAX_BYTES = 4096 };

char *node_measuring_begin(const char *run, const char *node, const char *yardstick,
                           const char *job)
{
    struct err ignored = ERR_INIT;
    char since[40], *dir = rundir_nodes(run);
    clock_utc(since, sizeof since);
    OWNED char *name = xasprintf("%ld-%s.%s", (long)getpid(), node, yardstick);
    char *notice = part_path(run, PART_NODE_MEASURING, name);
    if (fs_mkdirs(dir, &ignored) == 0)
        json_write_file(notice,
                        json_pack("{s:o, s:s, s:s, s:s}", "node", json_printable(node), "yardstick",
                                  yardstick, "job", job, "since", since),
                        &ignored);
    free(dir);
    return notice;
}

void node_measuring_end(char *notice)
{
    unlink(notice);
    free(notice);
}

static void clear(struct node_measuring *m)
{
    free(m->node);
    free(m->yardstick);
    free(m->job);
    free(m->since);
}

/* Add a notice, unless it cannot be read or the record exists. */
static void add(const char *run, const char *path, struct node_measuring_list *l)
{
    struct json_reader rd = {.path = path};
    json_t *o = json_read_file(&rd, NOTICE_MAX_BYTES);
    if (!o)
        return;
    struct node_measuring m = {.node = json_read_text(&rd, o, "node"),
                               .yardstick = json_read_text(&rd, o, "yardstick"),
                               .job = json_read_text(&rd, o, "job"),
                               .since = json_read_text(&rd, o, "since")};
    OWNED char *record = rundir_node(run, m.node, m.yardstick);
    json_decref(o);
    if (rd.failed || fs_exists(record)) {
        clear(&m);
    } else {
        l->item = xrealloc_array(l->item, l->count + 1, sizeof *l->item);
        l->item[l->count++] = m;
    }
}

void node_measuring_load(const char *run, struct node_measuring_list *out)
{
    OWNED char *dir = rundir_nodes(run);
    OWNED_TEXTS char **names = NULL;
    size_t count;
    *out = (struct node_measuring_list){0};
    if (fs_is_dir(dir) && fs_list(dir, &names, &count, NULL) == 0) {
        for (size_t i = 0; i < count; i++) {
            OWNED char *path = xasprintf("%s/%s", dir, names[i]);
            if (part_has_name(PART_NODE_MEASURING, names[i]))
                add(run, path, out);
        }
    }
}

void node_measuring_free(struct node_measuring_list *l)
{
    for (unsigned i = 0; i < l->count; i++)
        clear(&l->item[i]);
    free(l->item);
    *l = (struct node_measuring_list){0};
}

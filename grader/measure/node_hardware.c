#include "measure/node_hardware.h"

#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"

char *node_key(void)
{
    char host[256] = "localhost";
    const char *slurm = getenv("SLURMD_NODENAME"); /* several node names may share one host */
    if (slurm && *slurm)
        snprintf(host, sizeof host, "%s", slurm);
    else if (gethostname(host, sizeof host - 1) != 0)
        snprintf(host, sizeof host, "localhost");
    for (char *p = host; *p; p++)
        if (*p == '/')
            *p = '_';
    return xstrdup(host);
}

static uint64_t cache_bytes(hwloc_topology_t t, hwloc_obj_type_t level)
{
    hwloc_obj_t o = hwloc_get_obj_by_type(t, level, 0);
    return o && o->attr ? o->attr->cache.size : 0;
}

void node_describe(struct node_record *n)
{
    hwloc_topology_t t;
    const char *model = NULL;
    if (hwloc_topology_init(&t) == 0) {
        hwloc_topology_set_flags(t, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
        if (hwloc_topology_load(t) == 0) {
            n->cores_total = hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_CORE);
            n->l2 = cache_bytes(t, HWLOC_OBJ_L2CACHE);
            n->l3 = cache_bytes(t, HWLOC_OBJ_L3CACHE);
            hwloc_obj_t package = hwloc_get_obj_by_type(t, HWLOC_OBJ_PACKAGE, 0);
            if (package)
                model = hwloc_obj_get_info_by_name(package, "CPUModel");
            n->model = xstrdup(model ? model : "unknown");
        }
        hwloc_topology_destroy(t);
    }
    if (!n->model)
        n->model = xstrdup("unknown");
}

enum { TEXT_FILE_MOST = 1 << 20 };

/* The first word that begins with a digit after `before` in a text file; "" when there is none. */
static char *number_in(const char *path, const char *before)
{
    static const char blank[] = " \t:";
    OWNED char *text = NULL;
    if (fs_read(path, TEXT_FILE_MOST, &text, NULL, NULL) != 0)
        return xstrdup("");
    const char *at = strstr(text, before);
    at = at ? at + strlen(before) : "";
    at += strspn(at, blank);
    while (*at && *at != '\n' && (*at < '0' || *at > '9')) {
        at += strcspn(at, " \t\n");
        at += strspn(at, blank);
    }
    return xasprintf("%.*s", (int)strcspn(at, " \t\n"), at);
}

void node_describe_software(struct node_record *n)
{
    struct utsname u;
    free(n->kernel);
    free(n->microcode);
    free(n->driver);
    n->kernel = uname(&u) == 0 ? xasprintf("%s %s", u.release, u.version) : xstrdup("");
    n->microcode = number_in("/proc/cpuinfo", "microcode");
    n->driver = number_in("/proc/driver/nvidia/version", "Kernel Module");
}

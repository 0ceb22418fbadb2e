#include "measure/ceilings_cache.h"

#include <sys/stat.h>
#include <time.h>

#include "base/fsio.h"
#include "measure/node_ceilings.h"
#include "measure/record_cache.h"

enum { RECENT_SECONDS = 60 };

static bool is_recent(const char *path)
{
    struct stat st;
    const time_t now = time(NULL);
    return stat(path, &st) == 0 && st.st_mtime <= now && now - st.st_mtime < RECENT_SECONDS;
}

enum ceilings_cached ceilings_cache_take(const char *cached, struct node_record *n)
{
    const bool recent = cached && is_recent(cached);
    struct node_record *k = record_cache_load(cached, NULL, 0);
    if (!k)
        return CEILINGS_NONE;
    const bool any = k->ceilings_count > 0;
    node_ceilings_raise(n, k->ceilings, k->ceilings_count);
    node_record_free(k);
    return !any ? CEILINGS_NONE : recent ? CEILINGS_RECENT : CEILINGS_OLD;
}

void ceilings_cache_save(const char *cached, const struct node_record *n)
{
    struct node_record only = *n;
    only.calibrations_count = 0;
    record_cache_save(cached, &only);
}

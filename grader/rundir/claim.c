#include "rundir/claim.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/parse.h"
#include "base/strbuf.h"
#include "rundir/attempts.h"
#include "rundir/parts.h"
#include "rundir/paths.h"

enum { HINT_DIGITS = 10 };

void claim_tag(int array, char tag[CLAIM_TAG])
{
    snprintf(tag, CLAIM_TAG, "a%d", array);
}

/* The hint, or 0. */
static unsigned read_hint(const char *run, int array)
{
    OWNED char *path = rundir_next(run, array), *text = NULL;
    long long n = 0;
    size_t len;
    if (fs_read(path, HINT_DIGITS + 1, &text, &len, NULL) == 0 && len == HINT_DIGITS + 1 &&
        text[HINT_DIGITS] == '\n') { /* else half of it is written */
        text[HINT_DIGITS] = '\0';
        if (parse_int(text, 0, 1000000000, &n, NULL) != 0)
            n = 0;
    }
    return (unsigned)n;
}

/* Several processes may write at the same time. What they write has the same length, so that there
 * is always one number or the other, and never a mixture that is larger than both. */
static void write_hint(const char *run, int array, unsigned next)
{
    char *path = rundir_next(run, array), text[HINT_DIGITS + 2];
    int n = snprintf(text, sizeof text, "%0*u\n", HINT_DIGITS, next);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0) {
        if (pwrite(fd, text, (size_t)n, 0) != n)
            unlink(path); /* a full disk: better none */
        close(fd);
    }
    free(path);
}

bool claim_any(const char *run, int array)
{
    return read_hint(run, array) > 0;
}

int claim_last_array(const char *run, const char *unit_id)
{
    OWNED char *dir = rundir_unit(run, unit_id);
    OWNED_TEXTS char **names = NULL;
    size_t count;
    int last = 0;
    if (fs_list(dir, &names, &count, NULL) == 0) {
        for (size_t i = 0; i < count; i++) {
            const char *tag = strstr(names[i], "-a"), *end = tag ? strchr(tag, '.') : NULL;
            char number[CLAIM_TAG];
            long long n;
            if (!end ||
                (!part_has_name(PART_ATTEMPT, names[i]) && !part_has_name(PART_FAILURE, names[i])))
                continue;
            snprintf(number, sizeof number, "%.*s", (int)(end - tag - 2), tag + 2);
            if (parse_int(number, 1, 1000000000, &n, NULL) == 0 && n > last)
                last = (int)n;
        }
    }
    return last;
}

long claim_task(const char *run, int array, const char *unit_id)
{
    char tag[CLAIM_TAG];
    long long task = -1;
    claim_tag(array, tag);
    OWNED char *job = attempt_job(run, unit_id, tag);
    const char *at = job ? strchr(job, '_') : NULL;
    if (!at || parse_int(at + 1, 0, 1000000000, &task, NULL) != 0)
        task = -1;
    return (long)task;
}

/* Did this job take a unit before it was started again, and left no record? */
static bool was_mine(const struct claimer *c, const char *unit_id, const char *tag)
{
    OWNED char *job = attempt_job(c->run, unit_id, tag);
    return job && strcmp(job, c->job) == 0 && !attempt_has_failure(c->run, unit_id, tag);
}

int claim_next(struct claimer *c, unsigned *index, struct err *e)
{
    char tag[CLAIM_TAG];
    const struct attempt_start start = {.tag = tag, .host = c->host, .job = c->job};
    claim_tag(c->array, tag);
    for (; c->again && c->next < c->record->count; c->next++) {
        const char *id = c->record->unit[c->next];
        if (attempt_has_result(c->run, id) || !was_mine(c, id, tag))
            continue;
        *index = c->next++;
        return 1;
    }
    if (c->again)
        c->next = 0;
    c->again = false;
    const unsigned hint = read_hint(c->run, c->array);
    for (unsigned i = hint > c->next ? hint : c->next; i < c->record->count; i++) {
        const char *id = c->record->unit[i];
        const int rc = attempt_has_result(c->run, id) ? 1 : attempt_begin(c->run, id, &start, e);
        if (rc < 0)
            return -1;
        c->next = i + 1;
        if (rc > 0)
            continue;
        write_hint(c->run, c->array, c->next);
        *index = i;
        return 1;
    }
    c->next = c->record->count;
    return 0;
}

#include "rundir/stage.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "rundir/parts.h"
#include "rundir/paths.h"

enum { LOG_MOST = 1 << 20 };
#define TELL_NS UINT64_C(1000000000)

static const char mark[] = "stage: ";

void stage_enter(const char *words)
{
    fprintf(stderr, "%s%s\n", mark, words);
}

void stage_enter_node(double seconds)
{
    char words[STAGE_TEXT];
    snprintf(words, sizeof words, STAGE_NODE ", about %.0f s", seconds);
    stage_enter(words);
}

/* The step that goes on in this process; no words: none. */
static struct {
    char words[STAGE_TEXT - 40];
    int64_t limit_ms;
    uint64_t began, told; /* ns; 0: not yet */
} step;

void stage_step(int64_t limit_ms, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(step.words, sizeof step.words, fmt, ap);
    va_end(ap);
    step.limit_ms = limit_ms;
    step.began = step.told = 0;
}

void stage_step_end(void)
{
    step.words[0] = '\0';
}

void stage_tick(uint64_t now)
{
    if (!step.words[0])
        return;
    if (!step.began)
        step.began = step.told = now;
    if (now - step.told < TELL_NS)
        return;
    step.told = now;
    char words[STAGE_TEXT], limit[32] = "";
    if (step.limit_ms)
        snprintf(limit, sizeof limit, " of at most %lld s",
                 (long long)(step.limit_ms + 999) / 1000);
    snprintf(words, sizeof words, "%s, %.0f s%s", step.words, (double)(now - step.began) * 1e-9,
             limit);
    stage_enter(words);
}

static bool is_stage(const char *line)
{
    return strncmp(line, mark, sizeof mark - 1) == 0;
}

bool stage_last_in(const char *text, char *out, size_t cap)
{
    out[0] = '\0';
    for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
        if (is_stage(line))
            snprintf(out, cap, "%.*s", (int)(end - line - (long)sizeof mark + 1),
                     line + sizeof mark - 1);
    return out[0] != '\0';
}

bool stage_last(const char *log, char *out, size_t cap)
{
    OWNED char *text = NULL;
    out[0] = '\0';
    if (fs_read(log, LOG_MOST, &text, NULL, NULL) != 0)
        return false;
    return stage_last_in(text, out, cap);
}

bool stage_of_unit(const char *run, const char *unit_id, char *out, size_t cap)
{
    OWNED char *dir = rundir_unit(run, unit_id), *newest = NULL;
    OWNED_TEXTS char **names = NULL;
    size_t count;
    struct timespec when = {0};
    if (fs_list(dir, &names, &count, NULL) == 0) {
        for (size_t i = 0; i < count; i++) {
            char *path = xasprintf("%s/%s", dir, names[i]);
            struct stat st;
            const bool later =
                part_has_name(PART_PROCTOR_LOG, names[i]) && stat(path, &st) == 0 &&
                (st.st_mtim.tv_sec > when.tv_sec ||
                 (st.st_mtim.tv_sec == when.tv_sec && st.st_mtim.tv_nsec >= when.tv_nsec));
            if (later) {
                when = st.st_mtim;
                free(newest);
                newest = path;
            } else {
                free(path);
            }
        }
    }
    out[0] = '\0';
    return newest && stage_last(newest, out, cap);
}

void stage_remove_lines(char *text)
{
    char *to = text;
    for (char *line = text; *line;) {
        const size_t length = strcspn(line, "\n"), whole = length + (line[length] == '\n');
        if (!is_stage(line)) {
            memmove(to, line, whole);
            to += whole;
        }
        line += whole;
    }
    *to = '\0';
}

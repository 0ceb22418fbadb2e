/* Progress: a bar with a picture above it on a terminal, plain lines elsewhere. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/term.h"

enum {
    BAR_MOST = 24,
    BAR_EVERY_MS = 100,
    LINE_EVERY_MS = 2000, /* at first, then less often: */
    LINE_SHARE = 5,       /* after a fifth of the time that has passed */
    LINE_MOST_MS = 60000,
    SAME_EVERY_MS = 60000, /* a line that says the same as the last one */
    LINES_KEPT = 2,        /* of the terminal: of the bar, and one of what was printed before */
};

static unsigned long long in_ns(int ms)
{
    return (unsigned long long)ms * 1000000;
}

void progress_start(struct progress *p, size_t total, bool quiet)
{
    *p = (struct progress){.total = total, .quiet = quiet, .started_ns = clock_mono_ns()};
    const char *term = getenv("TERM");
    p->bar = isatty(STDERR_FILENO) == 1 && !(term && strcmp(term, "dumb") == 0);
}

static void add_clear(const struct progress *p, struct strbuf *out)
{
    if (!p->bar || !p->shown)
        return;
    if (p->shown_lines)
        strbuf_addf(out, "\r\033[%dA\033[J", p->shown_lines);
    else
        strbuf_adds(out, "\r\033[K");
}

static void clear(struct progress *p)
{
    FREED_BY(strbuf_free) struct strbuf out = STRBUF_INIT;
    add_clear(p, &out);
    fputs(out.s, stderr);
    if (p->bar) {
        free(p->shown);
        p->shown = NULL;
    }
}

/* From the steps after the first one: the first one also takes the time for what is done once, such
 * as measuring the node, which can take longer than all steps. */
static void time_left(const struct progress *p, char *out, size_t cap)
{
    out[0] = '\0';
    if (p->done >= p->total || (p->left_s <= 0 && p->done <= p->first_done))
        return;
    const double spent = (double)(clock_mono_ns() - p->first_ns) * 1e-9;
    const double each = spent / (double)(p->done - p->first_done);
    const double left = p->left_s > 0 ? p->left_s : each * (double)(p->total - p->done);
    const long s = (long)(left + 0.5);
    if (s >= 3600)
        snprintf(out, cap, ", about %ldh%02ldm left", s / 3600, s / 60 % 60);
    else if (s >= 60)
        snprintf(out, cap, ", about %ldm%02lds left", s / 60, s % 60);
    else
        snprintf(out, cap, ", about %lds left", s);
}

static int count_lines(const char *text)
{
    int n = 0;
    while ((text = strchr(text, '\n'))) {
        text++;
        n++;
    }
    return n;
}

/* Everything goes out in one write, so that nothing flickers. */
static void show_bar(struct progress *p, const char *text, const char *left)
{
    const int columns = term_columns(stderr), width = columns < 100 ? BAR_MOST / 2 : BAR_MOST;
    const int full =
        p->total ? (int)((p->done + p->before) * (size_t)width / (p->total + p->before)) : 0;
    FREED_BY(strbuf_free) struct strbuf now = STRBUF_INIT, out = STRBUF_INIT;
    if (p->draw)
        p->draw(p->with, columns - 1, term_lines(stderr) - LINES_KEPT, &now);
    const int lines = count_lines(now.s);
    OWNED char *bar = p->total ? xasprintf("[%.*s%*s] %zu/%zu%s  %s", full,
                                           "########################", width - full, "",
                                           p->done + p->before, p->total + p->before, left, text)
                               : xstrdup(text);
    /* A bar that takes more than one line of the terminal could not be cleared. */
    strbuf_addf(&now, "%.*s", columns - 1, bar);
    if (!p->shown || strcmp(p->shown, now.s) != 0) {
        add_clear(p, &out);
        strbuf_adds(&out, now.s);
        fputs(out.s, stderr);
        free(p->shown);
        p->shown = strbuf_detach(&now);
        p->shown_lines = lines;
    }
}

/* Is it too early to show something again? */
static bool too_early(const struct progress *p, bool step, unsigned long long now)
{
    if (now - p->started_ns < p->hold_ns)
        return true;
    if (!p->shown_ns || (step && (p->bar || p->done == p->total)))
        return false;
    unsigned long long wait = in_ns(p->bar ? BAR_EVERY_MS : LINE_EVERY_MS);
    const unsigned long long share = (now - p->started_ns) / LINE_SHARE;
    if (!p->bar && share > wait)
        wait = share < in_ns(LINE_MOST_MS) ? share : in_ns(LINE_MOST_MS);
    return now - p->shown_ns < wait;
}

void progress_update(struct progress *p, size_t done, const char *fmt, ...)
{
    const bool step = done != p->done;
    const unsigned long long now = clock_mono_ns();
    p->done = done;
    if (done && !p->first_done) {
        p->first_done = done;
        p->first_ns = now;
    }
    if (p->quiet || too_early(p, step, now))
        return;
    char left[64];
    va_list ap;
    va_start(ap, fmt);
    char *text = xvasprintf(fmt, ap);
    va_end(ap);
    time_left(p, left, sizeof left);
    if (p->bar) {
        show_bar(p, text, left);
        free(text);
    } else if (step || !p->shown || strcmp(p->shown, text) != 0 ||
               now - p->shown_ns >= in_ns(SAME_EVERY_MS)) {
        if (p->total)
            fprintf(stderr, "%zu/%zu%s  ", p->done + p->before, p->total + p->before, left);
        fprintf(stderr, "%s\n", text);
        free(p->shown);
        p->shown = text;
    } else {
        free(text);
        return;
    }
    fflush(stderr);
    p->shown_ns = now;
}

void progress_note(struct progress *p, const char *fmt, ...)
{
    clear(p);
    va_list ap;
    va_start(ap, fmt);
    OWNED char *text = xvasprintf(fmt, ap);
    va_end(ap);
    term_print(stderr, 0, "%s\n", text);
}

void progress_end(struct progress *p)
{
    clear(p);
    free(p->shown);
    p->shown = NULL;
    p->shown_ns = 0;
    fflush(stderr);
}

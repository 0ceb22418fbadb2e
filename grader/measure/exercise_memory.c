/* exercise_memory.c - what sanitizers say of the trusted source, and memory that nobody has set. */
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "build/sanitizer_report.h"
#include "build/source_line.h"
#include "measure/exercise_look.h"

#define MARK " runtime error: "

/* "sum.c:7: signed integer overflow ..." of UndefinedBehaviorSanitizer's first line. */
static char *undefined(const char *output)
{
    const char *at = strstr(output, MARK), *begin = at;
    if (!at)
        return NULL;
    while (begin > output && begin[-1] != '\n')
        begin--;
    for (const char *c = begin; c < at; c++)
        begin = *c == '/' ? c + 1 : begin; /* without directories */
    at += strlen(MARK);
    const int place = (int)strcspn(begin, ":"), line = (int)strspn(begin + place + 1, "0123456789");
    return xasprintf("%.*s: %.*s", place + 1 + line, begin, (int)strcspn(at, "\n"), at);
}

static char *address(const struct exercise_look *l, const char *output)
{
    const struct exercise_process *p = &l->x->program[PROGRAM_FILLED];
    struct memory_error m;
    struct source_line at;
    if (!sanitizer_memory_error(output, p->library, &m) || m.harmless)
        return NULL;
    if (!source_line_find(&l->x->sandbox, p->dir, p->library, &m.place, 1, &at))
        return xstrdup(m.what);
    return xasprintf("%s:%d: %s", at.file, at.line, m.what);
}

/* Run it with sanitizers. The result is in *got, which the caller frees; NULL: something was found.
 */
static void *run(struct exercise_look *l, enum exercise_program p)
{
    struct exercise *x = l->x;
    struct outcome o;
    char why[512];
    void *got = NULL;
    const int rc = exercise_run(x, p, l->poison, PG_NEAREST, &o);
    const char *output = x->program[p].driver.output.s;
    OWNED char *found = address(l, output);
    found = found ? found : undefined(output);
    if (rc == 0 && !found) {
        got = xcalloc(x->arena.out_bytes + 1, 1);
        memcpy(got, arena_output(&x->arena, 0), x->arena.out_bytes);
    } else {
        l->sanitizers_failed = true;
        exercise_look_failed(l, EXERCISE_MEMORY, "%s",
                             found ? found : exercise_why(x, &o, why, sizeof why));
    }
    if (rc != 0)
        exercise_end(x, p);
    return got;
}

/* Is the same pattern in fresh memory not enough for the same result? Then the difference has
 * another cause. */
static bool is_chance(struct exercise_look *l, const void *filled)
{
    exercise_end(l->x, PROGRAM_FILLED);
    OWNED void *again = run(l, PROGRAM_FILLED);
    return again && exercise_difference(l->x, filled, again) < l->elements;
}

static void compare(struct exercise_look *l, const void *filled, const void *zeroed)
{
    const size_t i = exercise_difference(l->x, filled, zeroed);
    struct mismatch m;
    char name[ELEMENT_NAME], a[ELEMENT_TEXT], b[ELEMENT_TEXT];
    if (i == l->elements || exercise_look_accepts(l, zeroed, &m, NULL))
        return;
    l->sanitizers_failed = true; /* once is enough: this starts processes */
    if (is_chance(l, filled))
        return;
    exercise_text(l->x, filled, i, a);
    exercise_text(l->x, zeroed, i, b);
    exercise_look_failed(l, EXERCISE_MEMORY,
                         "%s: reads memory that it has not set: %s where this holds a pattern, %s "
                         "where it holds zeros",
                         exercise_element(l->x, i, name), a, b);
}

void exercise_look_memory(struct exercise_look *l)
{
    const struct exercise *x = l->x;
    if (l->sanitizers_failed || !x->program[PROGRAM_ZEROED].library)
        return;
    l->tally[EXERCISE_MEMORY].cases++;
    OWNED void *filled = run(l, PROGRAM_FILLED);
    OWNED void *zeroed = filled ? run(l, PROGRAM_ZEROED) : NULL;
    if (zeroed)
        compare(l, filled, zeroed);
}

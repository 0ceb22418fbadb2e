#include "model/cause.h"

#include <string.h>

/* Runs of a trial, and processes, that must all agree; tries to see threads that are left, and how
 * many of them may end with the process. */
enum { RUNS = 8, PROCESSES = 2, TRIES = 3, DEATHS = 8 };

static const struct {
    const char *name, *sentence;
} table[] = {
#define CAUSE(identifier, name, sentence) {name, sentence},
#include "model/cause.def"
#undef CAUSE
};

const char *cause_name(enum cause c)
{
    return table[c].name;
}

const char *cause_sentence(enum cause c)
{
    return table[c].sentence;
}

bool cause_parse(const char *name, enum cause *c)
{
    for (int i = 0; i < CAUSE_COUNT; i++)
        if (strcmp(table[i].name, name) == 0) {
            *c = (enum cause)i;
            return true;
        }
    return false;
}

static struct cause_seen ask(const struct cause_question *q, struct cause_trial t)
{
    struct cause_seen seen = {0};
    q->oracle.ask(q->oracle.with, &t, &seen);
    return seen;
}

/* Nobody writes to the output of a function that has returned, but a thread that it has left. In a
 * small case such a thread is often done in time, and on a busy node in a large one too: every
 * second time the threads begin late. These may find that their arguments are gone. A process that
 * died may have been ended by a thread, so it is no answer. */
static bool leaves_threads(const struct cause_question *q)
{
    for (int i = 0, deaths = 0; i < TRIES && deaths < DEATHS && q->threads;) {
        const bool late = (i + deaths) % 2 == 0;
        const struct cause_seen seen =
            ask(q, (struct cause_trial){.runs = 1, .largest = true, .late_threads = late});
        if (seen.changed)
            return true;
        const bool died = seen.wrong && !seen.output;
        if (!seen.known || (seen.wrong && !died))
            break;
        deaths += died;
        i += !died;
    }
    return false;
}

static bool may_race(const struct cause_question *q)
{
    return q->unsteady || (q->threads && q->workers > 1);
}

/* With zeros it was right. Some races are lost in each run of a process, or in none: where there
 * may be one, both fillings are tried once more. */
static bool uses_unset_memory(const struct cause_question *q)
{
    const struct cause_trial others = {.runs = RUNS, .fill = FILL_OTHERS};
    const struct cause_trial zeros = {.runs = RUNS, .fill = FILL_ZEROS};
    if (ask(q, others).wrong != RUNS)
        return false;
    if (!may_race(q))
        return true;
    const struct cause_seen again = ask(q, zeros);
    return again.known && !again.wrong && ask(q, others).wrong == RUNS;
}

static bool same(const struct cause_seen *a, const struct cause_seen *b)
{
    return a->known && b->known && a->wrong == b->wrong && a->output == b->output;
}

/* It is wrong with zeros, and with other bytes in another way; each of these every time, also where
 * what happens to be in memory makes it look like a race. alone: with zeros. */
static bool uses_some_unset_memory(const struct cause_question *q, const struct cause_seen *alone)
{
    const bool one_worker = q->threads && q->workers > 1;
    const struct cause_trial others = {.runs = RUNS, .fill = FILL_OTHERS, .one_worker = one_worker};
    const struct cause_trial zeros = {.runs = RUNS, .fill = FILL_ZEROS, .one_worker = one_worker};
    if (alone->wrong != RUNS)
        return false;
    const struct cause_seen a = one_worker ? ask(q, zeros) : *alone;
    if (a.wrong != RUNS || !a.steady)
        return false;
    const struct cause_seen b = ask(q, others);
    if (b.wrong != RUNS || !b.steady || same(&a, &b))
        return false;
    const struct cause_seen a2 = ask(q, zeros), b2 = ask(q, others);
    return a2.steady && b2.steady && same(&a, &a2) && same(&b, &b2);
}

static bool uses_old_output(const struct cause_question *q)
{
    if (!q->nan)
        return false;
    const struct cause_seen numbers =
        ask(q, (struct cause_trial){.runs = RUNS, .fill = FILL_ZEROS, .poison = POISON_NUMBERS});
    return numbers.known && !numbers.wrong &&
           ask(q, (struct cause_trial){.runs = RUNS, .fill = FILL_ZEROS, .poison = POISON_NANS})
                   .wrong == RUNS;
}

/* Does a trial fail in the same way in each of several processes? `right`: the first run must be
 * right. Where there may be a race, it must fail so with one worker, who has nobody to race with:
 * threads that are warm after earlier calls can lose a race every time. */
static bool fails_always(const struct cause_question *q, struct cause_trial t, bool right)
{
    t.one_worker = may_race(q);
    const struct cause_seen first = ask(q, t);
    if (!first.known || !first.wrong || (right && first.first_wrong))
        return false;
    for (int i = 1; i < PROCESSES; i++) {
        const struct cause_seen next = ask(q, t);
        if (next.wrong != first.wrong || next.first_wrong != first.first_wrong ||
            next.output != first.output)
            return false;
    }
    return true;
}

/* Is the case right or wrong, depending on the calls before it? alone: without any. */
static bool changes(const struct cause_question *q, const struct cause_seen *alone)
{
    return q->unsteady ||
           (may_race(q) && !alone->first_wrong &&
            (alone->wrong || ask(q, (struct cause_trial){.runs = 1, .before = true}).wrong));
}

/* Every run is wrong, and zeros around the inputs make it right, or wrong in another way. */
static bool reads_around(const struct cause_question *q, const struct cause_seen *alone)
{
    const struct cause_trial others = {.runs = RUNS, .fill = FILL_ZEROS};
    const struct cause_trial zeros = {.runs = RUNS, .fill = FILL_ZEROS, .zeros_around = true};
    if (q->unsteady || alone->wrong != RUNS)
        return false;
    const struct cause_seen first = ask(q, zeros);
    if (!first.known || same(alone, &first))
        return false;
    const struct cause_seen again = ask(q, others), next = ask(q, zeros);
    return same(alone, &again) && same(&first, &next);
}

/* Damage that an earlier call has done is found by malloc() in a later one. */
static enum cause of_heap(const struct cause_question *q)
{
    const struct cause_seen alone = ask(q, (struct cause_trial){.runs = 1});
    return alone.known && !alone.wrong &&
                   fails_always(q, (struct cause_trial){.runs = 1, .before = true}, false)
               ? CAUSE_EARLIER_CALLS
               : CAUSE_NONE;
}

/* A race that shows in some runs only may be over by chance. */
bool cause_is_of_tasks(const struct cause_question *q)
{
    const struct cause_trial later = {.runs = RUNS, .fill = FILL_OTHERS};
    struct cause_trial at_once = later;
    at_once.tasks_at_once = true;
    for (int i = 0; i < PROCESSES; i++) {
        const struct cause_seen seen = ask(q, at_once);
        if (!seen.known || seen.wrong || ask(q, later).wrong < RUNS / 2)
            return false;
    }
    return true;
}

enum cause cause_find(const struct cause_question *q)
{
    const enum cause otherwise = q->unsteady ? CAUSE_RACE : CAUSE_NONE;
    if (q->heap)
        return of_heap(q);
    if (leaves_threads(q))
        return CAUSE_THREADS_LEFT;
    const struct cause_seen alone = ask(q, (struct cause_trial){.runs = RUNS, .fill = FILL_ZEROS});
    if (!alone.known)
        return otherwise;
    if (!alone.wrong && uses_unset_memory(q))
        return CAUSE_UNSET_MEMORY;
    if (alone.first_wrong && uses_old_output(q))
        return CAUSE_OLD_OUTPUT;
    if (uses_some_unset_memory(q, &alone))
        return CAUSE_UNSET_PART;
    if (reads_around(q, &alone))
        return CAUSE_READS_AROUND;
    if (!alone.first_wrong && fails_always(q, (struct cause_trial){.runs = RUNS}, true))
        return CAUSE_LATER_CALLS;
    if (!alone.first_wrong &&
        fails_always(q, (struct cause_trial){.runs = 1, .before = true}, false))
        return CAUSE_EARLIER_CALLS;
    if (!changes(q, &alone))
        return CAUSE_NONE;
    /* One worker has nobody to race with: if it fails, there is another mistake. */
    return q->workers > 1 && ask(q, (struct cause_trial){.runs = RUNS, .one_worker = true}).wrong
               ? CAUSE_NONE
               : CAUSE_RACE;
}

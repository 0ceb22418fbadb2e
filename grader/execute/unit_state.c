#include "execute/unit_state.h"

#include <string.h>

#include "rundir/stage.h"

const struct unit_state_row unit_states[STATES] = {
    [STATE_DONE] = {"done", "has a result", TERM_GREEN},
    [STATE_RUNNING] = {"running", "a proctor is at work", TERM_CYAN},
    [STATE_QUEUED] = {"queued", "waits in Slurm", TERM_PLAIN},
    [STATE_WAITING] = {"waiting", "not started, or to be tried again", TERM_PLAIN},
    [STATE_LOST] = {"lost", "left Slurm without a result; `paragrade resume` runs it again",
                    TERM_RED},
};

static const struct {
    const char *word;
    char letter;
    enum term_style style;
    enum unit_state state;
} stages[UNIT_STAGES] = {
    [UNIT_TO_DO] = {"to do", '.', TERM_DIM, STATE_WAITING},
    [UNIT_QUEUED] = {"queued", 'q', TERM_DIM, STATE_QUEUED},
    [UNIT_LOST] = {"lost", 'l', TERM_RED, STATE_LOST},
    [UNIT_WAITS] = {"waits", 'w', TERM_CYAN, STATE_RUNNING},
    [UNIT_BUILDS] = {"building", 'b', TERM_CYAN, STATE_RUNNING},
    [UNIT_MEASURES_NODE] = {"node", 'n', TERM_CYAN, STATE_RUNNING},
    [UNIT_CHECKS] = {"checking", 'c', TERM_CYAN, STATE_RUNNING},
    [UNIT_TIMED] = {"timing", 't', TERM_CYAN, STATE_RUNNING},
    [UNIT_RUNS] = {"running", 'r', TERM_CYAN, STATE_RUNNING},
    [UNIT_NO_VERDICT] = {"no verdict", '!', TERM_YELLOW, STATE_DONE},
    [UNIT_EARLIER] = {"done before", '=', TERM_GREEN, STATE_DONE},
};

enum unit_stage unit_stage_of_words(const char *words)
{
    static const struct {
        const char *begin;
        enum unit_stage stage;
    } known[] = {
        {"building", UNIT_BUILDS}, {STAGE_TURN, UNIT_WAITS},
        {"waiting", UNIT_WAITS},   {STAGE_NODE, UNIT_MEASURES_NODE},
        {"checking", UNIT_CHECKS}, {"looking for the smallest", UNIT_CHECKS},
        {"timing", UNIT_TIMED},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strncmp(words, known[i].begin, strlen(known[i].begin)) == 0)
            return known[i].stage;
    return UNIT_RUNS;
}

const char *unit_now_name(struct unit_now now)
{
    return now.stage == UNIT_DONE ? verdict_name(now.verdict) : stages[now.stage].word;
}

char unit_now_letter(struct unit_now now)
{
    if (now.stage != UNIT_DONE)
        return stages[now.stage].letter;
    switch (now.verdict) {
    case VERDICT_PASS:
        return '+';
    case VERDICT_MISSING:
        return '-';
    case VERDICT_SKIPPED:
        return 's';
    default:
        return verdict_fault(now.verdict) == FAULT_INFRA ? '!' : 'x';
    }
}

enum term_style unit_now_style(struct unit_now now)
{
    if (now.stage != UNIT_DONE)
        return stages[now.stage].style;
    switch (unit_now_letter(now)) {
    case '+':
        return TERM_GREEN;
    case 'x':
        return TERM_RED;
    case '!':
        return TERM_YELLOW;
    default:
        return TERM_DIM;
    }
}

enum unit_state unit_state_of(struct unit_now now)
{
    return now.stage == UNIT_DONE ? STATE_DONE : stages[now.stage].state;
}

const char *unit_stage_name(enum unit_stage s)
{
    return stages[s].word;
}

/*
 * unit_state.h - where one unit is, as people are told: in general (its state) and, while it runs,
 * in particular (its stage). Nothing else depends on it.
 */
#ifndef EXECUTE_UNIT_STATE_H
#define EXECUTE_UNIT_STATE_H

#include "base/term.h"
#include "model/verdict.h"

enum unit_state { STATE_DONE, STATE_RUNNING, STATE_QUEUED, STATE_WAITING, STATE_LOST, STATES };

/* The last three have ended. */
enum unit_stage {
    UNIT_TO_DO,
    UNIT_QUEUED,
    UNIT_LOST,  /* it left Slurm without a result */
    UNIT_WAITS, /* for its turn, or for other runs */
    UNIT_BUILDS,
    UNIT_MEASURES_NODE,
    UNIT_CHECKS,
    UNIT_TIMED,
    UNIT_RUNS, /* it is not known more exactly */
    UNIT_NO_VERDICT,
    UNIT_EARLIER, /* done before this command began */
    UNIT_DONE,
    UNIT_STAGES
};

struct unit_now {
    enum unit_stage stage;
    enum verdict verdict; /* UNIT_DONE */
};

struct unit_state_row {
    const char *name, *meaning;
    enum term_style style;
};

extern const struct unit_state_row unit_states[STATES];

enum unit_state unit_state_of(struct unit_now now);
/* The stage that the words of a proctor mean (rundir/stage.h); "" or unknown words: it runs. */
enum unit_stage unit_stage_of_words(const char *words);
/* One word for JSON and tables: the stage, or the verdict of a unit that is done. */
const char *unit_now_name(struct unit_now now);
/* Where there is no room for words. */
char unit_now_letter(struct unit_now now);
enum term_style unit_now_style(struct unit_now now);
/* The word and the letter of a stage before UNIT_DONE. */
const char *unit_stage_name(enum unit_stage s);

#endif

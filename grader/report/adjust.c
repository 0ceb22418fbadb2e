#include "report/adjust.h"

#include <math.h>
#include <stdlib.h>

#include "base/instant.h"
#include "base/strbuf.h"

int64_t adjust_submitted(const struct run *r, unsigned submission)
{
    const struct submission *s = &r->plan->submissions[submission];
    if (s->submitted != PLAN_NO_TIME || !r->assignment->deadline.from_files)
        return s->submitted;
    return s->modified;
}

int64_t adjust_late(const struct run *r, unsigned submission)
{
    const struct deadline *d = &r->assignment->deadline;
    const struct override *own =
        overrides_find(&r->overrides, (int)submission, -1, OVERRIDE_DEADLINE);
    const int64_t at = own ? own->deadline : d->at;
    const int64_t submitted = adjust_submitted(r, submission);
    if (!d->given || submitted == PLAN_NO_TIME || submitted <= at + d->grace_s ||
        r->plan->submissions[submission].is_reference)
        return 0;
    return submitted - at;
}

void adjust_unit(const struct run *r, unsigned unit, int64_t late_s, struct unit_score *s)
{
    const int submission = r->plan->units[unit].submission;
    const struct override *points =
        overrides_find(&r->overrides, submission, (int)unit, OVERRIDE_POINTS);
    const struct override *delta =
        overrides_find(&r->overrides, submission, (int)unit, OVERRIDE_DELTA);
    const double share = deadline_penalty(&r->assignment->deadline, late_s);
    s->late_penalty = share * s->scored;
    s->points = s->scored - s->late_penalty;
    if (points) {
        s->points = points->value;
        s->late_penalty = 0;
        s->counted = true;
    } else if (delta) {
        s->points = fmax(0, s->points + delta->value);
    }
}

double adjust_open(const struct run *r, unsigned unit, const struct scoreboard *b)
{
    const struct unit_score *s = &b->unit[unit];
    const int submission = r->plan->units[unit].submission;
    const double share =
        deadline_penalty(&r->assignment->deadline, b->submission[submission].late_s);
    if (!s->counted || overrides_find(&r->overrides, submission, (int)unit, OVERRIDE_POINTS))
        return 0;
    return (1 - share) * (s->max_points - s->correct_points - s->speed_points);
}

void adjust_submission(const struct run *r, unsigned submission, struct submission_score *s)
{
    const struct override *points =
        overrides_find(&r->overrides, (int)submission, -1, OVERRIDE_POINTS);
    const struct override *delta =
        overrides_find(&r->overrides, (int)submission, -1, OVERRIDE_DELTA);
    if (points) {
        s->points = points->value;
        s->late_penalty = 0;
    } else if (delta) {
        s->points = fmax(0, s->points + delta->value);
    }
}

char *adjust_text(const struct run *r, int submission, int unit)
{
    struct strbuf sb = STRBUF_INIT;
    char when[INSTANT_TEXT];
    for (int k = OVERRIDE_POINTS; k <= OVERRIDE_DEADLINE; k++) {
        const struct override *o =
            overrides_find(&r->overrides, submission, unit, (enum override_kind)k);
        /* Without a deadline nobody is late: an extension has changed nothing. */
        if (!o || (o->kind == OVERRIDE_DEADLINE && !r->assignment->deadline.given))
            continue;
        strbuf_adds(&sb, sb.len ? "; " : "");
        if (o->kind == OVERRIDE_POINTS) {
            strbuf_addf(&sb, "set to %.6g", o->value);
        } else if (o->kind == OVERRIDE_DELTA) {
            strbuf_addf(&sb, "changed by %+.6g", o->value);
        } else {
            instant_format_at(o->deadline, r->assignment->deadline.offset_s, when);
            strbuf_addf(&sb, "deadline %s", when);
        }
        strbuf_addf(&sb, ": %s", o->reason);
    }
    return strbuf_detach(&sb);
}

#include "report/smallest.h"

#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "report/replay_options.h"
#include "report/text.h"

bool smallest_is_news(const struct run *r, const struct unit_result *u)
{
    const struct smallest_result *s = &u->smallest;
    const struct case_result *c = unit_result_first_failure(u);
    if (!s->present || !c || c->case_index >= (int)r->cases.count)
        return s->present;
    const struct test_case *t = &r->cases.item[c->case_index];
    return !shape_equal(t->shape, s->shape) ||
           strcmp(kernel_values_name(r->assignment->kernel, t->values), s->values) != 0 ||
           !launch_equal(c->launch, s->launch);
}

char *smallest_text(const struct run *r, unsigned unit, const struct smallest_result *s)
{
    const struct tier *t = &r->assignment->tiers[r->plan->units[unit].tier];
    char size[SHAPE_TEXT], launch[TEXT_MOST];
    kernel_size_text(r->assignment->kernel, s->shape, size);
    text_launch(t, s->launch, launch);
    return xasprintf("%s, %s values, %s", size, s->values, launch);
}

static char *replay(const struct run *r, const char *run_name, const char *unit,
                    const struct unit_result *u)
{
    const struct smallest_result *s = &u->smallest;
    const struct case_result *first = unit_result_first_failure(u);
    char size[SHAPE_TEXT], launch[LAUNCH_TEXT], options[REPLAY_OPTIONS];
    kernel_size_text(r->assignment->kernel, s->shape, size);
    launch_format(s->launch, launch);
    replay_options(replay_conditions_smallest(s, first ? first->cause : CAUSE_NONE), options);
    return xasprintf("paragrade replay %s%s%s %s --values %s --seed 0x%016llx --launch %s%s",
                     run_name, *run_name ? " " : "", unit, size, s->values,
                     (unsigned long long)s->seed, launch, options);
}

char *smallest_replay(const struct run *r, const char *run_name, const struct unit_result *u)
{
    return replay(r, run_name, u->unit_id, u);
}

char *smallest_replay_own(const struct run *r, const char *tier, const struct unit_result *u)
{
    return replay(r, "", tier, u);
}

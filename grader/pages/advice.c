#include "pages/advice.h"

#include "report/feedback.h"
#include "report/roofline.h"

static const char *of_verdict(enum verdict v)
{
    switch (v) {
    case VERDICT_MISSING:
        return "Hand in a source file with one of the names that the assignment lists for this "
               "tier.";
    case VERDICT_TIMEOUT:
        return "Look for an endless loop, for ranks that wait for each other, and for a loop that "
               "takes too long at this size.";
    case VERDICT_CLOCK_MISMATCH:
        return "Finish all work before the function returns, and do all of it in the function.";
    case VERDICT_LAUNCH_ERROR:
        return "Check the numbers of threads and blocks of the launch: a block has at most 1024 "
               "threads.";
    case VERDICT_CRASH:
        return "Export the case and run it in a debugger or with -fsanitize=address: it names the "
               "line.";
    case VERDICT_OUT_OF_MEMORY:
        return "Free what you allocate before the function returns, and look for a copy for each "
               "thread.";
    case VERDICT_OUTPUT_LIMIT:
        return "Remove the output for debugging.";
    case VERDICT_WROTE_INPUT:
        return "A and B are read-only. Look for arguments in the wrong order.";
    case VERDICT_WROTE_OUT_OF_BOUNDS:
        return "Look at the end of each row: a whole vector that is stored there can reach beyond "
               "the matrix.";
    case VERDICT_FORBIDDEN:
        return "The message names what the assignment does not allow. Remove it.";
    case VERDICT_BUILD_ERROR:
        return "Compile with the command below and correct the first error. Later ones often "
               "follow from it.";
    case VERDICT_INFRA_ERROR:
        return "The grader or the machine failed, not your code. No points are lost. Ask your "
               "instructor.";
    default:
        return "";
    }
}

const char *advice_failed(const struct unit_result *u)
{
    const struct case_result *c = unit_result_first_failure(u);
    if (u->verdict != VERDICT_WRONG_ANSWER)
        return of_verdict(u->verdict);
    return c && c->cause == CAUSE_RACE
               ? "Threads or ranks disturb each other. Look for a variable that should be private, "
                 "for a sum without reduction or atomic, and for an array that all threads use as "
                 "scratch space."
               : "Find out why the first wrong element is wrong. Its position and the pattern "
                 "often show the cause.";
}

char *advice_passed(const struct source *s, int unit)
{
    const struct run *r = s->run;
    struct strbuf sb = STRBUF_INIT;
    const struct speeds of = score_speeds(s->board, unit);
    for (const struct speed *x = of.first; x < of.end; x++) {
        if (!x->graded || x != score_fastest(s->board, unit, x->shape))
            continue;
        OWNED char *next =
            subset_is_part(&r->plan->only) ? xstrdup("") : feedback_next(r, s->board, x);
        char size[SHAPE_TEXT];
        shape_format(x->shape, size);
        if (*next)
            strbuf_addf(&sb, "%sAt size %s, the next step is %s.", sb.len ? " " : "", size, next);
    }
    const struct speed *x = roofline_pick(r, s->board, unit);
    char bound[ROOFLINE_TEXT] = "";
    if (x)
        roofline_text(r, s->results, x, bound);
    if (bound[0])
        strbuf_addf(&sb, "%s%s", sb.len ? " " : "", bound);
    return strbuf_detach(&sb);
}

/* From a command line to what a command gets. */

#include "base/strbuf.h"
#include "cmd/locate.h"
#include "cmd/options.h"
#include "cmd/run_operand.h"
#include "cmd/site_files.h"

/* Count the operands; find the run. COMMAND_GO_ON, or the exit status. */
static int take_operands(struct options *o)
{
    const struct command *c = o->command;
    struct err e = ERR_INIT;
    if (o->operands < c->least || o->operands > c->most)
        return command_usage(c, "%s",
                             c->operands ? c->operands
                                         : "give one run at most: its directory, or its name under "
                                           "reports/; none: the newest");
    if (c->runs == RUNS_OF_NONE)
        return COMMAND_GO_ON;
    if (c->names_run ? c->names_run(o) : o->operands > c->least) {
        o->run_name = xstrdup(*o->operand++);
        o->operands--;
    } else {
        o->run_name = run_newest(c->runs, o, &e);
    }
    return o->run_name ? COMMAND_GO_ON : command_error(c, &e);
}

/* Where runs are, of a command that needs it, when nobody has said it. */
static void add_reports(struct options *o)
{
    for (const struct option_row *row = option_rows; (row = option_of(o->command, row)); row++)
        if (row->take == take_reports && !o->reports)
            o->reports = site_reports();
}

static int run_command(const struct options *o)
{
    const struct command *c = o->command;
    struct err e = ERR_INIT;
    FREED_BY(run_close) struct run r = {0};
    if (!c->with_run)
        return c->run(o);
    if (locate_run(o->run_name, &r, &e) != 0)
        return command_error(c, &e);
    return c->with_run(o, &r);
}

int command_line(const struct command *c, int argc, char **argv)
{
    FREED_BY(options_free) struct options o = {0};
    options_init(&o, c);
    int status = options_read(&o, argc, argv);
    if (status == COMMAND_GO_ON && c->check)
        status = c->check(&o);
    if (status == COMMAND_GO_ON)
        status = take_operands(&o);
    if (status == COMMAND_GO_ON) {
        add_reports(&o);
        status = run_command(&o);
    }
    return status;
}

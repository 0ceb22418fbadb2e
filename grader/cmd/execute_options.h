/*
 * execute_options.h - the options that say how units are run: the same ones for grade, sweep and
 * resume.
 */
#ifndef CMD_EXECUTE_OPTIONS_H
#define CMD_EXECUTE_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>

#include "base/err.h"
#include "execute/executor.h"
#include "rundir/resume_options.h"

/* What the command line asks for. */
struct execute_request {
    struct execute_options options;
    bool slurm_given; /* --slurm, --local or an option that implies --slurm */
    bool jobs_given;
    bool json; /* print one JSON document instead of tables */
};

/* What getopt_long returns for the options without a short form. */
enum {
    OPTION_SLURM = 1000,
    OPTION_LOCAL,
    OPTION_PARTITION,
    OPTION_ACCOUNT,
    OPTION_QOS,
    OPTION_NO_WAIT,
    OPTION_JSON,
    OPTION_MODULE,
    OPTION_SCRATCH,
    OPTION_NICE,
};

/* Entries for a table of getopt_long, and the letters of the short forms. */
#define EXECUTE_OPTIONS                                                                            \
    {"slurm", no_argument, NULL, OPTION_SLURM}, {"local", no_argument, NULL, OPTION_LOCAL},        \
        {"partition", required_argument, NULL, OPTION_PARTITION},                                  \
        {"account", required_argument, NULL, OPTION_ACCOUNT},                                      \
        {"qos", required_argument, NULL, OPTION_QOS},                                              \
        {"no-wait", no_argument, NULL, OPTION_NO_WAIT}, {"jobs", required_argument, NULL, 'j'},    \
        {"module", required_argument, NULL, OPTION_MODULE},                                        \
        {"scratch", required_argument, NULL, OPTION_SCRATCH},                                      \
        {"nice", required_argument, NULL, OPTION_NICE}, {"quiet", no_argument, NULL, 'q'},         \
    {                                                                                              \
        "json", no_argument, NULL, OPTION_JSON                                                     \
    }
#define EXECUTE_OPTIONS_LETTERS "j:q"

#define EXECUTE_OPTIONS_HELP                                                                       \
    "  --slurm             run the units as Slurm job arrays, one per resource shape\n"            \
    "  --partition P       these three replace the assignment's Slurm partition,\n"                \
    "  --account A           account and QOS; each implies --slurm\n"                              \
    "  --qos Q\n"                                                                                  \
    "  --no-wait           with Slurm: submit and return; a job that waits for the\n"              \
    "                        arrays writes the reports. On this machine: do not wait\n"            \
    "                        for other runs of yours, which may then disturb times\n"              \
    "  -j, --jobs N        on this machine: build and check up to N units at the\n"                \
    "                        same time (default 1). Timed runs still take turns,\n"                \
    "                        unless the assignment has quiet_node: false\n"                        \
    "  --module M          load this environment module first; may be repeated. These\n"           \
    "  --scratch DIR         three replace the settings of the configuration files\n"              \
    "  --nice N              (paragrade config): modules, the directory for temporary\n"           \
    "                        files, the nice level (0 to 19)\n"                                    \
    "  -q, --quiet         no progress on stderr\n"                                                \
    "  --json              print everything as one JSON document instead of tables\n"

void execute_options_init(struct execute_request *r);
/* Take one option that getopt_long returned; its value must live as long as the request. 0: taken;
 * 1: not one of these options; -1: the value is bad (e). */
int execute_options_take(struct execute_request *r, int option, const char *value, struct err *e);
void execute_options_free(struct execute_request *r);
/* Find the settings of the site: those of the configuration files, laid over by those of the
 * command lines: of this one and of the one that started the run (`before`; NULL: this one starts
 * it). The report job of a run uses the settings of the run alone, because it may run on another
 * machine. */
int execute_options_site(struct execute_request *r, const struct resume_options *before,
                         struct err *e);
/* Execute a run that exists as before, except where the command line says otherwise. `before`
 * receives the stored options; it must live as long as the request, and is to be freed in every
 * case. */
int execute_options_adopt(struct execute_request *r, const char *dir, struct resume_options *before,
                          struct err *e);
/* Can the options that were taken be combined? -1 with e when not. */
int execute_options_check(const struct execute_request *r, struct err *e);

#endif

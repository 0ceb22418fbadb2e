/*
 * nightly_jobs.h - `paragrade nightly` through Slurm: on which nodes, and one job on each.
 */
#ifndef CMD_NIGHTLY_JOBS_H
#define CMD_NIGHTLY_JOBS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "history/store.h"

struct nightly_jobs_request {
    const char *assignment, *profile;
    bool slurm, verbose;
    const char *partition, *account, *qos;
    const char *nodes; /* comma-separated; NULL: those of the partition */
    long sample;       /* only so many: those that were not measured for the longest time; 0: all */
    int64_t time_ms;   /* limit of a job */
    int64_t wait_ms;   /* then the jobs that have not started are cancelled */
};

/* What getopt_long returns for them. */
enum {
    NIGHTLY_SLURM = 1600,
    NIGHTLY_PARTITION,
    NIGHTLY_ACCOUNT,
    NIGHTLY_QOS,
    NIGHTLY_NODES,
    NIGHTLY_SAMPLE,
    NIGHTLY_TIME,
    NIGHTLY_WAIT,
};

#define NIGHTLY_JOBS_OPTIONS                                                                       \
    {"slurm", no_argument, NULL, NIGHTLY_SLURM},                                                   \
        {"partition", required_argument, NULL, NIGHTLY_PARTITION},                                 \
        {"account", required_argument, NULL, NIGHTLY_ACCOUNT},                                     \
        {"qos", required_argument, NULL, NIGHTLY_QOS},                                             \
        {"nodes", required_argument, NULL, NIGHTLY_NODES},                                         \
        {"sample", required_argument, NULL, NIGHTLY_SAMPLE},                                       \
        {"time", required_argument, NULL, NIGHTLY_TIME},                                           \
    {                                                                                              \
        "wait", required_argument, NULL, NIGHTLY_WAIT                                              \
    }

#define NIGHTLY_JOBS_HELP                                                                          \
    "  --slurm             one job on each node of the default partition\n"                        \
    "  --partition P       these three choose for the jobs; each implies --slurm\n"                \
    "  --account A\n"                                                                              \
    "  --qos Q\n"                                                                                  \
    "  --nodes N1,N2,...   only these nodes; implies --slurm\n"                                    \
    "  --sample N          only N nodes, those that were not measured for the\n"                   \
    "                        longest time\n"                                                       \
    "  --time T            limit of a job (default 1h)\n"                                          \
    "  --wait T            cancel the jobs that have not started by then (default 4h)\n"

void nightly_jobs_init(struct nightly_jobs_request *r);
/* Take one option. 0: taken; -1: the value is bad (e). */
int nightly_jobs_take(struct nightly_jobs_request *r, int option, char *value, struct err *e);
/* Can they be combined? */
int nightly_jobs_check(const struct nightly_jobs_request *r, struct err *e);

/* Grade the reference on the nodes; each run is night/NODE. Nodes on which a job started and left
 * no run are described in *failures, one a line. 0, also when told to stop; or -1 with e. */
int nightly_jobs_run(const struct nightly_jobs_request *r, const char *night, struct store *s,
                     struct strbuf *failures, struct err *e);

#endif

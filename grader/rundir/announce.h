/*
 * announce.h - proctors of Slurm jobs announce what they begin and end, a line each in a file per
 * node: slurm/units-<node>.log. So the front end need not look at every unit again and again.
 *
 * An announcement is only a reason to look: results and records of failure are the truth. A line
 * may be lost, twice there or damaged.
 */
#ifndef RUNDIR_ANNOUNCE_H
#define RUNDIR_ANNOUNCE_H

#include <stdbool.h>
#include <stddef.h>

struct announcement {
    int array; /* number of its record */
    long task;
    int unit; /* plan index */
    const char *id;
    const char *verdict; /* NULL: the unit begins; "none": the attempt failed */
};

/* Nothing is said when this fails. */
void announce(const char *run, const char *node, const struct announcement *a);

/* How far the files were read. Initialise with {0}. */
struct announcements {
    struct announced_file {
        char *name;
        size_t read; /* bytes, whole lines */
    } * file;
    unsigned count;
};

/* Call fn for every new line that can be read. */
void announcements_read(const char *run, struct announcements *a,
                        void (*fn)(void *arg, const struct announcement *one), void *arg);
void announcements_free(struct announcements *a);

#endif

/*
 * give_way.h - what builds stands still while another unit is timed, and need not end before that.
 */
#ifndef PROCTOR_GIVE_WAY_H
#define PROCTOR_GIVE_WAY_H

#include <stdint.h>
#include <sys/types.h>

/* For proc_spec.give_way; `timing_lock` is the proctor's struct timing_lock. If somebody waits to
 * time: stop the group, let him, and continue it afterwards. */
uint64_t give_way(pid_t group, void *timing_lock);

#endif

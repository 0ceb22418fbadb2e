/* expect: naive pass */
/* Read the plan with the seed, other submissions, the reference, the instructor's home, and what
 * /proc tells about the grader. */
#include "attack.h"

static void try(const char *path)
{
    char byte;
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return;
    if (read(fd, &byte, 1) == 1)
        HOLE(path);
    close(fd);
}

static void attack(void)
{
    static const char *const parts[] = {"environ", "mem",  "maps",    "fd/1",
                                        "fd/5",    "auxv", "syscall", "stack"};
    const int pids[] = {proctor(), NEIGHBOUR, FRONT_END};
    char path[256];
    try(RUN "/plan.json");
    try(RUN "/assignment.yaml");
    try(RUN "/sources/honest/naive.c");
    try(RUN "/../../subs/honest/naive.c");
    try(REFERENCE "/simd.c");
    try(SECRET);
    try("/proc/self/cwd/../../unit-0/kernel.so");
    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < sizeof parts / sizeof parts[0]; j++) {
            snprintf(path, sizeof path, "/proc/%d/%s", pids[i], parts[j]);
            try(path);
        }
    snprintf(path, sizeof path, "/proc/%d/root" SECRET, proctor());
    try(path);
    snprintf(path, sizeof path, "/proc/%d/cwd/reports/r/plan.json", proctor());
    try(path);
}

ONCE(attack)

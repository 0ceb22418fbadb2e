/* expect: naive pass */
/* Ask how large files of others are, by their names and through /proc. No file is opened. */
#include "attack.h"

static void ask(const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
        HOLE(path);
}

static void attack(void)
{
    static const char *const through[] = {"", "/proc/self/root", "/proc/%d/root", "/proc/%d/cwd"};
    static const char *const files[] = {RUN "/plan.json", RUN "/sources/honest/naive.c",
                                        RUN "/../../subs/honest/naive.c", REFERENCE_NAIVE};
    const int pids[] = {proctor(), NEIGHBOUR, FRONT_END};
    char path[1024];
    for (unsigned t = 0; t < sizeof through / sizeof through[0]; t++)
        for (unsigned p = 0; p < 3; p++) {
            const int n = snprintf(path, sizeof path, through[t], pids[p]);
            for (unsigned f = 0; f < sizeof files / sizeof files[0]; f++) {
                snprintf(path + n, sizeof path - (size_t)n, "%s", files[f]);
                ask(path);
            }
            snprintf(path + n, sizeof path - (size_t)n, "/subs/honest/naive.c");
            ask(path);
        }
}

ONCE(attack)

#include "base/random.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

void random_bytes(void *out, size_t n)
{
    unsigned char *p = out;
    while (n) {
        const ssize_t got = getrandom(p, n, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            fprintf(stderr, "paragrade: the system has no random numbers: %s\n", strerror(errno));
            abort();
        }
        p += got;
        n -= (size_t)got;
    }
}

uint64_t random_word(void)
{
    uint64_t word;
    random_bytes(&word, sizeof word);
    return word;
}

/*
 * swap A B [C D]...: the files of each pair change places, again and again, until somebody ends it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    while (getppid() != 1)
        for (int i = 1; i + 1 < argc; i += 2)
            if (renameat2(AT_FDCWD, argv[i], AT_FDCWD, argv[i + 1], RENAME_EXCHANGE) != 0) {
                perror(argv[i]);
                return 1;
            }
    return 0;
}

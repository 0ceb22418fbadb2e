#include <stdio.h>

int main(int argc, char **argv)
{
    int rows, *cols = NULL;
    FILE *f = fopen(argv[argc - 1], "r");
    if (fscanf(f, "%d", &rows) == 1)
        *cols = rows;
    return 0;
}

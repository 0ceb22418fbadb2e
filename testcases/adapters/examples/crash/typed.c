#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    FILE *f = fopen("parameters.txt", "r");
    int n = 0;
    if (!f || fscanf(f, "n = %d", &n) != 1) {
        printf("parameters.txt: no n\n");
        exit(3);
    }
    return argc > 1 && argv[1][0] == '0';
}

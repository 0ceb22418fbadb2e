/*
 * heat_map.h - numbers on a grid, drawn with characters: the larger, the darker.
 */
#ifndef BASE_HEAT_MAP_H
#define BASE_HEAT_MAP_H

#include <stdbool.h>
#include <stdio.h>

struct heat_map {
    int rows, cols;     /* in characters, without the frame */
    const double *cell; /* row-major, of the caller; 0 is drawn as a blank */
    bool unicode;       /* block characters; otherwise ASCII */
};

enum { HEAT_MAP_SHADES = 4, HEAT_MAP_STEP = 4 };

/* The shade of a value: 0 for 0, otherwise 1 .. HEAT_MAP_SHADES, the darkest one. The darkest shade
 * is for values up to the largest one. Each lighter shade is for values up to 1/HEAT_MAP_STEP of
 * that of the next darker one, and the lightest shade for all smaller values above 0. */
int heat_map_shade(double value, double largest);

/* Print the cells, which are shares from 0 to 1, in a frame. The line below begins with `what`, and
 * says for each shade that occurs up to which share, in per cent, it is used. */
void heat_map_print(FILE *f, const struct heat_map *m, const char *what);

#endif

#include "base/heat_map.h"

#include <math.h>

static const char *const shade_ascii[] = {" ", ".", ":", "+", "#"};
static const char *const shade_unicode[] = {" ", "░", "▒", "▓", "█"};

/* The largest value of a shade. */
static double shade_limit(int shade, double largest)
{
    return largest * pow(HEAT_MAP_STEP, shade - HEAT_MAP_SHADES);
}

int heat_map_shade(double value, double largest)
{
    if (!(value > 0))
        return 0;
    int shade = 1;
    while (shade < HEAT_MAP_SHADES && value > shade_limit(shade, largest))
        shade++;
    return shade;
}

static void print_edge(FILE *f, const struct heat_map *m, const char *left, const char *right)
{
    fputs(m->unicode ? left : "+", f);
    for (int c = 0; c < m->cols; c++)
        fputs(m->unicode ? "─" : "-", f);
    fprintf(f, "%s\n", m->unicode ? right : "+");
}

void heat_map_print(FILE *f, const struct heat_map *m, const char *what)
{
    const char *const *character = m->unicode ? shade_unicode : shade_ascii;
    const char *side = m->unicode ? "│" : "|";
    const size_t cells = (size_t)m->rows * (size_t)m->cols;
    bool used[HEAT_MAP_SHADES + 1] = {false};
    double largest = 0;
    for (size_t i = 0; i < cells; i++)
        largest = fmax(largest, m->cell[i]);
    print_edge(f, m, "┌", "┐");
    for (size_t i = 0; i < cells; i++) {
        const int shade = heat_map_shade(m->cell[i], largest);
        const size_t c = i % (size_t)m->cols;
        used[shade] = true;
        fprintf(f, "%s%s", c == 0 ? side : "", character[shade]);
        if (c + 1 == (size_t)m->cols)
            fprintf(f, "%s\n", side);
    }
    print_edge(f, m, "└", "┘");
    if (largest > 0)
        fputs(what, f);
    for (int shade = 1; shade <= HEAT_MAP_SHADES; shade++)
        if (used[shade])
            fprintf(f, "  %s up to %.3g %%", character[shade], 100 * shade_limit(shade, largest));
    if (largest > 0)
        fputc('\n', f);
}

/* geometry.c - trusted sources of 10 to 14. Pairs of numbers are points. */
#include <math.h>
#include <stdlib.h>

struct point {
    double x, y;
};

static double cross(struct point p, struct point q, struct point r)
{
    return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
}

static double distance(struct point p, struct point q)
{
    return sqrt((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y));
}

static const struct point *points;

static int by_place(const void *a, const void *b)
{
    const struct point p = points[*(const int *)a], q = points[*(const int *)b];
    if (p.x != q.x)
        return p.x < q.x ? -1 : 1;
    return (p.y > q.y) - (p.y < q.y);
}

/* The corners in their order, from the leftmost one on: the lower chain, then the upper one. */
int hull(int n, const struct point *p, struct point *corner)
{
    int *order = malloc(sizeof *order * (size_t)n), *chain = malloc(sizeof *chain * 2 * (size_t)n);
    int distinct = 0, corners = 0;
    for (int i = 0; i < n; i++)
        order[i] = i;
    points = p;
    qsort(order, (size_t)n, sizeof *order, by_place);
    for (int i = 0; i < n; i++) {
        const struct point q = p[order[i]], last = p[order[distinct ? distinct - 1 : 0]];
        if (i == 0 || q.x != last.x || q.y != last.y)
            order[distinct++] = order[i];
    }
    for (int i = 0, least = 0; i < 2 * distinct - 1; i++) {
        const int next = order[i < distinct ? i : 2 * distinct - 2 - i];
        if (i == distinct)
            least = corners - 1;
        while (corners > least + 1 &&
               cross(p[chain[corners - 2]], p[chain[corners - 1]], p[next]) <= 0)
            corners--;
        chain[corners++] = next;
    }
    corners -= corners > 1; /* the last one is the first one again */
    for (int i = 0; i < corners; i++)
        corner[i] = p[chain[i]];
    free(order);
    free(chain);
    return corners;
}

double perimeter(int n, const struct point *p)
{
    struct point *corner = malloc(sizeof *corner * (size_t)n);
    const int corners = hull(n, p, corner);
    double sum = 0;
    for (int i = 0; i < corners; i++)
        sum += distance(corner[i], corner[(i + 1) % corners]);
    free(corner);
    return sum;
}

double smallest_triangle(int n, const struct point *p)
{
    double least = n < 3 ? 0 : INFINITY;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            for (int k = j + 1; k < n; k++)
                least = fmin(least, fabs(cross(p[i], p[j], p[k])) / 2);
    return least;
}

double closest_points(int n, const struct point *p)
{
    double least = n < 2 ? 0 : INFINITY;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            least = fmin(least, distance(p[i], p[j]));
    return least;
}

double closest_numbers(int n, const double *x)
{
    double least = n < 2 ? 0 : INFINITY;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            least = fmin(least, fabs(x[i] - x[j]));
    return least;
}

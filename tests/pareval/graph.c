/* graph.c - trusted sources of 15 to 19. Graphs are matrices: 1 where an edge is. */
#include <stdlib.h>
#include <string.h>

/* Breadth first: the steps from `start` to each vertex, -1 if no path leads there. Returns how many
 * were reached that had -1 before. */
static int reach(int n, const int *A, int start, int *steps)
{
    int *queue = malloc(sizeof *queue * (size_t)n);
    int reached = 1;
    queue[0] = start;
    steps[start] = 0;
    for (int at = 0; at < reached; at++)
        for (int j = 0; j < n; j++)
            if (A[queue[at] * n + j] && steps[j] < 0) {
                steps[j] = steps[queue[at]] + 1;
                queue[reached++] = j;
            }
    free(queue);
    return reached;
}

static int *unreached(int n)
{
    int *steps = malloc(sizeof *steps * (size_t)n);
    memset(steps, 0xff, sizeof *steps * (size_t)n);
    return steps;
}

int edge_count(int n, const int *A)
{
    int count = 0;
    for (int i = 0; i < n * n; i++)
        count += A[i];
    return count;
}

int largest_component(int n, const int *A)
{
    int *steps = unreached(n), most = 0;
    for (int i = 0; i < n; i++) {
        const int size = steps[i] < 0 ? reach(n, A, i, steps) : 0;
        most = size > most ? size : most;
    }
    free(steps);
    return most;
}

int highest_degree(int n, const int *A)
{
    int most = 0;
    for (int i = 0; i < n; i++) {
        int degree = 0;
        for (int j = 0; j < n; j++)
            degree += A[i * n + j];
        most = degree > most ? degree : most;
    }
    return most;
}

int component_count(int n, const int *A)
{
    int *steps = unreached(n), count = 0;
    for (int i = 0; i < n; i++)
        if (steps[i] < 0) {
            reach(n, A, i, steps);
            count++;
        }
    free(steps);
    return count;
}

int path_length(int n, const int *A, int source, int target)
{
    int *steps = unreached(n);
    reach(n, A, source, steps);
    const int length = steps[target];
    free(steps);
    return length;
}

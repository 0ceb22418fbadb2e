#include "kernel/matrix_files.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strbuf.h"
#include "kernel/matrix_market.h"

struct matrix_files *matrix_files_new(const char *dir)
{
    struct matrix_files *m = xcalloc(1, sizeof *m);
    m->dir = xstrdup(dir);
    return m;
}

void matrix_files_free(struct matrix_files *m)
{
    if (!m)
        return;
    for (unsigned i = 0; i < m->count; i++) {
        free(m->matrix[i]->row_start);
        free(m->matrix[i]->col);
        free(m->matrix[i]);
    }
    free(m->matrix);
    free(m->dir);
    free(m);
}

static const struct sparse *add(struct matrix_files *m, const char *path, struct csr *a)
{
    struct sparse *s = xcalloc(1, sizeof *s);
    *s = (struct sparse){.structure = {.family = STRUCTURE_FILE, .matrix = s},
                         .rows = a->rows,
                         .cols = a->cols,
                         .row_start = a->row_start,
                         .col = a->col};
    snprintf(s->structure.file, sizeof s->structure.file, "%s", path);
    a->row_start = a->col = NULL;
    m->matrix = xrealloc_array(m->matrix, m->count + 1, sizeof(struct sparse *));
    m->matrix[m->count++] = s;
    return s;
}

static const struct sparse *get(struct matrix_files *m, const char *path, struct err *e)
{
    for (unsigned i = 0; i < m->count; i++)
        if (strcmp(m->matrix[i]->structure.file, path) == 0)
            return m->matrix[i];
    OWNED char *file = xasprintf("%s/%s", m->dir, path);
    const struct sparse *s = NULL;
    FREED_BY(csr_free) struct csr a = {0};
    struct stat st;
    if (stat(file, &st) == 0 && st.st_size > MATRIX_FILE_MOST)
        err_input(e, "%s: the file has more than %d bytes", file, MATRIX_FILE_MOST);
    else if (matrix_market_read(file, &a, NULL, e) == 0)
        s = add(m, path, &a);
    return s;
}

const struct sparse *matrix_files_get(struct matrix_files *m, const char *path, struct err *e)
{
    static pthread_mutex_t one_thread = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&one_thread);
    const struct sparse *s = get(m, path, e);
    pthread_mutex_unlock(&one_thread);
    return s;
}

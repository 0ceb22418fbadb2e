#include "rundir/announce.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "rundir/parts.h"
#include "rundir/paths.h"

enum { LINE_MOST = 1024, READ_MOST = 1 << 20 };

void announce(const char *run, const char *node, const struct announcement *a)
{
    char line[LINE_MOST];
    int n = snprintf(line, sizeof line, "%d %ld %d %s %s\n", a->array, a->task, a->unit, a->id,
                     a->verdict ? a->verdict : "begins");
    OWNED char *path = part_path(run, PART_ANNOUNCEMENTS, node);
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0) {
        /* If the disk is full, the front end finds out when it looks at the units themselves. */
        if (n > 0 && n < LINE_MOST && write(fd, line, (size_t)n) != n)
            errno = 0;
        close(fd);
    }
}

/* Split a line, which is changed. */
static bool parse(char *line, struct announcement *a)
{
    static const char begins[] = "begins";
    char *end = NULL;
    long n[3];
    for (int i = 0; i < 3; i++) {
        n[i] = strtol(line, &end, 10);
        if (end == line || *end != ' ' || n[i] < 0 || n[i] > 1000000000)
            return false;
        line = end + 1;
    }
    char *verdict = strchr(line, ' ');
    if (!verdict || verdict == line || strchr(verdict + 1, ' '))
        return false;
    *verdict++ = '\0';
    *a = (struct announcement){.array = (int)n[0],
                               .task = n[1],
                               .unit = (int)n[2],
                               .id = line,
                               .verdict = strcmp(verdict, begins) == 0 ? NULL : verdict};
    return true;
}

static struct announced_file *file_of(struct announcements *a, const char *name)
{
    for (unsigned i = 0; i < a->count; i++)
        if (strcmp(a->file[i].name, name) == 0)
            return &a->file[i];
    a->file = xrealloc_array(a->file, a->count + 1, sizeof *a->file);
    a->file[a->count] = (struct announced_file){.name = xstrdup(name)};
    return &a->file[a->count++];
}

static void read_new(int fd, struct announced_file *f,
                     void (*fn)(void *arg, const struct announcement *one), void *arg)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || (size_t)st.st_size == f->read)
        return;
    if ((size_t)st.st_size < f->read)
        f->read = 0; /* it is another file */
    OWNED char *text = xcalloc(READ_MOST + 1, 1);
    ssize_t n;
    while ((n = pread(fd, text, READ_MOST, (off_t)f->read)) > 0) {
        text[n] = '\0';
        char *line = text, *end;
        for (; (end = memchr(line, '\n', (size_t)(text + n - line))); line = end + 1) {
            struct announcement one;
            *end = '\0';
            if (parse(line, &one))
                fn(arg, &one);
        }
        if (line == text && n < READ_MOST)
            break; /* the last line is not whole yet */
        f->read += line == text ? (size_t)n : (size_t)(line - text);
    }
}

void announcements_read(const char *run, struct announcements *a,
                        void (*fn)(void *arg, const struct announcement *one), void *arg)
{
    OWNED char *dir = rundir_slurm(run);
    OWNED_TEXTS char **names = NULL;
    size_t count;
    if (fs_list(dir, &names, &count, NULL) == 0) {
        for (size_t i = 0; i < count; i++) {
            if (!part_has_name(PART_ANNOUNCEMENTS, names[i]))
                continue;
            OWNED char *path = xasprintf("%s/%s", dir, names[i]);
            int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
            if (fd >= 0) {
                read_new(fd, file_of(a, names[i]), fn, arg);
                close(fd);
            }
        }
    }
}

void announcements_free(struct announcements *a)
{
    for (unsigned i = 0; i < a->count; i++)
        free(a->file[i].name);
    free(a->file);
    *a = (struct announcements){0};
}

#include "supervise/guards.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "abi/protocol.h"
#include "base/strbuf.h"

struct mapping {
    uint64_t start, end;
    char mode[5];
    struct mapped_file file;
};

/* Parse a line of n bytes. It ends with the file's name, which may have any length. */
static bool parse_line(const char *line, size_t n, struct mapping *m)
{
    char head[128];
    snprintf(head, sizeof head, "%.*s", (int)(n < sizeof head ? n : sizeof head - 1), line);
    return sscanf(head, "%" SCNx64 "-%" SCNx64 " %4s %*x %x:%x %" SCNu64, &m->start, &m->end,
                  m->mode, &m->file.major, &m->file.minor, &m->file.inode) == 6 &&
           m->start < m->end && strlen(m->mode) == 4;
}

static bool is_file(const struct mapping *m, const struct mapped_file *f)
{
    return m->file.inode == f->inode && m->file.major == f->major && m->file.minor == f->minor;
}

static bool is_guard(const struct mapping *m)
{
    static const struct mapped_file none = {0, 0, 0};
    return is_file(m, &none) && strcmp(m->mode, "---p") == 0;
}

/* What is known about the mappings so far. */
struct mappings_seen {
    uint64_t end;   /* of the previous mapping */
    uint64_t guard; /* bytes of guard right before `end` */
    bool in_file;   /* the previous mapping was the file's */
    bool owed;      /* the guard after the file's last mapping is still to come */
    bool found;     /* the file is mapped */
};

/* Take in the next mapping. False when a guard is missing or too small. Mappings are listed in the
 * order of their addresses. One mapping may be listed as several neighbours, for instance after
 * madvise(). */
static bool add_mapping(struct mappings_seen *seen, const struct mapping *m,
                        const struct mapped_file *f)
{
    if (m->start != seen->end) { /* a hole */
        if (seen->owed)
            return false;
        seen->guard = 0;
        seen->in_file = false;
    }
    seen->end = m->end;
    if (is_guard(m)) {
        seen->guard += m->end - m->start;
        seen->in_file = false;
        seen->owed = seen->owed && seen->guard < PG_GUARD;
        return true;
    }
    if (is_file(m, f)) {
        if (!seen->in_file && seen->guard < PG_GUARD)
            return false;
        seen->in_file = seen->owed = seen->found = true;
        seen->guard = 0;
        return true;
    }
    seen->guard = 0;
    seen->in_file = false;
    return !seen->owed;
}

enum guards guards_judge(const char *maps, const struct mapped_file *f)
{
    struct mappings_seen seen = {0};
    bool intact = true;
    if (!*maps)
        return GUARDS_UNKNOWN;
    for (const char *line = maps; *line;) {
        struct mapping m;
        size_t n = strcspn(line, "\n");
        if (!line[n] || !parse_line(line, n, &m) || m.start < seen.end)
            return GUARDS_UNKNOWN;
        intact = intact && add_mapping(&seen, &m, f);
        seen.end = m.end;
        line += n + 1;
    }
    return intact && seen.found && !seen.owed ? GUARDS_INTACT : GUARDS_CHANGED;
}

enum guards guards_check(pid_t pid, int fd)
{
    char path[64], buf[16384];
    struct stat st;
    if (fstat(fd, &st) != 0)
        return GUARDS_UNKNOWN;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    int maps = open(path, O_RDONLY | O_CLOEXEC);
    if (maps < 0)
        return errno == EACCES ? GUARDS_HIDDEN : GUARDS_UNKNOWN;
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    ssize_t n;
    while ((n = read(maps, buf, sizeof buf)) > 0)
        strbuf_add(&sb, buf, (size_t)n);
    close(maps);
    const struct mapped_file f = {major(st.st_dev), minor(st.st_dev), st.st_ino};
    return n < 0 ? GUARDS_UNKNOWN : guards_judge(sb.s, &f);
}

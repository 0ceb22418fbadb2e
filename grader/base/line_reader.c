#include "base/line_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "base/term.h"

int line_reader_wrong(struct line_reader *l, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    OWNED char *what = xvasprintf(fmt, ap);
    va_end(ap);
    term_make_printable(what);
    err_input(l->e, "%s:%lld: %s", l->path, l->number ? l->number : 1, what);
    return -1;
}

static int check_encoding(struct line_reader *l)
{
    static const struct {
        const char *begin, *is;
    } table[] = {
        {"\x1f\x8b", "compressed (gzip); unpack it first"},
        {"BZh", "compressed (bzip2); unpack it first"},
        {"\xfd\x37zXZ", "compressed (xz); unpack it first"},
        {"PK\x03\x04", "an archive (zip); unpack it first"},
        {"\xef\xbb\xbf", "UTF-8 with a byte order mark; save it without one"},
        {"\xff\xfe", "UTF-16; save it as UTF-8"},
        {"\xfe\xff", "UTF-16; save it as UTF-8"},
    };
    char begin[8];
    const size_t n = fread(begin, 1, sizeof begin, l->file);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const size_t length = strlen(table[i].begin);
        if (n >= length && memcmp(begin, table[i].begin, length) == 0)
            return line_reader_wrong(l, "the file is %s", table[i].is);
    }
    return fseek(l->file, 0, SEEK_SET) == 0 ? 0
                                            : err_system(l->e, "%s: %s", l->path, strerror(errno));
}

int line_reader_open(struct line_reader *l, const char *path, struct err *e)
{
    struct stat st;
    *l = (struct line_reader){.path = path, .e = e};
    const int fd = fs_open_regular(&(struct fs_name){AT_FDCWD, path, path}, 0, &st, e);
    if (fd < 0)
        return -1;
    l->bytes = st.st_size;
    l->file = fdopen(fd, "r");
    if (!l->file) {
        err_system(e, "%s: %s", path, strerror(errno));
        close(fd);
        return -1;
    }
    return check_encoding(l);
}

void line_reader_close(struct line_reader *l)
{
    if (l->file)
        fclose(l->file);
    free(l->text);
    *l = (struct line_reader){0};
}

int line_reader_next(struct line_reader *l)
{
    errno = 0;
    ssize_t n = getline(&l->text, &l->capacity, l->file);
    if (n < 0)
        return feof(l->file) ? 0 : err_system(l->e, "%s: %s", l->path, strerror(errno));
    l->number++;
    l->read += n;
    if (strlen(l->text) != (size_t)n)
        return line_reader_wrong(l, "the line has a zero byte: this is not a text file");
    if (n && l->text[n - 1] == '\n')
        l->text[--n] = '\0';
    if (n && l->text[n - 1] == '\r')
        l->text[--n] = '\0';
    return 1;
}

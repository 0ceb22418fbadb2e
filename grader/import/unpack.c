#include "import/unpack.h"

#include "base/strbuf.h"

#ifdef PARAGRADE_LIBARCHIVE

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "import/litter.h"

/* MADE_DEPTH: directories of students do not lie deeper. Others are made when a file needs them. */
enum { BLOCK = 64 << 10, PATH_MOST = 2000, MADE_DEPTH = 4 };

struct unpacking {
    struct archive *a;
    const char *shown; /* the archive */
    const char *to;
    struct unpack_limits *left;
    struct remarks *remarks;
    struct err *e;
};

/* --- names ------------------------------------------------------------------------------------ */

/* The name of an entry with '/' between its parts and without empty parts and "."; NULL if it leads
 * out of the archive, or is empty or too long. The caller frees it. */
static char *safe_path(const char *name)
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    OWNED char *slashed = xstrdup(name);
    for (char *p = slashed; *p; p++)
        if (*p == '\\') /* some programs on Windows write these */
            *p = '/';
    const char *p = slashed;
    bool safe = *p != '/' && !(p[0] && p[1] == ':' && p[2] == '/') && strlen(p) < PATH_MOST;
    while (safe && *p) {
        const size_t n = strcspn(p, "/");
        if ((n == 2 && strncmp(p, "..", 2) == 0) || n > 255)
            safe = false;
        else if (n && !(n == 1 && *p == '.')) {
            strbuf_adds(&sb, sb.len ? "/" : "");
            strbuf_add(&sb, p, n);
        }
        p += n;
        p += *p == '/';
    }
    if (safe && sb.len)
        return strbuf_detach(&sb);
    return NULL;
}

/* What is wrong with an entry that cannot be a file; NULL: nothing. */
static const char *unwanted(struct archive_entry *entry)
{
    if (archive_entry_hardlink(entry))
        return "a hard link";
    switch (archive_entry_filetype(entry)) {
    case AE_IFREG:
        return archive_entry_is_encrypted(entry) ? "encrypted" : NULL;
    case AE_IFLNK:
        return "a symbolic link";
    default:
        return "neither a file nor a directory";
    }
}

/* --- contents --------------------------------------------------------------------------------- */

enum { TOO_LARGE = 1 };

static int write_contents(struct unpacking *u, int fd, const char *path)
{
    OWNED char *block = xcalloc(BLOCK, 1);
    uint64_t size = 0;
    int rc = 0;
    for (la_ssize_t n; rc == 0 && (n = archive_read_data(u->a, block, BLOCK)) != 0;) {
        if (n < 0) {
            rc = err_input(u->e, "%s: damaged: %s", u->shown, archive_error_string(u->a));
            break;
        }
        size += (uint64_t)n;
        if ((uint64_t)n > u->left->bytes) {
            rc = err_input(u->e, "%s: unpacks to more than is allowed for one archive", u->shown);
        } else if (size > u->left->file_bytes) {
            rc = TOO_LARGE;
        } else if (write(fd, block, (size_t)n) != (ssize_t)n) {
            rc = err_system(u->e, "%s: cannot be written: %s", path, strerror(errno));
        }
        u->left->bytes -= rc == 0 ? (uint64_t)n : 0;
    }
    return rc;
}

static int write_file(struct unpacking *u, const char *name)
{
    char *path = xasprintf("%s/%s", u->to, name), *slash = strrchr(path, '/');
    struct err why = ERR_INIT;
    int rc = 0, fd = -1;
    *slash = '\0';
    if (fs_mkdirs(path, &why) == 0) {
        *slash = '/';
        fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    }
    *slash = '/';
    if (fd < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EACCES || errno == EROFS)) {
        rc = err_system(u->e, "%s: cannot be written: %s", path, strerror(errno));
    } else if (fd < 0) { /* a file where the name needs a directory, or the other way round */
        remark(u->remarks, "%s: %s: left out: %s", u->shown, name, strerror(errno));
    } else {
        rc = write_contents(u, fd, path);
        if (close(fd) != 0 && rc == 0)
            rc = err_system(u->e, "%s: cannot be written: %s", path, strerror(errno));
    }
    if (rc == TOO_LARGE) { /* of a zip, the rest is skipped */
        remark(u->remarks, "%s: %s: left out: larger than %llu MiB", u->shown, name,
               (unsigned long long)u->left->file_bytes >> 20);
        rc = unlink(path) == 0 ? 0 : err_system(u->e, "%s: %s", path, strerror(errno));
    }
    free(path);
    return rc;
}

/* What is skipped is unpacked all the same, unless it is a zip: so it counts. */
static int skip_contents(struct unpacking *u, struct archive_entry *entry)
{
    const la_int64_t size = archive_entry_size(entry);
    if ((archive_format(u->a) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP || size <= 0)
        return 0;
    if ((uint64_t)size > u->left->bytes)
        return err_input(u->e, "%s: unpacks to more than is allowed for one archive", u->shown);
    u->left->bytes -= (uint64_t)size;
    return 0;
}

/* The directory of a student of whose files none is taken. `path` is changed. */
static void make_directory(const struct unpacking *u, char *path, bool directory)
{
    size_t depth = 0;
    while (!directory || litter_is(path)) {
        char *slash = strrchr(path, '/');
        if (!slash)
            return;
        *slash = '\0';
        directory = true;
    }
    for (const char *p = path; (p = strchr(p, '/')); p++)
        depth++;
    if (depth >= MADE_DEPTH)
        return;
    OWNED char *dir = xasprintf("%s/%s", u->to, path);
    fs_mkdirs(dir, NULL); /* if there is a file of that name, the file stays */
}

static int take_entry(struct unpacking *u, struct archive_entry *entry)
{
    const char *name = archive_entry_pathname(entry);
    OWNED char *path = name ? safe_path(name) : NULL;
    const bool directory = archive_entry_filetype(entry) == AE_IFDIR;
    const char *why = directory || (path && litter_is(path)) ? NULL
                      : !path ? "the name leads out of the archive, or is too long"
                              : unwanted(entry);
    int rc;
    if (why)
        remark(u->remarks, "%s: %s: left out: %s", u->shown, name ? name : "?", why);
    if (path && !why && !directory && !litter_is(path))
        rc = write_file(u, path);
    else
        rc = skip_contents(u, entry);
    if (path && (why || directory || litter_is(path)))
        make_directory(u, path, directory);
    return rc;
}

static int take_entries(struct unpacking *u)
{
    struct archive_entry *entry;
    int rc = 0, status;
    while (rc == 0 && (status = archive_read_next_header(u->a, &entry)) != ARCHIVE_EOF) {
        if (status < ARCHIVE_WARN)
            return err_input(u->e, "%s: cannot be unpacked: %s", u->shown,
                             archive_error_string(u->a));
        if (!u->left->files)
            return err_input(u->e, "%s: holds more files than are allowed for one archive",
                             u->shown);
        u->left->files--;
        rc = take_entry(u, entry);
    }
    return rc;
}

static struct archive *reader(void)
{
    struct archive *a = archive_read_new();
    if (!a)
        return NULL;
    archive_read_support_format_zip(a);
    archive_read_support_format_tar(a);
    archive_read_support_format_7zip(a);
    archive_read_support_format_rar(a);
    archive_read_support_format_rar5(a);
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_bzip2(a);
    archive_read_support_filter_xz(a);
    archive_read_support_filter_zstd(a);
    return a;
}

int unpack(const char *archive, const char *shown, const char *to, struct unpack_limits *left,
           struct remarks *r, struct err *e)
{
    /* libarchive converts names to the characters of the locale. */
    const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    const locale_t before = utf8 ? uselocale(utf8) : (locale_t)0;
    struct unpacking u = {reader(), shown, to, left, r, e};
    int rc = fs_mkdirs(to, e);
    if (rc == 0 && !u.a)
        rc = err_system(e, "libarchive cannot start");
    if (rc == 0 && archive_read_open_filename(u.a, archive, BLOCK) != ARCHIVE_OK)
        rc = err_input(e, "%s: cannot be unpacked: %s", shown, archive_error_string(u.a));
    if (rc == 0)
        rc = take_entries(&u);
    if (u.a)
        archive_read_free(u.a);
    if (utf8) {
        uselocale(before);
        freelocale(utf8);
    }
    return rc;
}

#else

int unpack(const char *archive, const char *shown, const char *to, struct unpack_limits *left,
           struct remarks *r, struct err *e)
{
    (void)archive, (void)to, (void)left, (void)r;
    return err_input(e,
                     "%s: is an archive, and this program was built without libarchive; install "
                     "libarchive-dev and run make again, or unpack it first",
                     shown);
}

#endif

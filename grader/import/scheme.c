#include "import/scheme.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "import/dated_names.h"
#include "model/source_name.h"

const char *const scheme_names[SCHEME_COUNT + 1] = {
    "canvas", "moodle", "gradescope", "github", "blackboard", "brightspace", "directories", NULL};

const char *const scheme_id_columns[SCHEME_COUNT] = {
    "canvas_id", "moodle_id", "gradescope_id", "github", "blackboard", "brightspace", "directory",
};

bool scheme_has_names(enum scheme s)
{
    return s != SCHEME_GITHUB && s != SCHEME_BLACKBOARD && s != SCHEME_DIRECTORIES;
}

/* --- pieces of names -------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char *piece(const char *s, size_t n)
{
    char *out = xcalloc(n + 1, 1);
    memcpy(out, s, n);
    return out;
}

/* "_12345": the length of the number, or 0. */
static size_t number_after(const char *s)
{
    size_t n = 0;
    if (*s != '_')
        return 0;
    while (is_digit(s[1 + n]))
        n++;
    return n;
}

/* A number that no file name can make overflow. */
static long long value(const char *digits)
{
    errno = 0;
    const long long v = strtoll(digits, NULL, 10);
    return errno ? INT64_MAX : v;
}

const char *scheme_after_directories(const char *path, unsigned depth)
{
    for (; depth && path; depth--) {
        path = strchr(path, '/');
        path += path != NULL;
    }
    return path && *path ? path : NULL;
}

/* --- Canvas ----------------------------------------------------------------------------------- */

/* Canvas puts -1, -2 behind the name of a file that was handed in before: "naive-2.c" is "naive.c".
 * Takes the path; only its first part is changed. */
static char *without_version(char *path)
{
    const size_t end = strcspn(path, "/");
    size_t dot = end;
    for (size_t i = end; i > 1; i--)
        if (path[i - 1] == '.') {
            dot = i - 1;
            break;
        }
    size_t dash = dot;
    while (dash && is_digit(path[dash - 1]))
        dash--;
    const bool versioned = dash > 1 && path[dash - 1] == '-' && dot - dash >= 1 &&
                           dot - dash <= 2 && path[dash] != '0';
    if (versioned)
        memmove(path + dash - 1, path + dot, strlen(path + dot) + 1);
    return path;
}

static bool is_canvas_page(const char *s)
{
    static const char *const pages[] = {"_text.html", "_link.html", "_online_text_entry.html",
                                        "_online_url.html"};
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++)
        if (strcmp(s, pages[i]) == 0)
            return true;
    return false;
}

/* The part behind the student's name: "_LATE_12345_678910_naive.c". */
static bool read_canvas_numbers(const char *s, struct handed_in *out)
{
    static const char late[] = "_LATE";
    out->late = strncmp(s, late, strlen(late)) == 0;
    s += out->late ? strlen(late) : 0;
    const size_t user = number_after(s);
    if (!user)
        return false;
    const char *id = s + 1, *rest = s + 1 + user;
    const size_t file = number_after(rest);
    if (!file && !is_canvas_page(rest))
        return false;
    if (file && (rest[1 + file] != '_' || !rest[2 + file] || rest[2 + file] == '/'))
        return false;
    out->student = piece(id, user);
    out->number = file ? value(rest + 1) : 0;
    out->file = file ? without_version(xstrdup(rest + 2 + file)) : xstrdup("");
    return true;
}

static bool read_canvas(const char *s, struct handed_in *out)
{
    const size_t end = strcspn(s, "/");
    for (size_t i = 1; i < end; i++)
        if (s[i] == '_' && read_canvas_numbers(s + i, out)) {
            out->name = piece(s, i);
            return true;
        }
    return false;
}

/* --- Moodle ----------------------------------------------------------------------------------- */

/* The kind of what was handed in follows: "file_/naive.c", "file_naive.c", "onlinetext_/a.html". */
static char *read_moodle_file(const char *kind)
{
    static const char file[] = "file";
    if (strncmp(kind, file, strlen(file)) != 0)
        return strncmp(kind, "onlinetext", strlen("onlinetext")) == 0 ? xstrdup("") : NULL;
    const char *rest = kind + strlen(file);
    if (*rest != '_' && *rest != '/')
        return NULL;
    rest += *rest == '_';
    rest += *rest == '/';
    return *rest ? xstrdup(rest) : NULL;
}

/* The first mark behind a name and a number; names of files may contain the same. *id: the number.
 */
static const char *moodle_mark(const char *s, const char *mark, const char **id)
{
    const char *end = s + strcspn(s, "/");
    for (const char *at = s; (at = strstr(at, mark)) && at < end; at++) {
        *id = at;
        while (*id > s && is_digit((*id)[-1]))
            (*id)--;
        if (*id < at && *id >= s + 2 && (*id)[-1] == '_')
            return at;
    }
    return NULL;
}

static bool read_moodle(const char *s, struct handed_in *out)
{
    static const char mark[] = "_assignsubmission_";
    const char *id, *at = moodle_mark(s, mark, &id);
    if (!at)
        return false;
    out->file = read_moodle_file(at + strlen(mark));
    if (!out->file)
        return false;
    out->student = piece(id, (size_t)(at - id));
    out->name = piece(s, (size_t)(id - 1 - s));
    if (strcmp(out->name, "Participant") == 0) { /* graded anonymously */
        free(out->name);
        out->name = xasprintf("Participant %s", out->student);
    }
    return true;
}

/* --- the others: a directory for each submission ---------------------------------------------- */

static bool read_directory(const char *s, const char *prefix, struct handed_in *out)
{
    const size_t end = strcspn(s, "/"), n = strlen(prefix);
    if (!s[end] || !s[end + 1] || end <= n || strncmp(s, prefix, n) != 0)
        return false;
    out->student = piece(s + n, end - n);
    out->name = xstrdup("");
    out->file = xstrdup(s + end + 1);
    return true;
}

static bool read_gradescope(const char *s, struct handed_in *out)
{
    if (!read_directory(s, "submission_", out))
        return false;
    if (out->student[strspn(out->student, "0123456789")])
        return false;
    out->number = value(out->student);
    return true;
}

static bool read_repository(const char *s, const char *prefix, struct handed_in *out)
{
    if (!read_directory(s, prefix, out))
        return false;
    if (strcmp(out->file, ".git") == 0) /* a student may have committed nothing else */
        out->file[0] = '\0';
    return true;
}

/* The length of the name of an archive without its suffix: of "anna.jones.tar.gz", of "anna.jones".
 */
static size_t archive_stem(const char *s)
{
    static const char tar[] = ".tar";
    const size_t stem = (size_t)(strrchr(s, '.') - s), n = strlen(tar);
    const bool compressed = strcmp(s + stem, ".gz") == 0 || strcmp(s + stem, ".bz2") == 0 ||
                            strcmp(s + stem, ".xz") == 0;
    return compressed && stem >= n && strncmp(s + stem - n, tar, n) == 0 ? stem - n : stem;
}

/* An archive in place of a directory: "anna.zip", "anna.tar.gz". */
static bool read_archive(const char *s, struct handed_in *out)
{
    if (strchr(s, '/') || !source_is_archive(s))
        return false;
    const size_t stem = archive_stem(s);
    if (!stem)
        return false;
    out->student = piece(s, stem);
    out->name = xstrdup("");
    out->file = xstrdup(s);
    return true;
}

static bool read_name(const struct naming *n, const char *s, struct handed_in *out)
{
    const char *prefix = n->prefix ? n->prefix : "";
    switch (n->scheme) {
    case SCHEME_CANVAS:
        return read_canvas(s, out);
    case SCHEME_MOODLE:
        return read_moodle(s, out);
    case SCHEME_GRADESCOPE:
        return read_gradescope(s, out);
    case SCHEME_GITHUB:
        return read_repository(s, prefix, out);
    case SCHEME_BLACKBOARD:
        return dated_read_blackboard(s, prefix, out);
    case SCHEME_BRIGHTSPACE:
        return dated_read_brightspace(s, out);
    default:
        return read_directory(s, "", out) || read_archive(s, out);
    }
}

/* A part that starts with '.' is hidden, or "..": "jonesanna_1_2_../x" is a name that a file can
 * have. */
static bool is_plain_path(const char *file)
{
    bool plain = *file != '.' && *file != '/';
    for (const char *p = file; (p = strchr(p, '/')); p++)
        plain = plain && p[1] != '.' && p[1] != '/' && p[1];
    return plain;
}

bool scheme_read(const struct naming *n, const char *path, struct handed_in *out)
{
    *out = (struct handed_in){0};
    const char *s = scheme_after_directories(path, n->depth);
    if (s && read_name(n, s, out) && is_plain_path(out->file))
        return true;
    handed_in_free(out);
    return false;
}

bool scheme_read_empty(const struct naming *n, const char *directory, struct handed_in *out)
{
    OWNED char *path = xasprintf("%s/file", directory); /* a name that every scheme takes */
    const bool follows = scheme_read(n, path, out);
    if (follows)
        out->file[0] = '\0';
    return follows;
}

void handed_in_free(struct handed_in *h)
{
    free(h->student);
    free(h->name);
    free(h->file);
    *h = (struct handed_in){0};
}

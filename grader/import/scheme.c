#include "import/scheme.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "import/dated_names.h"
#include "model/source_name.h"

enum { DEPTH_MOST = 4 };

const char *const scheme_names[SCHEME_COUNT + 1] = {
    "canvas", "moodle", "gradescope", "github", "blackboard", "brightspace", "directories", NULL};

const char *const scheme_id_columns[SCHEME_COUNT] = {
    "canvas_id", "moodle_id", "gradescope_id", "github", "blackboard", "brightspace", "directory",
};

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

/* What begins after so many directories; NULL if the path has fewer. */
static const char *after_directories(const char *path, unsigned depth)
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
    switch (n->scheme) {
    case SCHEME_CANVAS:
        return read_canvas(s, out);
    case SCHEME_MOODLE:
        return read_moodle(s, out);
    case SCHEME_GRADESCOPE:
        return read_gradescope(s, out);
    case SCHEME_GITHUB:
        return read_repository(s, n->prefix ? n->prefix : "", out);
    case SCHEME_BLACKBOARD:
        return dated_read_blackboard(s, out);
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
    const char *s = after_directories(path, n->depth);
    if (s && read_name(n, s, out) && is_plain_path(out->file))
        return true;
    handed_in_free(out);
    return false;
}

bool scheme_read_empty(const struct naming *n, const char *directory, struct handed_in *out)
{
    char *path = xasprintf("%s/file", directory); /* a name that every scheme takes */
    const bool follows = scheme_read(n, path, out);
    free(path);
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

/* --- recognising ------------------------------------------------------------------------------ */

/* How many of the paths follow the scheme? */
static size_t followers(const struct naming *n, char *const *paths, size_t count)
{
    size_t follow = 0;
    for (size_t i = 0; i < count; i++) {
        struct handed_in h;
        if (!scheme_read(n, paths[i], &h))
            continue;
        follow++;
        handed_in_free(&h);
    }
    return follow;
}

/* "class/gemm-anna/.git": the repository's name, or NULL. */
static char *repository(const char *path, unsigned depth)
{
    const char *s = after_directories(path, depth);
    const size_t n = s ? strcspn(s, "/") : 0;
    return s && strcmp(s + n, "/.git") == 0 ? piece(s, n) : NULL;
}

/* What the names of all repositories have in front, up to a '-'. The caller frees it. NULL: there
 * are fewer than two, or they share nothing. */
static char *shared_prefix(char *const *paths, size_t count, unsigned depth)
{
    char *first = NULL;
    size_t n = 0, repositories = 0;
    for (size_t i = 0; i < count; i++) {
        char *name = repository(paths[i], depth);
        if (!name)
            continue;
        if (!repositories++) {
            first = xstrdup(name);
            n = strlen(first);
        }
        size_t same = 0;
        while (same < n && name[same] == first[same])
            same++;
        n = same;
        free(name);
    }
    while (n && first[n - 1] != '-')
        n--;
    if (repositories < 2 || !n) {
        free(first);
        return NULL;
    }
    first[n] = '\0';
    return first;
}

static bool has_repository(char *const *paths, size_t count, unsigned depth)
{
    bool found = false;
    for (size_t i = 0; i < count && !found; i++) {
        char *name = repository(paths[i], depth);
        found = name != NULL;
        free(name);
    }
    return found;
}

/* One scheme at one depth: how many paths follow it. *n is filled. */
static size_t try_scheme(struct naming *n, char *const *paths, size_t count, const char *prefix)
{
    n->prefix = NULL;
    if (n->scheme == SCHEME_GITHUB) {
        if (!prefix && !has_repository(paths, count, n->depth))
            return 0;
        n->prefix = prefix ? xstrdup(prefix) : shared_prefix(paths, count, n->depth);
        if (!n->prefix)
            return 0;
    }
    return followers(n, paths, count);
}

static int not_recognised(char *const *paths, size_t count, enum scheme wanted, struct err *e)
{
    for (unsigned depth = 0; depth < DEPTH_MOST; depth++)
        if ((wanted == SCHEME_GITHUB || wanted == SCHEME_COUNT) &&
            has_repository(paths, count, depth))
            return err_input(
                e, "the names of the repositories have no common beginning that ends in '-'; "
                   "say it with --prefix, for example --prefix gemm-");
    if (!count)
        return err_input(e, "holds no files");
    if (wanted != SCHEME_COUNT)
        return err_input(e, "no name follows the scheme of %s; the first one is '%s'",
                         scheme_names[wanted], paths[0]);
    return err_input(
        e,
        "the names follow the scheme of no platform (Canvas, Moodle, Gradescope, GitHub "
        "Classroom, Blackboard, Brightspace); the first one is '%s'. If each directory is a "
        "student: --from "
        "directories",
        paths[0]);
}

int scheme_recognise(char *const *paths, size_t count, enum scheme wanted, const char *prefix,
                     struct naming *out, struct err *e)
{
    size_t most = 0;
    struct naming best = {0};
    *out = (struct naming){0};
    /* Every directory follows the last scheme, so it must be asked for. */
    const unsigned first = wanted == SCHEME_COUNT ? 0 : wanted;
    const unsigned end = wanted == SCHEME_COUNT ? SCHEME_DIRECTORIES : wanted + 1;
    for (unsigned s = first; s < end; s++)
        for (unsigned depth = 0; depth < (s == SCHEME_DIRECTORIES ? 1 : DEPTH_MOST); depth++) {
            struct naming n = {.scheme = (enum scheme)s, .depth = depth};
            const size_t follow = try_scheme(&n, paths, count, prefix);
            free(n.prefix);
            if (follow <= most)
                continue;
            best = (struct naming){.scheme = (enum scheme)s, .depth = depth};
            most = follow;
        }
    /* A single file with a name by chance makes no platform. */
    if (!most || (wanted == SCHEME_COUNT && 2 * most < count))
        return not_recognised(paths, count, wanted, e);
    try_scheme(&best, paths, count, prefix);
    *out = best;
    return 0;
}

void naming_free(struct naming *n)
{
    free(n->prefix);
    *n = (struct naming){0};
}

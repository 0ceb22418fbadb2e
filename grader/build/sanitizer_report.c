#include "build/sanitizer_report.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- places ----------------------------------------------------------------------------------- */

static bool plain(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_.-+/", c));
}

/* Copy "naive.c:4" of "DIR/naive.c:4:16" without the directory. Returns what follows the number of
 * the line; NULL when there is no such place. */
static const char *read_place(const char *from, char out[SANITIZER_PLACE])
{
    const char *name = from, *p = from;
    for (; plain(*p); p++)
        if (*p == '/')
            name = p + 1;
    const size_t n = (size_t)(p - name), digits = *p == ':' ? strspn(p + 1, "0123456789") : 0;
    if (!n || !digits || n + 1 + digits >= SANITIZER_PLACE)
        return NULL;
    snprintf(out, SANITIZER_PLACE, "%.*s", (int)(n + 1 + digits), name);
    return p + 1 + digits;
}

/* The first frame of a stack at `from` that is in the library: "#1 0x7f00 (/dir/kernel.so+0x1a6a)".
 * A stack ends at an empty line. */
static uint64_t first_frame(const char *from, const char *library)
{
    const size_t n = strlen(library);
    for (const char *line = from; *line;) {
        const char *end = line + strcspn(line, "\n");
        const char *in = memmem(line, (size_t)(end - line), library, n);
        if (in && in > line && in[-1] == '(' && strncmp(in + n, "+0x", 3) == 0)
            return strtoull(in + n + 1, NULL, 16);
        if (end == line)
            break;
        line = *end ? end + 1 : end;
    }
    return UINT64_MAX;
}

/* --- AddressSanitizer ------------------------------------------------------------------------- */

/* The kinds that are mistakes in any program. Others may be a want of memory or of a stack, or
 * rules that a program need not keep. */
static const struct kind {
    const char *name, *what; /* %s: reads, writes, or uses */
    bool beside;             /* the driver marks what lies beside matrices */
} kinds[] = {
    {"heap-buffer-overflow", "%s outside of a block from malloc", false},
    {"global-buffer-overflow", "%s outside of a static or global array", false},
    {"stack-buffer-overflow", "%s outside of a local array", false},
    {"stack-buffer-underflow", "%s outside of a local array", false},
    {"dynamic-stack-buffer-overflow", "%s outside of an array of variable length", false},
    {"heap-use-after-free", "%s memory after free", false},
    {"stack-use-after-scope", "%s a local variable outside of its block", false},
    {"attempting double-free", "frees memory twice", false},
    {"attempting free on address", "frees memory that is not from malloc", false},
    {"use-after-poison", "", true},
};

static const struct kind *find_kind(const char *text)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strncmp(text, kinds[i].name, strlen(kinds[i].name)) == 0)
            return &kinds[i];
    return NULL;
}

/* The text between two quotes behind a mark, if it is a name. */
static bool read_name(const char *text, const char *mark, char out[SANITIZER_WORD])
{
    const char *p = strstr(text, mark);
    out[0] = '\0';
    if (!p)
        return false;
    p += strlen(mark);
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_' || p[n] == ':')
        n++;
    if (!n || n >= SANITIZER_WORD || p[n] != '\'')
        return false;
    snprintf(out, SANITIZER_WORD, "%.*s", (int)n, p);
    return true;
}

static void add(char *text, size_t cap, const char *more)
{
    const size_t n = strlen(text);
    snprintf(text + n, cap - n, "%s", more);
}

/* " (512 bytes)" */
static void add_bytes(struct memory_error *m, const char *digits)
{
    char text[40];
    const unsigned long long bytes = digits ? strtoull(digits, NULL, 10) : 0;
    if (!bytes)
        return;
    snprintf(text, sizeof text, " (%llu %s)", bytes, bytes == 1 ? "byte" : "bytes");
    add(m->what, sizeof m->what, text);
}

/* Which variable or block it was. */
static void add_object(const char *report, const char *library, struct memory_error *m)
{
    char name[SANITIZER_WORD];
    const char *local = strstr(report, " <== Memory access at offset "),
               *block = strstr(report, "-byte region [");
    if (read_name(report, "of global variable '", name) ||
        read_name(report, "inside of global variable '", name)) {
        const char *where = strstr(report, "' defined in '"), *size = strstr(report, ") of size ");
        add(m->what, sizeof m->what, ", ");
        add(m->what, sizeof m->what, name);
        add_bytes(m, size ? size + strlen(") of size ") : NULL);
        if (where)
            read_place(where + strlen("' defined in '"), m->declared);
    } else if (local) {
        while (local > report && local[-1] != '\n')
            local--;
        if (read_name(local, ") '", name)) {
            add(m->what, sizeof m->what, ", ");
            add(m->what, sizeof m->what, name);
        }
    } else if (block) {
        const char *allocated = strstr(report, "allocated by thread");
        while (block > report && isdigit((unsigned char)block[-1]))
            block--;
        add_bytes(m, block);
        m->allocated = allocated ? first_frame(allocated, library) : UINT64_MAX;
    }
}

bool sanitizer_memory_error(const char *output, const char *library, struct memory_error *m)
{
    static const char mark[] = "==ERROR: AddressSanitizer: ";
    const char *report = strstr(output, mark);
    const struct kind *k = report ? find_kind(report + strlen(mark)) : NULL;
    *m = (struct memory_error){.place = UINT64_MAX, .allocated = UINT64_MAX};
    if (!k)
        return false;
    const char *write = strstr(report, "\nWRITE of size "),
               *read = strstr(report, "\nREAD of size ");
    const char *stack = write ? write + 1 : read ? read + 1 : report;
    const bool uses = strstr(k->what, "%s memory") || strstr(k->what, "%s a local variable");
    char *const out = m->what;
    const char *verb = write ? (uses ? "writes to" : "writes") : read ? "reads" : "uses";
    const char *hole = strstr(k->what, "%s");
    snprintf(out, sizeof m->what, "%s%s", hole ? verb : "", hole ? hole + 2 : k->what);
    m->place = first_frame(stack, library);
    if (k->beside) {
        m->harmless = !write;
        snprintf(out, sizeof m->what, "%s beside %s", verb,
                 write ? "the output matrix" : "a matrix");
    } else {
        add_object(report, library, m);
    }
    return true;
}

/* --- UndefinedBehaviorSanitizer --------------------------------------------------------------- */

enum { DIGITS_MOST = 20 }; /* of a number with 64 bits and its sign */

/* The length of a type that a quote ends: "int32_t [128]", or the name of one. 0: a program has
 * printed something else, which nobody is to read as the grader's words. */
static size_t type_length(const char *type)
{
    const size_t n = strcspn(type, "'\n");
    size_t plain = 0;
    while (plain < n &&
           (isalnum((unsigned char)type[plain]) || strchr("_ *[]()<>,:&", type[plain])))
        plain++;
    const bool array = n > 0 && type[n - 1] == ']', word = !memchr(type, ' ', n);
    return type[n] == '\'' && plain == n && n < SANITIZER_WORD && (array || word) ? n : 0;
}

/* The same of an integer's type, which may have several words: "long long int". */
static size_t integer_length(const char *type)
{
    const char *last = type;
    while (strncmp(last, "long ", strlen("long ")) == 0)
        last += strlen("long ");
    const size_t n = type_length(last);
    return n ? (size_t)(last - type) + n : 0;
}

/* The next report of UndefinedBehaviorSanitizer with these words from *at on: its place, and what
 * follows the words. NULL: there is none. */
static const char *next_report(const char **at, const char *mark, char place[SANITIZER_PLACE])
{
    for (const char *p; (p = strstr(*at, mark)); *at = p + strlen(mark)) {
        const char *line = p;
        while (line > *at && line[-1] != '\n')
            line--;
        if (!read_place(line, place))
            continue;
        *at = p + strlen(mark);
        return *at;
    }
    return NULL;
}

bool sanitizer_index_error(const char **at, struct index_error *x)
{
    static const char middle[] = " out of bounds for type '";
    for (const char *index; (index = next_report(at, ": runtime error: index ", x->place));) {
        const size_t digits = strspn(index, "-0123456789");
        const char *type = index + digits;
        if (!digits || strncmp(type, middle, strlen(middle)) != 0)
            continue;
        type += strlen(middle);
        const size_t n = type_length(type);
        if (!n || digits > DIGITS_MOST)
            continue;
        snprintf(x->what, sizeof x->what, "index %.*s is outside of %.*s", (int)digits, index,
                 (int)n, type);
        return true;
    }
    return false;
}

bool sanitizer_overflow(const char **at, struct index_error *x)
{
    static const char middle[] = " cannot be represented in type '";
    const char *sum;
    while ((sum = next_report(at, ": runtime error: signed integer overflow: ", x->place))) {
        const size_t length = strspn(sum, "-0123456789 +*");
        const char *type = sum + length - (length > 0); /* its first blank is among these */
        if (length < 2 || length > 3 * (size_t)DIGITS_MOST ||
            strncmp(type, middle, strlen(middle)) != 0)
            continue;
        type += strlen(middle);
        const size_t n = integer_length(type);
        if (!n)
            continue;
        snprintf(x->what, sizeof x->what, "%.*s is too large for %.*s", (int)length - 1, sum,
                 (int)n, type);
        return true;
    }
    return false;
}

/* --- compute-sanitizer ------------------------------------------------------------------------ */

/* A line of a report begins with this. */
static const char gutter[] = "========= ";

enum { LINE_MOST = 2048 };

/* The next line of the report, without the gutter and the end; *at moves behind it. False at the
 * end. A line that nobody ended was cut off; one that is too long has no place. */
static bool next_line(const char **at, char out[LINE_MOST])
{
    for (const char *end; (end = strchr(*at, '\n')); *at = end + 1) {
        if (strncmp(*at, gutter, sizeof gutter - 1) != 0)
            continue;
        const char *from = *at + sizeof gutter - 1;
        const ptrdiff_t n = end - from;
        snprintf(out, LINE_MOST, "%.*s", n < LINE_MOST ? (int)n : 0, from);
        *at = end + 1;
        return true;
    }
    return false;
}

/* "... at F(int *)+0xa0 in kernel.cu:7 [256 hazards]" */
static bool read_device_place(const char *line, char out[SANITIZER_PLACE])
{
    const char *at = NULL;
    for (const char *p = line; (p = strstr(p, " in ")); p++)
        at = p + 4;
    const char *end = at ? read_place(at, out) : NULL;
    return end && (!*end || *end == ' ' || *end == '\r');
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* "Invalid __global__ write of size 4 bytes" */
static bool is_invalid_access(const char *line, char *what)
{
    static const char *const spaces[][2] = {
        {"__global__ ", "outside of the memory that was allocated on the GPU"},
        {"__shared__ ", "outside of __shared__ memory"},
        {"__local__ ", "outside of a local array"},
    };
    if (!begins(line, "Invalid "))
        return false;
    line += strlen("Invalid ");
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        const size_t n = strlen(spaces[i][0]);
        if (!begins(line, spaces[i][0]))
            continue;
        const bool read = begins(line + n, "read of ");
        if (!read && !begins(line + n, "write of ") && !begins(line + n, "atomic of "))
            return false;
        snprintf(what, SANITIZER_TEXT, "%s %s", read ? "reads" : "writes", spaces[i][1]);
        return true;
    }
    return false;
}

/* What a line that begins an entry says; "" for other lines. */
static void read_entry(const char *line, char *what)
{
    what[0] = '\0';
    if (is_invalid_access(line, what))
        return;
    if (begins(line, "Barrier error detected. Divergent thread"))
        snprintf(what, SANITIZER_TEXT, "a barrier that not all threads of a block reach");
    else if (begins(line, "Uninitialized __global__ memory read"))
        snprintf(what, SANITIZER_TEXT, "reads memory of the GPU that was never set");
}

/* What follows such an entry: "    by thread ...", "    Access to 0x7f is misaligned". */
static bool is_misaligned(const char *at)
{
    char line[LINE_MOST];
    for (int i = 0; i < 2 && next_line(&at, line) && begins(line, "    "); i++)
        if (begins(line, "    Access to ") && strstr(line, " is misaligned"))
            return true;
    return false;
}

/* An access, a barrier: its place is in the next line. */
static bool read_plain(const char *line, const char *behind, struct device_error *x)
{
    char next[LINE_MOST];
    read_entry(line, x->what);
    if (!x->what[0] || !next_line(&behind, next) || !begins(next, "    at ") ||
        !read_device_place(next, x->place))
        return false;
    if (begins(line, "Invalid ") && is_misaligned(behind))
        snprintf(x->what, sizeof x->what, "%s at an address that is not a multiple of the size",
                 begins(x->what, "reads") ? "reads" : "writes");
    return true;
}

/* The two lines of a race: "Error: Race reported between Write access at ..." and "    and Read
 * access at ...". */
static bool read_race(const char *line, const char *behind, struct device_error *x)
{
    static const char mark[] = "Error: Race reported between ", read[] = "Read access at ",
                      second[] = "    and ";
    char next[LINE_MOST], other[SANITIZER_PLACE];
    if (!begins(line, mark) || !read_device_place(line, x->place) || !next_line(&behind, next) ||
        !begins(next, second) || !read_device_place(next, other))
        return false;
    const char *own = begins(line + strlen(mark), read) ? "read" : "write";
    const char *others = begins(next + strlen(second), read) ? "read" : "write";
    const bool elsewhere = strcmp(other, x->place) != 0;
    snprintf(x->what, sizeof x->what,
             "threads of a block %s __shared__ memory that others %s%s%s, without "
             "__syncthreads() between",
             own, others, elsewhere ? " at " : "", elsewhere ? other : "");
    return true;
}

bool sanitizer_device_error(const char **at, struct device_error *x)
{
    char line[LINE_MOST];
    while (next_line(at, line)) {
        *x = (struct device_error){.place = ""};
        if (read_race(line, *at, x) || read_plain(line, *at, x))
            return true;
    }
    return false;
}

#include "build/compiler_log.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/source_name.h"

/* Each line in turn; the caller frees it. NULL at the end. */
static char *next_line(const char **at)
{
    if (!**at)
        return NULL;
    const size_t n = strcspn(*at, "\n");
    char *line = xasprintf("%.*s", (int)n, *at);
    *at += n + ((*at)[n] == '\n');
    return line;
}

/* Where a warning or a remark begins in a line; NULL: it is none. */
static const char *find_remark(const char *line)
{
    const char *warning = strstr(line, ": warning"), *note = strstr(line, ": note");
    return !warning || (note && note < warning) ? note : warning;
}

/* Has the line the word, and not as part of a warning or a remark? */
static bool has_error(const char *line, const char *word)
{
    const char *at = strstr(line, word), *remark = find_remark(line);
    return at && (!remark || at < remark);
}

/* word NULL: any line but warnings, remarks and the lines of the source below them. */
static char *first_line_with(const char *log, const char *word)
{
    char *line;
    while ((line = next_line(&log))) {
        if (word ? has_error(line, word) : *line && *line != ' ' && !find_remark(line))
            return line;
        free(line);
    }
    return NULL;
}

/* The line before one that contains a word; NULL if there is none. */
static char *line_before(const char *log, const char *word)
{
    char *before = NULL, *line;
    while ((line = next_line(&log)) && !strstr(line, word)) {
        free(before);
        before = line;
    }
    if (!line) {
        free(before);
        before = NULL;
    }
    free(line);
    return before;
}

/* Does it begin with a file and the number of a line, as file:12: or file(12)? */
static bool has_place(const char *line)
{
    for (const char *p = line; *p && *p != ' '; p++)
        if ((*p == ':' || *p == '(') && isdigit((unsigned char)p[1]))
            return true;
    return false;
}

/* gfortran writes "naive.f90:3:5:" some lines above "Error: ...". Takes ownership of `error`. */
static char *with_place(const char *log, char *error)
{
    char *place = NULL, *line;
    while ((line = next_line(&log)) && strcmp(line, error) != 0) {
        const bool is = has_place(line) && line[strlen(line) - 1] == ':';
        free(is ? place : line);
        place = is ? line : place;
    }
    free(line);
    if (!place)
        return error;
    char *whole = xasprintf("%s %s", place, error);
    free(place);
    free(error);
    return whole;
}

char *compiler_log_reason(const char *log)
{
    static const char *const marks[] = {"undefined reference", "error:", "Error:", "error", NULL};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        char *line = first_line_with(log, marks[i]);
        /* gcc adds this line to the linker's own message, which comes before it. */
        if (line && strstr(line, "collect2: error: ld returned")) {
            char *before = line_before(log, "collect2: error: ld returned");
            if (before) {
                free(line);
                return before;
            }
        }
        if (line)
            return *line == 'E' ? with_place(log, line) : line;
    }
    return xstrdup("the compiler failed without a message");
}

/* The options of gcc and clang whose warnings are about what makes results wrong. */
static bool makes_wrong_results(const char *warning)
{
    static const char *const options[] = {
        "uninitialized", "sometimes-uninitialized", "unknown-pragmas", "source-uses-openmp",
        "array-bounds",  "stringop-overflow",       "return-type",     "implicit-function",
        "overflow",      "aggressive-loop",         "shift-count",     "maybe-uninitialized"};
    const char *option = strrchr(warning, '[');
    for (size_t i = 0; option && i < sizeof options / sizeof options[0]; i++)
        if (strncmp(option, "[-W", 3) == 0 &&
            strncmp(option + 3, options[i], strlen(options[i])) == 0)
            return true;
    return false;
}

/* "DIR/naive.c:12:9: warning: TEXT [-Woption]" as "naive.c:12: TEXT"; NULL: the line is none. */
static char *read_warning(const char *line)
{
    static const char mark[] = ": warning: ";
    const char *text = strstr(line, mark), *name = line;
    if (!text || !has_place(line) || *line == ' ')
        return NULL;
    for (const char *p = line; p < text; p++)
        if (*p == '/')
            name = p + 1;
    const char *colon = strchr(name, ':'), *option = strrchr(line, '[');
    if (!colon || colon >= text || colon + strspn(colon, ":0123456789") < text)
        return NULL;
    const int place = (int)(colon - name + 1) + (int)strspn(colon + 1, "0123456789");
    text += strlen(mark);
    const size_t n =
        option > text && option[-1] == ' ' ? (size_t)(option - 1 - text) : strlen(text);
    return xasprintf("%.*s: %.*s", place, name, (int)n, text);
}

/* The length of "sort.cpp:12" at the start of a warning of a function of C++ without return; or 0.
 */
static size_t no_return(const char *line, const char *warning)
{
    const size_t name = strcspn(warning, ":");
    OWNED char *file = xasprintf("%.*s", (int)name, warning);
    const bool is = strstr(line, "[-Wreturn-type]") && source_is_cxx(file);
    return is ? name + 1 + strspn(warning + name + 1, "0123456789") : 0;
}

char *compiler_log_missing_returns(const char *log)
{
    enum { PLACES_MOST = 6 };
    struct strbuf sb = STRBUF_INIT;
    char *line;
    for (int places = 0; places <= PLACES_MOST && (line = next_line(&log)); free(line)) {
        OWNED char *warning = read_warning(line);
        const size_t n = warning ? no_return(line, warning) : 0;
        if (n && places++ < PLACES_MOST)
            strbuf_addf(&sb, "%s%.*s", *sb.s ? ", " : "", (int)n, warning);
        else if (n)
            strbuf_adds(&sb, " ...");
    }
    if (!*sb.s)
        return NULL;
    strbuf_adds(&sb, ": no return in a function with a type: in C++, the program then runs on into "
                     "the code behind the function. Add a return, or make it void");
    return strbuf_detach(&sb);
}

char *compiler_log_warning(const char **at, bool wrong_results)
{
    char *line;
    while ((line = next_line(at))) {
        char *warning = makes_wrong_results(line) == wrong_results ? read_warning(line) : NULL;
        if (warning && no_return(line, warning)) {
            free(warning);
            warning = NULL;
        }
        free(line);
        if (warning)
            return warning;
    }
    return NULL;
}

/* sig: of the signal; name: as strsignal() has it. */
static bool reports_signal(const char *line, int sig, const char *name)
{
    char *const reports[] = {
        xasprintf(": fatal error: %s signal terminated program", name),
        xasprintf(" terminated with signal %d", sig),
        xasprintf(" died due to signal %d", sig),
    };
    bool reported = false;
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        reported = reported || (*line != ' ' && !has_place(line) && strstr(line, reports[i]));
        free(reports[i]);
    }
    return reported;
}

bool compiler_log_ended_by(const char *log, int sig)
{
    bool ended = false, wrong = false;
    char *line;
    while ((line = next_line(&log))) {
        ended = ended || reports_signal(line, sig, strsignal(sig));
        wrong = wrong || strstr(line, "ld returned") ||
                (has_place(line) && (has_error(line, "error:") || has_error(line, "Error:") ||
                                     has_error(line, "undefined reference")));
        free(line);
    }
    return ended && !wrong;
}

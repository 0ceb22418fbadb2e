#include "supervise/last_words.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void one_line(const char *text, char *out, size_t cap)
{
    size_t used = 0;
    out[0] = '\0';
    while (*text) {
        text += strspn(text, " \t\r\n");
        const size_t n = strcspn(text, " \t\r\n");
        if (n && strspn(text, "-") < n) {
            if (used + n + 6 > cap) { /* room for the dots */
                snprintf(out + used, cap - used, " ...");
                return;
            }
            used +=
                (size_t)snprintf(out + used, cap - used, "%s%.*s", used ? " " : "", (int)n, text);
        }
        text += n;
    }
}

/* The rest of the line after the last place of a mark, on one line. */
static void rest_of_line(const char *at, char *out, size_t cap)
{
    char line[300];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    one_line(line, out, cap);
}

/* What Open MPI prints when a call fails: the call on one line, the error on a later one. */
static bool mpi_error(const char *output, char *out, size_t cap)
{
    static const char in[] = "*** An error occurred in ", error[] = "*** MPI_ERR_";
    const char *call = strstr(output, in), *why = strstr(call ? call : output, error);
    char name[80] = "", text[200];
    if (!why)
        return false;
    if (call)
        rest_of_line(call + strlen(in), name, sizeof name);
    rest_of_line(why + strlen("*** "), text, sizeof text);
    snprintf(out, cap, "%s%s%s", name, *name ? ": " : "", text);
    return true;
}

/* The name of a type behind the quote, or none: other ranks write to the same file, and lines of
 * theirs may come in between. */
static const char *type_name(const char *text, int *length)
{
    static const char more[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "0123456789_:<>,*&() ";
    const char *end = strchr(text, '\'');
    const char *name = end;
    if (!end)
        return NULL;
    while (name > text && name[-1] != '\n')
        name--;
    *length = (int)(end - name);
    for (int i = 0; i + 1 < *length; i++)
        if (name[i] == ':' && name[i + 1] == ' ')
            return NULL;
    return *length > 0 && strspn(name, more) == (size_t)*length ? name : NULL;
}

void last_words(const char *output, char *out, size_t cap)
{
    static const char thrown[] = "terminate called after throwing an instance of '",
                      what[] = "  what():  ";
    static const char stack[] = "*** stack smashing detected ***";
    static const char *const heap[] = {
        "double free or corruption",
        "free(): invalid",
        "free(): double free",
        "malloc(): ",
        "realloc(): ",
        "munmap_chunk(): ",
        "corrupted ",
    };
    out[0] = '\0';
    const char *exception = strstr(output, thrown);
    if (exception) {
        exception += strlen(thrown);
        const char *said = strstr(exception, what);
        char why[200] = "";
        if (said)
            rest_of_line(said + strlen(what), why, sizeof why);
        int length = 0;
        const char *type = type_name(exception, &length);
        snprintf(out, cap, "%s%.*s was not caught%s%s", type ? "the exception " : "an exception",
                 length, type ? type : "", *why ? ": " : "", why);
        return;
    }
    const char *assertion = strstr(output, ": Assertion `");
    if (assertion && strstr(assertion, "' failed")) {
        rest_of_line(assertion + 2, out, cap);
        return;
    }
    if (mpi_error(output, out, cap))
        return;
    const char *smashed = strstr(output, stack);
    if (smashed) {
        rest_of_line(smashed, out, cap);
        return;
    }
    for (size_t i = 0; i < sizeof heap / sizeof heap[0]; i++) {
        char said[100];
        const char *at = strstr(output, heap[i]);
        if (!at)
            continue;
        rest_of_line(at, said, sizeof said);
        snprintf(out, cap, "%s (%s)", said, LAST_WORDS_HEAP);
        return;
    }
}

#include "slurm/notes.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

void notes_once(struct notes *n, const char *text)
{
    for (unsigned i = 0; i < n->count; i++)
        if (strcmp(n->text[i], text) == 0)
            return;
    if (n->count < NOTES_MOST)
        n->text[n->count++] = xstrdup(text);
    progress_note(&n->progress, "%s", text);
}

void notes_free(struct notes *n)
{
    for (unsigned i = 0; i < n->count; i++)
        free(n->text[i]);
    n->count = 0;
}

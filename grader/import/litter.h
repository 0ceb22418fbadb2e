/* litter.h - files that operating systems and tools leave in archives and that nobody handed in. */
#ifndef IMPORT_LITTER_H
#define IMPORT_LITTER_H

#include <stdbool.h>

/* Is any part of the relative path such a name: "__MACOSX/._a.c", "work/Thumbs.db"? */
bool litter_is(const char *path);

#endif

#include "kernel/labels.h"

#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/strbuf.h"
#include "kernel/element.h"

/* The place of a label in the table: where it is, or the free one where it belongs. A student
 * chooses the labels, and with a known hash could choose them so that all belong in one place. */
static size_t place(const int64_t *first, size_t places, const unsigned char *labels, size_t bytes,
                    const unsigned char *label)
{
    size_t at = (size_t)hash_secret(label, bytes) % places;
    while (first[at] >= 0 && memcmp(labels + (size_t)first[at] * bytes, label, bytes) != 0)
        at = (at + 1) % places;
    return at;
}

void labels_name(enum element_type t, void *labels, size_t n)
{
    const size_t bytes = type_bytes(t), places = 2 * n + 1;
    OWNED unsigned char *old = xcalloc(n + 1, bytes);
    OWNED int64_t *first = xcalloc(places, sizeof *first); /* index of an element, or -1 */
    memcpy(old, labels, n * bytes);
    memset(first, 0xff, places * sizeof *first);
    for (size_t i = 0; i < n; i++) {
        int64_t *f = &first[place(first, places, old, bytes, old + i * bytes)];
        if (*f < 0)
            *f = (int64_t)i;
        element_set_whole(t, labels, i, *f);
    }
}

#include "model/similar_passages.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/strbuf.h"

static int by_hash(const void *a, const void *b)
{
    const struct passage *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* A source, by its words. */
struct words_of {
    uint64_t exact;
    unsigned source;
};

static int by_words(const void *a, const void *b)
{
    const struct words_of *x = a, *y = b;
    if (x->exact != y->exact)
        return x->exact < y->exact ? -1 : 1;
    return x->source < y->source ? -1 : x->source > y->source;
}

/* Find sources with the same words. Only the first of them is compared with others. */
static void find_copies(struct similarity *s)
{
    OWNED struct words_of *all = xcalloc(s->count + 1, sizeof *all);
    size_t n = 0;
    for (unsigned i = 0; i < s->count; i++) {
        struct source *x = &s->source[i];
        uint64_t hash = 0;
        for (size_t k = 0; k < x->words.count; k++) {
            const uint64_t both[] = {hash, x->words.item[k].exact};
            hash = hash_64(both, sizeof both);
        }
        x->first = i;
        if (!x->given)
            all[n++] = (struct words_of){hash, i};
    }
    qsort(all, n, sizeof *all, by_words);
    for (size_t i = 1; i < n; i++)
        if (all[i].exact == all[i - 1].exact)
            s->source[all[i].source].first = s->source[all[i - 1].source].first;
}

/* Which of 2^bits parts a hash belongs to; the parts are in the order of the hashes. */
static size_t part_of(uint64_t hash, unsigned bits)
{
    return (size_t)(hash >> (64 - bits));
}

/* Sort them by hash. They are divided into parts of a few first: that takes the same time for each
 * passage, however many there are. Frees p; the caller frees what is returned. */
static struct passage *sorted(struct passage *p, size_t n)
{
    unsigned bits = 1;
    while (bits < 31 && (size_t)1 << bits < n)
        bits++;
    const size_t parts = (size_t)1 << bits;
    OWNED size_t *end = xcalloc(parts + 1, sizeof *end);
    struct passage *out = xcalloc(n + 1, sizeof *out);
    for (size_t i = 0; i < n; i++)
        end[part_of(p[i].hash, bits) + 1]++;
    for (size_t i = 1; i <= parts; i++)
        end[i] += end[i - 1];
    for (size_t i = 0; i < n; i++)
        out[end[part_of(p[i].hash, bits)]++] = p[i];
    free(p);
    for (size_t i = 0, from = 0; i < parts; from = end[i++])
        if (end[i] > from + 1)
            qsort(out + from, end[i] - from, sizeof *out, by_hash);
    return out;
}

static size_t all_passages(const struct similarity *s, struct passage **out)
{
    size_t most = 0, n = 0;
    for (unsigned i = 0; i < s->count; i++)
        most += s->source[i].words.count;
    struct passage *p = xcalloc(most + 1, sizeof *p);
    for (unsigned i = 0; i < s->count; i++) {
        const struct source *x = &s->source[i];
        for (size_t at = 0; x->first == i && at + SIMILAR_PASSAGE <= x->words.count; at++) {
            uint64_t form[SIMILAR_PASSAGE];
            bool whole = true;
            for (size_t k = 0; k < SIMILAR_PASSAGE; k++) {
                form[k] = x->words.item[at + k].form;
                whole = whole && form[k] != WORD_BREAK;
            }
            if (whole)
                p[n++] = (struct passage){hash_64(form, sizeof form), i, (uint32_t)at};
        }
    }
    *out = sorted(p, n);
    return n;
}

size_t passages_same(const struct passage *p, size_t n, size_t i)
{
    size_t end = i + 1;
    while (end < n && p[end].hash == p[i].hash)
        end++;
    return end;
}

size_t passages_same_source(const struct passage *p, size_t end, size_t i)
{
    size_t next = i + 1;
    while (next < end && p[next].source == p[i].source)
        next++;
    return next;
}

/* Did the students get this passage, or do too many have it? */
static bool is_common(const struct similarity *s, const struct passage *p, size_t i, size_t end)
{
    unsigned sources = 0;
    for (; i < end; i = passages_same_source(p, end, i)) {
        if (s->source[p[i].source].given)
            return true;
        sources++;
    }
    return sources > SIMILAR_COMMON;
}

size_t passages_own_tokens(const struct source *x, size_t from, size_t end)
{
    size_t own = 0;
    for (size_t i = from; i < end; i++)
        own += x->counts[i];
    return own;
}

/* Find the tokens of each source that are its own, and drop the passages that everybody has. */
static size_t drop_common(const struct similarity *s, struct passage *p, size_t n)
{
    size_t kept = 0;
    for (unsigned i = 0; i < s->count; i++) {
        struct source *x = &s->source[i];
        free(x->counts);
        x->counts = xcalloc(x->words.count + 1, sizeof *x->counts);
        for (size_t k = 0; k < x->words.count; k++)
            x->counts[k] = x->words.item[k].form != WORD_BREAK;
    }
    for (size_t i = 0, end; i < n; i = end) {
        end = passages_same(p, n, i);
        const bool common = is_common(s, p, i, end);
        for (size_t k = i; k < end; k++) {
            if (common)
                memset(s->source[p[k].source].counts + p[k].at, 0, SIMILAR_PASSAGE);
            else
                p[kept++] = p[k];
        }
    }
    for (unsigned i = 0; i < s->count; i++)
        s->source[i].own = passages_own_tokens(&s->source[i], 0, s->source[i].words.count);
    return kept;
}

size_t similar_passages(struct similarity *s, struct passage **out)
{
    find_copies(s);
    const size_t all = all_passages(s, out);
    return drop_common(s, *out, all);
}

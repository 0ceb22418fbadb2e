#include "model/similarity.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/similar_passages.h"

struct hit {
    uint32_t source[2], at[2];
};

struct similarity *similarity_new(void)
{
    return xcalloc(1, sizeof(struct similarity));
}

void similarity_free(struct similarity *s)
{
    for (unsigned i = 0; s && i < s->count; i++) {
        source_words_free(&s->source[i].words);
        free(s->source[i].counts);
    }
    if (s)
        free(s->source);
    free(s);
}

const char *similarity_kind_name(enum similarity_kind k)
{
    static const char *const name[] = {"identical", "renamed", "parts"};
    return name[k];
}

unsigned similarity_source(struct similarity *s)
{
    s->source = list_one_more(s->source, s->count, sizeof *s->source);
    s->source[s->count] = (struct source){0};
    return s->count++;
}

void similarity_add(struct similarity *s, unsigned file, const char *text, size_t len)
{
    source_words_add(&s->source[s->count - 1].words, file, text, len);
}

void similarity_given(struct similarity *s, const char *text, size_t len)
{
    const unsigned added = similarity_source(s);
    struct source *given = &s->source[added];
    given->given = true;
    source_words_add(&given->words, 0, text, len);
}

/* --- pairs ------------------------------------------------------------------------------------ */

/* Hits of the same pair, then those of one place, follow each other. */
static int by_place(const void *a, const void *b)
{
    const struct hit *x = a, *y = b;
    for (int i = 0; i < 2; i++)
        if (x->source[i] != y->source[i])
            return x->source[i] < y->source[i] ? -1 : 1;
    const int64_t dx = (int64_t)x->at[1] - x->at[0], dy = (int64_t)y->at[1] - y->at[0];
    if (dx != dy)
        return dx < dy ? -1 : 1;
    return x->at[0] < y->at[0] ? -1 : x->at[0] > y->at[0];
}

struct hits {
    struct hit *item;
    size_t count, room;
};

static void add_hit(struct hits *h, struct passage a, struct passage b)
{
    if (h->count == h->room) {
        h->room = 2 * h->room + 1024;
        h->item = xrealloc_array(h->item, h->room, sizeof *h->item);
    }
    h->item[h->count++] = (struct hit){{a.source, b.source}, {a.at, b.at}};
}

/* The n-th time that one source has a passage is matched with the n-th time in the other one. */
static struct hits all_hits(const struct passage *p, size_t n)
{
    struct hits h = {0};
    for (size_t i = 0, end; i < n; i = end) {
        end = passages_same(p, n, i);
        for (size_t a = i, a_end; a < end; a = a_end) {
            a_end = passages_same_source(p, end, a);
            for (size_t b = a_end, b_end; b < end; b = b_end) {
                b_end = passages_same_source(p, end, b);
                for (size_t k = 0; a + k < a_end && b + k < b_end; k++)
                    add_hit(&h, p[a + k], p[b + k]);
            }
        }
    }
    if (h.count)
        qsort(h.item, h.count, sizeof *h.item, by_place);
    return h;
}

static int by_length(const void *a, const void *b)
{
    const struct similar_place *x = a, *y = b;
    if (x->tokens != y->tokens)
        return x->tokens > y->tokens ? -1 : 1;
    return x->in[0].first < y->in[0].first ? -1 : x->in[0].first > y->in[0].first;
}

static bool follows(const struct hit *before, const struct hit *h)
{
    return h->at[0] <= before->at[0] + SIMILAR_PASSAGE &&
           (int64_t)h->at[1] - h->at[0] == (int64_t)before->at[1] - before->at[0];
}

/* Mark the tokens of n hits of one pair, and collect its places. */
static void find_places(const struct similarity *s, const struct hit *h, size_t n, bool *marks[2],
                        struct similar_pair *p)
{
    p->place = xcalloc(n, sizeof *p->place);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && follows(&h[end - 1], &h[end]); end++)
            ;
        struct similar_place *x = &p->place[p->places];
        const size_t length = h[end - 1].at[0] + SIMILAR_PASSAGE - h[i].at[0];
        bool fresh = false; /* it says something that no place before it says */
        for (size_t k = 0; k < length; k++)
            fresh = fresh || !marks[0][h[i].at[0] + k];
        for (int side = 0; side < 2; side++) {
            const struct word *w = s->source[h[i].source[side]].words.item + h[i].at[side];
            memset(marks[side] + h[i].at[side], 1, length);
            x->in[side].file = w->file;
            x->in[side].first = w->line;
            x->in[side].last = w[length - 1].line;
        }
        x->tokens = (unsigned)length;
        p->places += fresh;
    }
    qsort(p->place, p->places, sizeof *p->place, by_length);
}

static enum similarity_kind kind_of(const struct source *a, const struct source *b)
{
    bool same = a->words.count == b->words.count;
    for (size_t i = 0; same && i < a->words.count; i++)
        same = a->words.item[i].form == b->words.item[i].form;
    return same ? SIMILAR_RENAMED : SIMILAR_PARTS;
}

/* What n hits say about one pair. False: not enough to be listed. */
static bool compare(const struct similarity *s, const struct hit *h, size_t n,
                    struct similar_pair *p)
{
    bool *marks[2];
    size_t shared[2] = {0, 0};
    if (n * SIMILAR_PASSAGE < SIMILAR_TOKENS) /* most pairs have one passage by chance */
        return false;
    *p = (struct similar_pair){.source = {h->source[0], h->source[1]}};
    for (int side = 0; side < 2; side++)
        marks[side] = xcalloc(s->source[p->source[side]].words.count + 1, sizeof *marks[side]);
    find_places(s, h, n, marks, p);
    for (int side = 0; side < 2; side++) {
        const struct source *x = &s->source[p->source[side]];
        for (size_t i = 0; i < x->words.count; i++)
            shared[side] += marks[side][i] && x->counts[i];
        p->share[side] = x->own ? (double)shared[side] / (double)x->own : 0;
        free(marks[side]);
    }
    p->tokens = (unsigned)shared[0];
    p->kind = kind_of(&s->source[p->source[0]], &s->source[p->source[1]]);
    const bool listed = p->tokens >= SIMILAR_TOKENS &&
                        (p->share[0] >= SIMILAR_SHARE || p->share[1] >= SIMILAR_SHARE);
    if (!listed)
        free(p->place);
    return listed;
}

/* Collect the places of identical sources: each file is one. Files that have nothing of their own
 * are left out. */
static void find_files(const struct similarity *s, struct similar_pair *p)
{
    const struct source *x = &s->source[p->source[0]];
    for (size_t from = 0, end; from < x->words.count; from = end + 1) {
        for (end = from; x->words.item[end].form != WORD_BREAK; end++)
            ;
        const size_t own = passages_own_tokens(x, from, end);
        if (!own)
            continue;
        p->place = xrealloc_array(p->place, p->places + 1, sizeof *p->place);
        struct similar_place *place = &p->place[p->places++];
        place->tokens = (unsigned)own;
        for (int side = 0; side < 2; side++) {
            const struct word *w = s->source[p->source[side]].words.item;
            place->in[side].file = w[from].file;
            place->in[side].first = w[from].line;
            place->in[side].last = w[end - 1].line;
        }
    }
    qsort(p->place, p->places, sizeof *p->place, by_length);
}

/* A source that has the words of an earlier one. False: what it has is nobody's own. */
static bool compare_copy(const struct similarity *s, unsigned copy, struct similar_pair *p)
{
    const struct source *x = &s->source[s->source[copy].first];
    if (x->own < SIMILAR_TOKENS)
        return false;
    *p = (struct similar_pair){.source = {s->source[copy].first, copy},
                               .kind = SIMILAR_IDENTICAL,
                               .tokens = (unsigned)x->own,
                               .share = {1, 1}};
    find_files(s, p);
    return true;
}

static int by_share(const void *a, const void *b)
{
    const struct similar_pair *x = a, *y = b;
    const double sx = x->share[0] > x->share[1] ? x->share[0] : x->share[1];
    const double sy = y->share[0] > y->share[1] ? y->share[0] : y->share[1];
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (sx != sy)
        return sx > sy ? -1 : 1;
    for (int i = 0; i < 2; i++)
        if (x->source[i] != y->source[i])
            return x->source[i] < y->source[i] ? -1 : 1;
    return 0;
}

static size_t pair_end(const struct hits *h, size_t i)
{
    size_t end = i + 1;
    while (end < h->count &&
           memcmp(h->item[end].source, h->item[i].source, sizeof h->item[i].source) == 0)
        end++;
    return end;
}

size_t similarity_pairs(struct similarity *s, struct similar_pair **pairs)
{
    OWNED struct passage *p = NULL;
    const size_t passages = similar_passages(s, &p);
    struct hits h = all_hits(p, passages);
    size_t most = s->count, n = 0;
    for (size_t i = 0; i < h.count; i = pair_end(&h, i))
        most++;
    *pairs = xcalloc(most + 1, sizeof **pairs);
    for (unsigned i = 0; i < s->count; i++)
        if (s->source[i].first != i && !s->source[i].given)
            n += compare_copy(s, i, &(*pairs)[n]);
    for (size_t i = 0; i < h.count; i = pair_end(&h, i))
        n += compare(s, h.item + i, pair_end(&h, i) - i, &(*pairs)[n]);
    qsort(*pairs, n, sizeof **pairs, by_share);
    free(h.item);
    return n;
}

void similar_pairs_free(struct similar_pair *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(p[i].place);
    free(p);
}

#include "measure/output_sample.h"

#include <string.h>

#include "base/rng.h"

static uint32_t word_at(const struct output_sample *s, const struct arena *a, unsigned i)
{
    const size_t words = a->out_bytes / sizeof(uint32_t);
    const unsigned rep = (unsigned)(rng_at(s->key, 2 * (uint64_t)i) % s->reps);
    const size_t at = rng_at(s->key, 2 * (uint64_t)i + 1) % words;
    uint32_t word;
    memcpy(&word, (const unsigned char *)arena_output(a, rep) + at * sizeof word, sizeof word);
    return word;
}

void output_sample_take(struct output_sample *s, const struct arena *a, unsigned reps, uint64_t key)
{
    s->key = key;
    s->reps = reps;
    for (unsigned i = 0; i < OUTPUT_SAMPLE; i++)
        s->word[i] = word_at(s, a, i);
}

bool output_sample_same(const struct output_sample *s, const struct arena *a)
{
    for (unsigned i = 0; i < OUTPUT_SAMPLE; i++)
        if (word_at(s, a, i) != s->word[i])
            return false;
    return true;
}

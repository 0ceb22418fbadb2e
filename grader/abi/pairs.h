/*
 * pairs.h - which of the sets of inputs a problem has (protocol.h).
 *
 * Problem r has set r of each input, modulo their number, but another one of the last input. If
 * this followed from earlier problems, a kernel could compute several problems in one call: one
 * that computed all of them in the first call was 1.5 times as fast at calls of 140 us on an H200,
 * and 2.5 times at calls of 33 us with two threads. So it follows from a random word that comes
 * with GO, and no two problems combine the same sets.
 */
#ifndef PARAGRADE_PAIRS_H
#define PARAGRADE_PAIRS_H

#include "abi/mask.h"

/* The place of x, below n, in a random order of 0 ... n - 1: a Feistel network, until the result is
 * below n. */
static inline unsigned pg_permuted(unsigned x, unsigned n, uint64_t key)
{
    unsigned half = 1;
    while (UINT64_C(1) << 2 * half < n)
        half++;
    const unsigned mask = (1U << half) - 1;
    do
        for (unsigned round = 0; round < 4; round++) {
            const unsigned low = x & mask;
            const uint64_t word = pg_mix((key + round) * UINT64_C(0x9e3779b97f4a7c15) + low);
            x = low << half | ((x >> half ^ (unsigned)word) & mask);
        }
    while (x >= n);
    return x;
}

/* Of input i of so many. sets = 0: each problem has its own. pairing = 0: in order. */
static inline unsigned pg_set_of(unsigned i, unsigned inputs, unsigned problem, unsigned sets,
                                 uint32_t pairing)
{
    if (!sets)
        return problem;
    const unsigned place = problem % sets, turn = problem / sets;
    if (i == 0 || i + 1 < inputs)
        return place;
    if (!pairing)
        return (place + turn) % sets;
    const uint64_t key = (uint64_t)pairing << 32, own = key + UINT64_C(4) * (place + 1);
    const unsigned further = turn ? 1 + pg_permuted(turn - 1, sets - 1, own) : 0;
    return (pg_permuted(place, sets, key) + further) % sets;
}

#endif

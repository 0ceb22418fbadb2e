/* sets.h - which of the sets of inputs a problem has: see abi/protocol.h. */
#ifndef DRIVER_SETS_H
#define DRIVER_SETS_H

/* Of input i of so many. sets = 0: each problem has its own. */
static inline unsigned set_of(unsigned i, unsigned inputs, unsigned problem, unsigned sets,
                              unsigned shift)
{
    if (!sets)
        return problem;
    const int last = i > 0 && i + 1 == inputs;
    return (last ? problem + problem / sets + shift : problem) % sets;
}

#endif

/* plural.h - one unit, two units. */
#ifndef BASE_PLURAL_H
#define BASE_PLURAL_H

/* The words that go with a number: plural(n, "unit has", "units have"). */
static inline const char *plural(unsigned long long n, const char *one, const char *many)
{
    return n == 1 ? one : many;
}

#endif

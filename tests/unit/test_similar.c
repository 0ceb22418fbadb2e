/* Which name may be meant. */
#include "unit.h"

#include "base/similar.h"

TEST(hints)
{
    static const struct {
        const char *typed, *names, *hint;
    } table[] = {
        {"omp", "naive, simd, openmp", " (did you mean openmp?)"},
        {"open", "naive, simd, openmp", " (did you mean openmp?)"},
        {"openpm", "naive, simd, openmp", " (did you mean openmp?)"},
        {"mpi", "mpi_cuda, mpi_omp", " (did you mean mpi_omp?)"}, /* the shorter one */
        {"smid", "sum_in_double, simd", " (did you mean simd?)"},
        {"K", "n, q, k", " (did you mean k?)"},
        {"NAIVE", "native, naive", " (did you mean naive?)"},
        {"pmo", "openmp", ""},
        {"o", "openmp", ""},
        {"", "openmp", ""},
        {"mp", "openmp", ""},
        {"omp", "", ""},
        {"ab", "a_name_of_more_than_forty_letters_up_to_b__", ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char hint[SIMILAR_HINT];
        similar_hint(table[i].typed, table[i].names, hint);
        assert_string_equal(hint, table[i].hint);
    }
}

TESTS(NULL, NULL)

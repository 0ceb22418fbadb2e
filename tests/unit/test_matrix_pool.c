#include "unit.h"

#include "model/matrix_pool.h"

#define MIB (UINT64_C(1) << 20)

TEST(test_pools)
{
    static const struct {
        uint64_t largest, host, input, output;
    } table[] = {
        {0, 4 * MIB, 4 * MIB, 4 * MIB},
        {1, 4 * MIB, 4 * MIB, 4 * MIB},
        {MIB, 8 * MIB, 8 * MIB, 256 * MIB},
        {5 * MIB, 40 * MIB, 40 * MIB, 512 * MIB},
        {16 * MIB, 64 * MIB, 128 * MIB, 512 * MIB},
        {100 * MIB, 100 * MIB, 256 * MIB, 512 * MIB},
        {300 * MIB, 300 * MIB, 300 * MIB, 512 * MIB},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct matrix_pool device = matrix_pool_for(table[i].largest, true),
                                 host = matrix_pool_for(table[i].largest, false);
        assert_int_equal(device.host, table[i].host);
        assert_int_equal(device.input, table[i].input);
        assert_int_equal(device.output, table[i].output);
        assert_int_equal(host.host, table[i].host);
        assert_int_equal(host.input, table[i].host);
        assert_int_equal(host.output, table[i].host);
    }
}

TESTS(NULL, NULL)

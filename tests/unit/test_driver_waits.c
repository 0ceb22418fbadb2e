/* What is said of a rank that waits. Its own process tells, so nothing of it is trusted. */
#include "unit.h"

#include "supervise/driver_waits.h"

TEST(ranks)
{
    static const struct {
        struct pg_waits w;
        const char *says;
    } table[] = {
        {{.state = 77, .call = "MPI_Send"}, "rank 3 is in no call of MPI"},
        {{.state = PG_WAITS, .call = "MPI_\033[31m"}, "rank 3 is in no call of MPI"},
        {{.state = PG_WAITS, .call = "system"}, "rank 3 is in no call of MPI"},
        {{.state = PG_COMPUTES, .call = "MPI_Send"}, "rank 3 is in no call of MPI"},
        {{.state = PG_RETURNED, .call = "MPI_Send"}, "rank 3 has returned"},
        {{.state = PG_WAITS, .call = "MPI_Send", .peers = {1, -1, -1, 5, -1}, .bytes = 40},
         "rank 3 waits in MPI_Send to rank 1 (tag 5), 40 bytes"},
        {{.state = PG_WAITS, .call = "MPI_Recv", .peers = {-1, 0, -1, -1, 0}, .bytes = 8},
         "rank 3 waits in MPI_Recv from rank 0 (tag 0), 8 bytes"},
        {{.state = PG_WAITS, .call = "MPI_Recv", .peers = {-1, -2, -1, -1, 4}},
         "rank 3 waits in MPI_Recv"},
        {{.state = PG_WAITS, .call = "MPI_Sendrecv", .peers = {1, 2, -1, 3, -1}, .bytes = 8},
         "rank 3 waits in MPI_Sendrecv to rank 1 (tag 3) and from rank 2, 8 bytes"},
        {{.state = PG_WAITS, .call = "MPI_Bcast", .peers = {-1, -1, 0, -1, -1}, .bytes = 9},
         "rank 3 waits in MPI_Bcast (root: rank 0), 9 bytes"},
        {{.state = PG_WAITS,
          .call = "MPI_Waitall",
          .peers = {-1, -1, -1, -1, -1},
          .operations = 2,
          .operation = {{8, -1, 1, 2}, {16, 0, -1, 1}}},
         "rank 3 waits in MPI_Waitall for data from rank 1 (tag 2), 8 bytes, to rank 0 (tag 1), 16 "
         "bytes"},
        {{.state = PG_WAITS, /* made up: more than there is room for */
          .call = "MPI_Wait",
          .peers = {-1, -1, -1, -1, -1},
          .operations = 4000000000,
          .operation = {{UINT64_MAX, INT32_MAX, -1, INT32_MAX},
                        {UINT64_MAX, -1, INT32_MAX, INT32_MAX},
                        {1, -1, -1, 4}}},
         "rank 3 waits in MPI_Wait for data to rank 2147483647 (tag 2147483647), "
         "18446744073709551615 bytes, from rank 2147483647 (tag 2147483647), "
         "18446744073709551615 bytes"},
        {{.state = PG_WAITS, .call = "MPI_Barrier", .peers = {-1, -1, -1, -1, -1}},
         "rank 3 waits in MPI_Barrier"},
    };
    char text[400];
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        driver_waits_rank(&table[i].w, 3, text, sizeof text);
        assert_string_equal(text, table[i].says);
    }
}

TEST(misused)
{
    static const struct {
        struct pg_misused m;
        const char *says;
    } table[] = {
        {{.kind = PG_MISUSE_NONE, .call = "MPI_Gatherv"}, ""},
        {{.kind = 77, .call = "MPI_Gatherv"}, ""},
        {{.kind = PG_PARTS_OVERLAP, .call = "\033[31m"}, ""},
        {{.kind = PG_SENT_CHANGED, .to = 1, .tag = 5},
         "rank 3 sends to rank 1 (tag 5) by an operation that does not block, and changes or frees "
         "this memory before the operation ends: wait first, for example with MPI_Wait(), or use "
         "other memory for each message"},
        {{.kind = PG_PARTS_OVERLAP,
          .call = "MPI_Gatherv",
          .rank = {0, 1},
          .from = {0, 9},
          .until = {297, 273}},
         "MPI_Gatherv on rank 3 puts parts over each other: elements 0..296 from rank 0, and "
         "9..272 from rank 1. Displacements count elements, as counts do, and not rows"},
    };
    char text[400];
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        driver_waits_misused(&table[i].m, 3, text, sizeof text);
        assert_string_equal(text, table[i].says);
    }
}

TESTS(NULL, NULL)

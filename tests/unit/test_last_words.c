/* The reason that a library prints when it ends a process. */
#include "unit.h"

#include "supervise/last_words.h"

TEST(words)
{
    static const char *const table[][2] = {
        {"", ""},
        {"sum is 7\n", ""},
        {"terminate called after throwing", ""},
        {"row 1\nterminate called after throwing an instance of 'std::out_of_range'\n"
         "  what():  vector::_M_range_check: __n (which is 9) >= this->size() (which is 9)\n",
         "the exception std::out_of_range was not caught: vector::_M_range_check: __n (which is 9) "
         ">= this->size() (which is 9)"},
        {"terminate called after throwing an instance of 'int'\n",
         "the exception int was not caught"},
        /* Ranks write to the same file, and the library writes its line in pieces. */
        {"terminate called after throwing an instance of 'Output file to: C.txt\nDone\n"
         "std::out_of_range'\n  what():  Row index out of range\n",
         "the exception std::out_of_range was not caught: Row index out of range"},
        {"terminate called after throwing an instance of 'Time: 3 ms std::out_of_range'\n",
         "an exception was not caught"},
        {"terminate called after throwing an instance of 'std::map<int, a::b*>'\n",
         "the exception std::map<int, a::b*> was not caught"},
        {"terminate called after throwing an instance of '", "an exception was not caught"},
        {"driver-cpu: naive.c:9: gemm_i32: Assertion `M > 3' failed.\n",
         "Assertion `M > 3' failed."},
        {"malloc(): corrupted top size\n", "malloc(): corrupted top size (" LAST_WORDS_HEAP ")"},
        {"x\nfree(): invalid pointer\ny\n", "free(): invalid pointer (" LAST_WORDS_HEAP ")"},
        {"*** stack smashing detected ***: terminated\n",
         "*** stack smashing detected ***: terminated"},
        {"[node:1] *** An error occurred in MPI_Recv\n[node:1] *** MPI_ERR_TRUNCATE: message "
         "truncated\n",
         "MPI_Recv: MPI_ERR_TRUNCATE: message truncated"},
        {"*** MPI_ERR_RANK: invalid rank\n", "MPI_ERR_RANK: invalid rank"},
    };
    char out[300];
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        last_words(table[i][0], out, sizeof out);
        assert_string_equal(out, table[i][1]);
    }
}

TEST(lines)
{
    static const struct {
        const char *text;
        size_t cap;
        const char *line;
    } table[] = {
        {"", 20, ""},
        {"one\n two\n", 20, "one two"},
        {"------\nno slots -n 4\n------\n", 40, "no slots -n 4"},
        {"several words that are long", 20, "several words ..."},
    };
    char out[64];
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        one_line(table[i].text, out, table[i].cap);
        assert_string_equal(out, table[i].line);
    }
}

TESTS(NULL, NULL)

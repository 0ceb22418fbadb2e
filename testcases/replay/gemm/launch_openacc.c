/* One process and its device. The matrices are present on the device when the function is called.
 */
#include <openacc.h>

#include "launch.h"

int launch_begin(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 1;
}

void launch_call(const ELEMENT *A, const ELEMENT *B, ELEMENT *C)
{
    const size_t a = sizeof(ELEMENT) * M * K, b = sizeof(ELEMENT) * K * N,
                 c = sizeof(ELEMENT) * M * N;
    acc_copyin((void *)A, a);
    acc_copyin((void *)B, b);
    acc_copyin(C, c);
    FUNCTION(M, N, K, A, B, C);
    acc_wait_all();
    acc_copyout(C, c);
    acc_delete((void *)B, b);
    acc_delete((void *)A, a);
}

void launch_end(void)
{
}

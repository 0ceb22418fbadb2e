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

void launch_call(const void *const in[], ELEMENT *out)
{
    static const size_t bytes[INPUTS] = INPUT_BYTES;
    for (int i = 0; i < INPUTS; i++)
        acc_copyin((void *)in[i], bytes[i]);
#ifdef OUTPUTS /* of a kernel in a file */
    static const size_t out_bytes[OUTPUTS] = OUTPUT_BYTES;
    for (int o = 0; o < OUTPUTS; o++)
        acc_copyin(out[o], out_bytes[o]);
#else
    acc_copyin(out, sizeof(ELEMENT) * ROWS * COLS);
#endif
    FUNCTION(DIMENSIONS, ARGUMENTS(in), out);
    acc_wait_all();
#ifdef OUTPUTS
    for (int o = 0; o < OUTPUTS; o++)
        acc_copyout(out[o], out_bytes[o]);
#else
    acc_copyout(out, sizeof(ELEMENT) * ROWS * COLS);
#endif
    for (int i = 0; i < INPUTS; i++)
        acc_delete((void *)in[i], bytes[i]);
}

void launch_end(void)
{
}

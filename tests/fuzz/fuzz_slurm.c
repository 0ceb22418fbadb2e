/* What Slurm's commands print. The first byte chooses the parser. */
#include <string.h>

#include "fuzz.h"
#include "slurm/query.h"

static bool ends(const char *s, size_t cap)
{
    return memchr(s, '\0', cap) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    OWNED char *text = fuzz_string(data + 1, size - 1);
    FREED_BY(slurm_list_free) struct slurm_list l = {0};
    switch (data[0]) {
    case 'q':
        slurm_parse_queue(text, &l);
        break;
    case 'a':
        slurm_parse_sacct(text, &l);
        break;
    case 'c':
        slurm_parse_scontrol(text, &l);
        break;
    case 'm':
        FUZZ_ASSERT(slurm_parse_max_array(text) >= -1);
        break;
    default:
        slurm_says_silent(text);
        break;
    }
    for (size_t i = 0; i < l.count; i++) {
        const struct slurm_element *x = &l.item[i];
        FUZZ_ASSERT(ends(x->name, sizeof x->name) && ends(x->state, sizeof x->state) &&
                    ends(x->node, sizeof x->node) && ends(x->reason, sizeof x->reason));
        FUZZ_ASSERT(x->job >= 0 && x->task >= -1);
    }
    if (l.count)
        FUZZ_ASSERT(slurm_list_find(&l, l.item[0].job, l.item[0].task) == &l.item[0]);
    return 0;
}

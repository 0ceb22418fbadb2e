#include "model/counters.h"

const char *counter_name(enum counter c)
{
    static const char *const names[] = {
#define COUNTER(identifier, name) name,
#include "model/counters.def"
#undef COUNTER
    };
    return names[c];
}

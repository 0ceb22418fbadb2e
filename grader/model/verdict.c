#include "model/verdict.h"

#include <string.h>

static const struct {
    const char *name, *brief;
    enum fault fault;
    const char *summary;
} table[] = {
#define VERDICT(id, name, brief, fault, summary) {name, brief, fault, summary},
#include "model/verdict.def"
#undef VERDICT
};

const char *verdict_name(enum verdict v)
{
    return table[v].name;
}

const char *verdict_brief(enum verdict v)
{
    return table[v].brief;
}

const char *verdict_summary(enum verdict v)
{
    return table[v].summary;
}

enum fault verdict_fault(enum verdict v)
{
    return table[v].fault;
}

bool verdict_parse(const char *name, enum verdict *v)
{
    for (int i = 0; i < VERDICT_COUNT; i++) {
        if (strcmp(table[i].name, name) == 0) {
            *v = (enum verdict)i;
            return true;
        }
    }
    return false;
}

enum verdict verdict_worse(enum verdict a, enum verdict b)
{
    return a > b ? a : b;
}

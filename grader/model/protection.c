#include "model/protection.h"

#include <linux/seccomp.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/namespaces.h"
#include "base/strbuf.h"

static const struct {
    const char *lack;
    bool compilers;
} protections[] = {
#define PROTECTION(identifier, name, compilers, lack) {lack, compilers},
#include "model/protection.def"
#undef PROTECTION
};

static const char *const names[] = {
#define PROTECTION(identifier, name, compilers, lack) name,
#include "model/protection.def"
#undef PROTECTION
    NULL};

const char *protection_name(enum protection p)
{
    return names[p];
}

const char *protection_lack(enum protection p)
{
    return protections[p].lack;
}

const char *const *protection_names(void)
{
    return names;
}

bool protection_parse(const char *name, enum protection *out)
{
    for (int i = 0; i < PROTECTION_COUNT; i++) {
        if (strcmp(names[i], name) != 0)
            continue;
        *out = (enum protection)i;
        return true;
    }
    return false;
}

unsigned protection_of_compilers(void)
{
    unsigned set = 0;
    for (int i = 0; i < PROTECTION_COUNT; i++)
        if (protections[i].compilers)
            set |= PROTECTION_BIT(i);
    return set;
}

char *protection_text(unsigned set, const char *separator)
{
    struct strbuf sb = STRBUF_INIT;
    for (int i = 0; i < PROTECTION_COUNT; i++)
        if (set & PROTECTION_BIT(i))
            strbuf_addf(&sb, "%s%s", sb.len ? separator : "", names[i]);
    return strbuf_detach(&sb);
}

json_t *protection_json(int set)
{
    if (set == PROTECTIONS_UNKNOWN)
        return json_null();
    json_t *list = json_array();
    for (int i = 0; i < PROTECTION_COUNT; i++)
        if ((unsigned)set & PROTECTION_BIT(i))
            json_array_append_new(list, json_string(names[i]));
    return list;
}

bool protection_from_json(const json_t *list, int *set)
{
    *set = PROTECTIONS_UNKNOWN;
    if (json_is_null(list))
        return true;
    unsigned found = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        enum protection p;
        if (!name || !protection_parse(name, &p))
            return false;
        found |= PROTECTION_BIT(p);
    }
    if (json_is_array(list))
        *set = (int)found;
    return json_is_array(list);
}

int protection_throughout(unsigned built, unsigned ran)
{
    unsigned all = PROTECTION_BIT(PROTECTION_COUNT) - 1;
    if (ran == ~0U)
        return (int)(built & all);
    return (int)((built | ~protection_of_compilers()) & ran & all);
}

int protection_landlock_version(void)
{
    enum { CREATE_RULESET_VERSION = 1 };
    long v = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
    return v > 0 ? (int)v : 0;
}

unsigned protection_of_landlock(int version)
{
    return (version >= 1 ? PROTECTION_BIT(PROTECTION_LANDLOCK) : 0) |
           (version >= 3 ? PROTECTION_BIT(PROTECTION_TRUNCATE) : 0) |
           (version >= 6 ? PROTECTION_BIT(PROTECTION_SCOPES) : 0);
}

static unsigned of_account(void)
{
    return geteuid() != 0 ? PROTECTION_BIT(PROTECTION_UNPRIVILEGED) : 0;
}

unsigned protection_of_process(void)
{
    int reaps = 0;
    bool known = prctl(PR_GET_CHILD_SUBREAPER, &reaps, 0, 0, 0) == 0;
    return of_account() | (known && reaps ? PROTECTION_BIT(PROTECTION_SUBREAPER) : 0);
}

static bool filter_works(void)
{
#if __has_include(<seccomp.h>)
    uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
#else
    return false; /* this build has drivers without a filter */
#endif
}

unsigned protection_of_machine(void)
{
    int before;
    return of_account() | protection_of_landlock(protection_landlock_version()) |
           (filter_works() ? PROTECTION_BIT(PROTECTION_SECCOMP) : 0) |
           (namespaces_possible() ? PROTECTION_BIT(PROTECTION_NAMESPACES) : 0) |
           (prctl(PR_GET_CHILD_SUBREAPER, &before, 0, 0, 0) == 0
                ? PROTECTION_BIT(PROTECTION_SUBREAPER)
                : 0);
}

int protection_check(unsigned required, unsigned have, const char *who, struct err *e)
{
    unsigned missing = required & ~have;
    if (!missing)
        return 0;
    OWNED char *list = protection_text(missing, ", ");
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    for (int i = 0; i < PROTECTION_COUNT; i++)
        if (missing & PROTECTION_BIT(i))
            strbuf_addf(&sb, "; without %s %s", names[i], protections[i].lack);
    err_system(e, "%s lacks what the assignment requires (protections: %s)%s", who, list, sb.s);
    return -1;
}

int protection_check_here(unsigned required, struct err *e)
{
    struct err why = ERR_INIT;
    if (protection_check(required, protection_of_machine(), "this machine", &why) == 0)
        return 0;
    return err_input(e,
                     "%s; `paragrade doctor` shows what is here. Use another machine, or change "
                     "`protections` in the assignment; your own code can be tested with `paragrade "
                     "check --unprotected`",
                     why.text);
}

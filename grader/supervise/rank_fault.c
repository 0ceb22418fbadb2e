#include "supervise/rank_fault.h"

#include <string.h>

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* False: it is not complete, or tells more than such a rank can know. */
static bool read_fault(const char *hex, struct pg_fault *f)
{
    unsigned char bytes[sizeof *f] = {0};
    for (size_t i = 0; i < sizeof bytes; i++) {
        const int high = digit(hex[2 * i]), low = high < 0 ? -1 : digit(hex[2 * i + 1]);
        if (low < 0)
            return false;
        bytes[i] = (unsigned char)(high << 4 | low);
    }
    memcpy(f, bytes, sizeof *f);
    return f->type == PG_FAULT && f->area == -1;
}

static void remove_bytes(struct strbuf *sb, char *from, size_t n)
{
    memmove(from, from + n, sb->len - (size_t)(from - sb->s) - n + 1);
    sb->len -= n;
}

bool rank_fault_take(struct strbuf *output, struct pg_fault *f)
{
    bool found = false;
    for (char *line; output->len && (line = strstr(output->s, PG_RANK_FAULT));) {
        const char *hex = line + strlen(PG_RANK_FAULT);
        struct pg_fault one;
        if (!found && read_fault(hex, &one)) {
            *f = one;
            found = true;
        }
        const size_t n = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
        remove_bytes(output, line, n);
    }
    return found;
}

void rank_fault_forget_launcher(struct strbuf *output)
{
    static const char *const says[] = {"Primary job  terminated normally",
                                       "run noticed that process rank"};
    static const char dashes[] = "\n----------------------------------------";
    for (size_t i = 0; i < sizeof says / sizeof says[0]; i++) {
        char *at = output->len ? strstr(output->s, says[i]) : NULL;
        char *end = at ? strstr(at, dashes) : NULL;
        if (!end)
            continue;
        end += 1 + strspn(end + 1, "-");
        end += *end == '\n';
        /* Back over the line itself to the dashes above it. */
        while (at > output->s && at[-1] != '\n')
            at--;
        while (at > output->s + 1 && at[-2] == '-')
            at--;
        at -= at > output->s && at[-1] == '-';
        remove_bytes(output, at, (size_t)(end - at));
    }
}

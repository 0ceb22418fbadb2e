/*
 * A misaligned access of a vector and an impossible address look alike to a signal handler: the
 * processor names no address for either. The instruction tells them apart.
 */
#include "driver/driver.h"

enum { OPERAND_SIZE = 0x66, ESCAPE = 0x0f, MAP_0F = 1, MAP_38 = 2, MAP_3A = 3, XMM_BYTES = 16 };

/* In all encodings: moves of whole vectors, with and without caches. */
static bool is_aligned_move(int map, int op, bool wide)
{
    if (map == MAP_0F)
        return op == 0x28 || op == 0x29 || op == 0x2b || (wide && (op == 0x6f || op == 0x7f)) ||
               (wide && op == 0xe7);
    return map == MAP_38 && wide && op == 0x2a;
}

/* SSE: also arithmetic with a whole vector in memory. wide: with the prefix of doubles and
 * integers. */
static bool is_aligned_sse(int map, int op, bool wide)
{
    if (is_aligned_move(map, op, wide))
        return true;
    if (map == MAP_38) /* but for conversions that read less */
        return wide && !(op >= 0x20 && op <= 0x25) && !(op >= 0x30 && op <= 0x35);
    if (map == MAP_3A) /* but for single elements */
        return wide && op != 0x0a && op != 0x0b && !(op >= 0x14 && op <= 0x22);
    return (op >= 0x51 && op <= 0x5f && (op != 0x5a || wide)) || op == 0x14 || op == 0x15 ||
           op == 0xc2 || op == 0xc6 ||
           (wide && ((op >= 0x60 && op <= 0x76 && op != 0x6e) || op >= 0xd0) && op != 0xd6);
}

static int sse(const unsigned char *p, bool wide)
{
    int map = MAP_0F;
    if (*p == 0x38 || *p == 0x3a)
        map = *p++ == 0x38 ? MAP_38 : MAP_3A;
    return is_aligned_sse(map, *p, wide) ? XMM_BYTES : 0;
}

/* width: 0 for xmm, 1 for ymm, 2 for zmm. last: the byte with the prefix that SSE had. */
static int newer(int map, int op, int last, int width)
{
    const int prefix = last & 3; /* none, 66, f3, f2 */
    return prefix <= 1 && is_aligned_move(map, op, prefix == 1) ? XMM_BYTES << width : 0;
}

int alignment_needed(const unsigned char *p)
{
    bool wide = false;
    while (*p == OPERAND_SIZE || (*p & 0xf0) == 0x40 || *p == 0x64 || *p == 0x65 || *p == 0x3e)
        wide = *p++ == OPERAND_SIZE || wide; /* the others: registers above 7, segments */
    switch (*p) {
    case ESCAPE:
        return sse(p + 1, wide);
    case 0xc5: /* VEX */
        return newer(MAP_0F, p[2], p[1], p[1] >> 2 & 1);
    case 0xc4:
        return newer(p[1] & 0x1f, p[3], p[2], p[2] >> 2 & 1);
    case 0x62: /* EVEX */
        return newer(p[1] & 7, p[4], p[2], p[3] >> 5 & 3);
    default:
        return 0;
    }
}

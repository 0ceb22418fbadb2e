#include "measure/check_words.h"

#include <ctype.h>
#include <string.h>

/* Hexadecimal digits of an address, at least: more than numbers of 32 bits have. */
enum { ADDRESS_DIGITS = 9 };

/* The length of "0x7f0123456789" at the start of a text; 0: there is no address. */
static size_t address(const char *text)
{
    if (strncmp(text, "0x", 2) != 0)
        return 0;
    const size_t digits = strspn(text + 2, "0123456789abcdefABCDEF");
    return digits < ADDRESS_DIGITS ? 0 : 2 + digits;
}

void check_words_clean(char *text)
{
    char *to = text;
    for (const char *at = text; *at;) {
        const size_t skip = address(at);
        if (skip) {
            memcpy(to, "0x..", 4); /* it is longer */
            to += 4;
            at += skip;
        } else {
            const char c = *at > ' ' && *at <= '~' ? *at : ' ';
            at++;
            if (c != ' ' || (to > text && to[-1] != ' '))
                *to++ = c;
        }
    }
    if (to > text && to[-1] == ' ')
        to--;
    *to = '\0';
}

void check_words_of_end(char *text)
{
    static const char before[] = " at address ";
    char *at = strstr(text, before);
    const size_t skip = at ? address(at + sizeof before - 1) : 0;
    if (skip)
        memmove(at, at + sizeof before - 1 + skip, strlen(at + sizeof before - 1 + skip) + 1);
    for (char *dot = strchr(text, '.'); dot; dot = strchr(dot + 1, '.'))
        if (dot[1] == ' ' && isupper((unsigned char)dot[2])) {
            *dot = '\0';
            break;
        }
    check_words_clean(text);
}

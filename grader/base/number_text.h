/*
 * number_text.h - numbers as printf() writes them, several times faster: tables have millions.
 */
#ifndef BASE_NUMBER_TEXT_H
#define BASE_NUMBER_TEXT_H

#include "base/strbuf.h"

/* Append "%lld". */
void number_add_int(struct strbuf *sb, long long v);
/* Append "%.*g". */
void number_add(struct strbuf *sb, double v, int significant);

#endif

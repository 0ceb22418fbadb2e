/*
 * strbuf.h - a growable byte string that is always NUL-terminated.
 *
 * STRBUF_INIT needs no allocation; sb.s is never NULL. Running out of memory aborts (a grader
 * that cannot hold a path cannot go on). strbuf_free() returns it to the initial state;
 * strbuf_detach() hands the heap string to the caller, who frees it.
 */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdarg.h>
#include <stddef.h>

struct strbuf {
    char *s;
    size_t len;
    size_t cap; /* 0: s points at a static empty string */
};

extern char strbuf_empty[1];
#define STRBUF_INIT                                                                                \
    {                                                                                              \
        strbuf_empty, 0, 0                                                                         \
    }

void strbuf_add(struct strbuf *sb, const void *data, size_t n);
void strbuf_adds(struct strbuf *sb, const char *s);
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_clear(struct strbuf *sb); /* length 0, memory kept */
/* Append the words of text, which blanks and line feeds separate, in lines that start with `begin`,
 * have at most so many bytes, unless a word is longer, and end with a line feed. */
void strbuf_add_paragraph(struct strbuf *sb, const char *text, const char *begin, size_t columns);

/* Drop all but the last n bytes. */
void strbuf_keep_end(struct strbuf *sb, size_t n);
void strbuf_free(struct strbuf *sb);
char *strbuf_detach(struct strbuf *sb);

/* OWNED: the pointer owns heap memory, which is freed where its block ends, however it is left.
 * Until it points at some, it is NULL. OWNED_TEXTS: the same for a list of heap strings that ends
 * with NULL. FREED_BY: the same for a struct, by a function of its own. */
#define OWNED __attribute__((cleanup(owned_free)))
#define OWNED_TEXTS __attribute__((cleanup(owned_texts_free)))
#define FREED_BY(function) __attribute__((cleanup(function)))
void owned_free(void *address_of_pointer);
void owned_texts_free(char ***texts);

/* A heap string made by printf; never NULL. */
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));
/* malloc family that aborts with a message when memory is gone; size overflow is checked. */
void *xcalloc(size_t n, size_t size);
void *xrealloc_array(void *p, size_t n, size_t size);
/* Room for the member number `count`, counted from 0, of a list that grows member by member: in
 * all, each member is moved a few times at most. New room is filled with zeros. The caller frees
 * the list; NULL: there is none yet. */
void *list_one_more(void *list, size_t count, size_t size);
char *xstrdup(const char *s);
/* A copy of text in which `value` stands for every `key`, which is not empty. */
char *xreplace(const char *text, const char *key, const char *value);

/* A list of n heap strings. */
char **texts_copy(char *const *text, unsigned n);
void texts_free(char **text, unsigned n);

#endif

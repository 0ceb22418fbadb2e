/*
 * namespaces.h - a table of mounts and a network of its own for one process and its descendants.
 * Nothing outside is reached through that network, and nothing outside uses up its ports. Where the
 * process has no privileges, Linux also wants a new user namespace for it, in which the account
 * keeps its number.
 */
#ifndef BASE_NAMESPACES_H
#define BASE_NAMESPACES_H

#include <stdbool.h>
#include <stdint.h>

/* What namespaces_enter() needs and must not find out itself: the maps of a user namespace. */
struct namespaces {
    char user[32], group[32];
};

/* True where this user may have namespaces. The first call tries it, in a child process. */
bool namespaces_possible(void);

void namespaces_prepare(struct namespaces *n);

/* Enter a new table of mounts, and with `network` also a new network, whose only device is the
 * loopback device, which is up. It resets PR_SET_PDEATHSIG. For a child with one thread, between
 * fork and exec: async-signal-safe. 0, or -1 with errno. */
int namespaces_enter(const struct namespaces *n, bool network);

/* Options for namespaces_mount(): the most bytes and files that it holds. */
enum { NAMESPACES_OPTIONS = 96 };
void namespaces_size(char out[NAMESPACES_OPTIONS], uint64_t bytes, uint64_t files);

/* Mount an empty file system in memory on a directory. Only after namespaces_enter(), and as safe.
 * 0, or -1 with errno. */
int namespaces_mount(const char *dir, const char *options);
/* Show a directory at another one as well. When and how as above. */
int namespaces_show(const char *dir, const char *at);

#endif

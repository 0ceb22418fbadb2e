/* replay_export_make.h - case.mk of an exported case: how it is compiled and started. */
#ifndef CMD_REPLAY_EXPORT_MAKE_H
#define CMD_REPLAY_EXPORT_MAKE_H

#include "base/strbuf.h"
#include "cmd/replay_export.h"

void replay_export_make(const struct replay_export *x, char *const *sources, struct strbuf *sb);

#endif

/* replay_export_file.h - what an exported case has of a kernel in a file: its header, case.h, and
 * the operands. */
#ifndef CMD_REPLAY_EXPORT_FILE_H
#define CMD_REPLAY_EXPORT_FILE_H

#include "cmd/replay_export.h"

/* 0, or -1 with the reason why there can be no such program. */
int replay_export_refuses(const struct kernel *k, struct err *e);
int replay_export_file(const struct replay_export *x, const struct kernel *k, struct err *e);

#endif

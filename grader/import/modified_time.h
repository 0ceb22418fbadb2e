/* modified_time.h - when somebody handed in, as Moodle's grading worksheet says it. */
#ifndef IMPORT_MODIFIED_TIME_H
#define IMPORT_MODIFIED_TIME_H

#include <stdbool.h>
#include <stdint.h>

/* "Thursday, 12 March 2026, 11:59 PM", "Thursday, March 12, 2026, 11:59 PM", "12 March 2026, 23:59"
 * in English, local time of this machine; or as instant_parse_local() reads it. */
bool modified_time_parse(const char *text, int64_t *out);
/* Does it say that there is no time? "-", or "". */
bool modified_time_is_none(const char *text);

#endif

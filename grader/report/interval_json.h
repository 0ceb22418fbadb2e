/* interval_json.h - what JSON documents for other programs say of a measured number. */
#ifndef REPORT_INTERVAL_JSON_H
#define REPORT_INTERVAL_JSON_H

#include "base/json.h"
#include "base/stats.h"

/* {"value": 1.5, "ci_low": 1.4, "ci_high": 1.6, "samples": 5, "confirmed": true}, with null for
 * what is not known. */
json_t *interval_json(struct interval i);

#endif

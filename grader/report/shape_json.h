/* shape_json.h - what JSON documents for other programs say of a shape. */
#ifndef REPORT_SHAPE_JSON_H
#define REPORT_SHAPE_JSON_H

#include "base/json.h"
#include "kernel/kernel.h"

/* Add a member for each field of the shape (kernel_field()): "m": 300, "n": 20, "k": 4000. */
void shape_fields_to_json(json_t *o, const struct kernel *k, struct shape s);

#endif

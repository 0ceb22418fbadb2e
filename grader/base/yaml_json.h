/* yaml_json.h - a YAML file as JSON: to compare two files without regard to layout and comments. */
#ifndef BASE_YAML_JSON_H
#define BASE_YAML_JSON_H

#include <jansson.h>

#include "base/yaml_file.h"

/* The document as JSON in which every scalar is a text. The caller decrefs it. */
json_t *yaml_json(struct yaml_file *f);

#endif

#include "report/shape_json.h"

void shape_fields_to_json(json_t *o, const struct kernel *k, struct shape s)
{
    for (int i = 0; i < kernel_fields(k); i++) {
        const struct shape_field f = kernel_field(k, s, i);
        char key[FIELD_KEY];
        kernel_field_key(k, i, key);
        json_object_set_new(o, key,
                            f.kind == FIELD_INTEGER ? json_integer(f.integer)
                            : f.kind == FIELD_REAL  ? json_real(f.real)
                                                    : json_string(f.text));
    }
}

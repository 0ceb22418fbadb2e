#include "base/yaml_json.h"

static json_t *scalar(const yaml_node_t *n)
{
    json_t *s = json_stringn((const char *)n->data.scalar.value, n->data.scalar.length);
    return s ? s : json_null();
}

/* yaml_open() has checked that nothing is nested deeply. */
static json_t *convert(yaml_document_t *doc, const yaml_node_t *n)
{
    json_t *j = NULL;
    if (!n)
        return json_null();
    switch (n->type) {
    case YAML_SCALAR_NODE:
        return scalar(n);
    case YAML_SEQUENCE_NODE:
        j = json_array();
        for (const yaml_node_item_t *i = n->data.sequence.items.start;
             i < n->data.sequence.items.top; i++)
            json_array_append_new(j, convert(doc, yaml_document_get_node(doc, *i)));
        return j;
    case YAML_MAPPING_NODE:
        j = json_object();
        for (const yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top;
             p++) {
            const yaml_node_t *key = yaml_document_get_node(doc, p->key);
            if (key && key->type == YAML_SCALAR_NODE)
                json_object_set_new(j, (const char *)key->data.scalar.value,
                                    convert(doc, yaml_document_get_node(doc, p->value)));
        }
        return j;
    default:
        return json_null();
    }
}

json_t *yaml_json(struct yaml_file *f)
{
    return convert(&f->doc, yaml_document_get_root_node(&f->doc));
}

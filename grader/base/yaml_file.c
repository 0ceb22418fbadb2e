#include "base/yaml_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"

/* The line of a byte offset; the first is 1. */
static size_t line_at(const char *data, size_t len, size_t offset)
{
    size_t line = 1;
    for (size_t i = 0; i < len && i < offset; i++)
        line += data[i] == '\n';
    return line;
}

/* Whether a tab is the first character of the line after blanks. The parser's message does not say
 * so. */
static bool tab_indents(const char *data, size_t len, size_t line)
{
    size_t i = 0;
    for (size_t n = 1; n < line && i < len; i++)
        n += data[i] == '\n';
    while (i < len && data[i] == ' ')
        i++;
    return i < len && data[i] == '\t';
}

/* The message of libyaml with the line. For bad UTF-8 and control characters libyaml gives only the
 * byte offset. */
static int syntax_error(const yaml_parser_t *p, const char *path, const char *data, size_t len,
                        struct err *e)
{
    if (p->error == YAML_MEMORY_ERROR)
        return err_system(e, "%s: out of memory", path);
    const char *problem = p->problem ? p->problem : "cannot be read";
    if (p->error == YAML_READER_ERROR)
        return err_input(e, "%s:%zu: not UTF-8 text: %s", path,
                         line_at(data, len, p->problem_offset), problem);
    size_t line = p->problem_mark.line + 1;
    if (tab_indents(data, len, line))
        return err_input(e, "%s:%zu: not YAML: indented with a tab; use blanks", path, line);
    return err_input(e, "%s:%zu: not YAML: %s%s%s", path, line, problem, p->context ? ", " : "",
                     p->context ? p->context : "");
}

static yaml_parser_t *parser_new(const char *data, size_t len)
{
    yaml_parser_t *p = xcalloc(1, sizeof *p);
    if (!yaml_parser_initialize(p))
        abort();
    yaml_parser_set_input_string(p, (const unsigned char *)data, len);
    return p;
}

static void parser_free(yaml_parser_t *p)
{
    yaml_parser_delete(p);
    free(p);
}

/* What was counted in a stream so far. */
struct yaml_counts {
    int depth, anchors, documents;
};

static void count_anchor(struct yaml_counts *s, const yaml_char_t *anchor)
{
    s->anchors += anchor != NULL;
}

/* Count what is in this event. Returns NULL, or what is wrong with the stream so far. */
static const char *count_event(struct yaml_counts *s, const yaml_event_t *ev)
{
    switch (ev->type) {
    case YAML_DOCUMENT_START_EVENT:
        s->documents++;
        break;
    case YAML_SCALAR_EVENT:
        count_anchor(s, ev->data.scalar.anchor);
        break;
    case YAML_SEQUENCE_START_EVENT:
        s->depth++;
        count_anchor(s, ev->data.sequence_start.anchor);
        break;
    case YAML_MAPPING_START_EVENT:
        s->depth++;
        count_anchor(s, ev->data.mapping_start.anchor);
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        s->depth--;
        break;
    default:
        break;
    }
    return s->depth > YAML_DEPTH_MOST       ? "nested too deeply"
           : s->anchors > YAML_ANCHORS_MOST ? "too many anchors (&)"
           : s->documents > 1               ? "a second document (---) starts here; one is wanted"
                                            : NULL;
}

/* Check the events before a tree is built, because the time that libyaml needs for a tree grows
 * with the square of the nesting and of the anchors. */
static int check_stream(const char *path, const char *data, size_t len, struct err *e)
{
    yaml_parser_t *p = parser_new(data, len);
    struct yaml_counts s = {0, 0, 0};
    int rc = 0;
    for (bool end = false; !end && rc == 0;) {
        yaml_event_t ev;
        if (!yaml_parser_parse(p, &ev)) {
            rc = syntax_error(p, path, data, len, e);
            break;
        }
        end = ev.type == YAML_STREAM_END_EVENT;
        const char *wrong = count_event(&s, &ev);
        if (wrong)
            rc = err_input(e, "%s:%zu: %s", path, ev.start_mark.line + 1, wrong);
        yaml_event_delete(&ev);
    }
    if (rc == 0 && s.documents == 0)
        rc = err_input(e, "%s:1: the file is empty", path);
    parser_free(p);
    return rc;
}

static int load_tree(struct yaml_file *f, const char *data, size_t len, struct err *e)
{
    yaml_parser_t *p = parser_new(data, len);
    int rc = 0;
    if (yaml_parser_load(p, &f->doc))
        f->open = true;
    else
        rc = syntax_error(p, f->path, data, len, e);
    parser_free(p);
    return rc;
}

int yaml_open(struct yaml_file *f, const char *path, struct err *e)
{
    *f = (struct yaml_file){.path = path, .e = e};
    OWNED char *data = NULL;
    size_t len;
    int rc = 0;
    if (fs_read(path, YAML_FILE_MOST, &data, &len, e) != 0)
        return -1;
    if (len >= 2 && (memcmp(data, "\xff\xfe", 2) == 0 || memcmp(data, "\xfe\xff", 2) == 0))
        rc = err_input(e, "%s:1: this is UTF-16; save it as UTF-8", path);
    if (rc == 0)
        rc = check_stream(path, data, len, e);
    if (rc == 0)
        rc = load_tree(f, data, len, e);
    return rc;
}

void yaml_close(struct yaml_file *f)
{
    if (f->open)
        yaml_document_delete(&f->doc);
    f->open = false;
}

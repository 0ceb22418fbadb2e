#include "pages/moodle_zip.h"

#ifdef PARAGRADE_LIBARCHIVE

#include <archive.h>
#include <archive_entry.h>
#include <string.h>
#include <strings.h>

#include "base/fsio.h"

enum { PAGE_MOST = 64 << 20 };

/* Index of the roster's column, or -1. */
static int id_column(const struct plan *p)
{
    for (unsigned c = 0; c < p->roster_columns_count; c++)
        if (strcasecmp(p->roster_columns[c], "moodle_id") == 0)
            return (int)c;
    return -1;
}

/* Moodle reads "NAME_NUMBER_assignsubmission_file_/..." up to each '_', and the number only. The
 * caller frees it. */
static char *entry_name(const struct submission *s, const char *number)
{
    OWNED char *id = xstrdup(s->id);
    for (char *p = id; *p; p++)
        if (*p == '_')
            *p = '-';
    return xasprintf("%s_%s_assignsubmission_file_/feedback.html", id, number);
}

static int add_page(struct archive *a, const char *page, const char *name, struct err *e)
{
    OWNED char *text = NULL;
    size_t len;
    if (fs_read(page, PAGE_MOST, &text, &len, e) != 0)
        return -1;
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_size(entry, (la_int64_t)len);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    int rc = 0;
    if (archive_write_header(a, entry) != ARCHIVE_OK ||
        archive_write_data(a, text, len) != (la_ssize_t)len)
        rc = err_system(e, "%s: %s", name, archive_error_string(a));
    archive_entry_free(entry);
    return rc;
}

static int add_pages(struct archive *a, const struct run *r, const char *dir, int column,
                     struct moodle_zip *out, struct err *e)
{
    int rc = 0;
    for (unsigned i = 0; i < r->plan->submissions_count && rc == 0; i++) {
        const struct submission *s = &r->plan->submissions[i];
        const char *number = s->roster_fields ? s->roster_fields[column] : "";
        if (s->is_reference)
            continue;
        if (!*number || number[strspn(number, "0123456789")]) {
            strbuf_addf(&out->left_out, "%s\n", s->id);
            out->left_out_count++;
            continue;
        }
        OWNED char *page = xasprintf("%s/%s/feedback.html", dir, s->id),
                   *name = entry_name(s, number);
        rc = add_page(a, page, name, e);
        out->students += rc == 0;
    }
    return rc;
}

static la_ssize_t take_bytes(struct archive *a, void *sb, const void *bytes, size_t n)
{
    (void)a;
    strbuf_add(sb, bytes, n);
    return (la_ssize_t)n;
}

int moodle_zip_write(const struct run *r, const char *dir, const char *path, struct moodle_zip *out,
                     struct err *e)
{
    const int column = id_column(r->plan);
    FREED_BY(strbuf_free) struct strbuf bytes = STRBUF_INIT;
    *out = (struct moodle_zip){.left_out = STRBUF_INIT};
    if (column < 0)
        return err_input(e, "the roster of this run has no column moodle_id with the numbers of "
                            "Moodle's participants: `paragrade import` writes it");
    struct archive *a = archive_write_new();
    int rc = 0;
    if (archive_write_set_format_zip(a) != ARCHIVE_OK ||
        archive_write_open(a, &bytes, NULL, take_bytes, NULL) != ARCHIVE_OK)
        rc = err_system(e, "%s: %s", path, archive_error_string(a));
    if (rc == 0)
        rc = add_pages(a, r, dir, column, out, e);
    if (rc == 0 && archive_write_close(a) != ARCHIVE_OK)
        rc = err_system(e, "%s: %s", path, archive_error_string(a));
    archive_write_free(a);
    if (rc == 0)
        rc = fs_write_output(path, bytes.s, bytes.len, e);
    return rc;
}

#else

int moodle_zip_write(const struct run *r, const char *dir, const char *path, struct moodle_zip *out,
                     struct err *e)
{
    (void)r, (void)dir;
    *out = (struct moodle_zip){.left_out = STRBUF_INIT};
    return err_input(e,
                     "%s: this Paragrade cannot write archives: install libarchive-dev and run "
                     "make again",
                     path);
}

#endif

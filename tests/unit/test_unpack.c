/* Archives, most of them hostile, made here by libarchive. */
#include "unit.h"

#include "import/litter.h"
#include "import/unpack.h"

#include "test_dir.h"

TEST(litter)
{
    static const struct {
        const char *path;
        bool is;
    } table[] = {
        {"", false},
        {"naive.c", false},
        {"_naive.c", false},
        {"._", false},
        {"thumbs.c", false},
        {"MACOSX/naive.c", false},
        {"__MACOSX/._naive.c", true},
        {"hw/__MACOSX/naive.c", true},
        {"hw/.DS_Store", true},
        {"._naive.c", true},
        {"hw/THUMBS.DB", true},
        {"hw/Desktop.ini", true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (litter_is(table[i].path) != table[i].is)
            fail_msg("%s", table[i].path);
}

#if __has_include(<archive.h>)

#include <archive.h>
#include <archive_entry.h>

struct member {
    const char *name;
    const char *text; /* NULL: a link to `link`, or what `type` says */
    const char *link, *hard;
    int type;
    size_t size; /* of zeros, in place of text */
};

#define TEXT(n, t)                                                                                 \
    {                                                                                              \
        .name = (n), .text = (t)                                                                   \
    }

enum { MEMBERS_MOST = 6 };

static void add_member(struct archive *a, const struct member *m)
{
    struct archive_entry *entry = archive_entry_new();
    const size_t size = m->text ? strlen(m->text) : m->size;
    archive_entry_copy_pathname(entry, m->name);
    archive_entry_set_perm(entry, 06777);
    archive_entry_set_filetype(entry, m->link ? AE_IFLNK : m->type ? (unsigned)m->type : AE_IFREG);
    archive_entry_set_size(entry, (la_int64_t)size);
    if (m->link)
        archive_entry_copy_symlink(entry, m->link);
    if (m->hard)
        archive_entry_copy_hardlink(entry, m->hard);
    assert_int_equal(archive_write_header(a, entry), ARCHIVE_OK);
    OWNED char *zeros = xcalloc(size + 1, 1);
    if (size && !m->link && !m->hard)
        assert_int_equal(archive_write_data(a, m->text ? m->text : zeros, size), size);
    archive_entry_free(entry);
}

static char *make_archive(const char *name, const struct member *m, size_t count)
{
    char *path = at(name);
    struct archive *a = archive_write_new();
    if (strstr(name, ".zip")) {
        archive_write_set_format_zip(a);
    } else {
        archive_write_set_format_ustar(a);
        archive_write_add_filter_gzip(a);
    }
    assert_int_equal(archive_write_open_filename(a, path), ARCHIVE_OK);
    for (size_t i = 0; i < count && m[i].name; i++)
        add_member(a, &m[i]);
    assert_int_equal(archive_write_free(a), ARCHIVE_OK);
    return path;
}

/* Everything below a directory: "a/b.c=text|"; not "in", which is the archive. */
static void describe(const char *dir, const char *prefix, struct strbuf *out)
{
    OWNED_TEXTS char **names = NULL;
    size_t count;
    assert_int_equal(fs_list(dir, &names, &count, NULL), 0);
    for (size_t i = 0; i < count; i++) {
        OWNED char *path = xasprintf("%s/%s", dir, names[i]),
                   *below = xasprintf("%s%s/", prefix, names[i]);
        OWNED char *data = NULL;
        struct stat st;
        assert_int_equal(lstat(path, &st), 0);
        assert_int_equal(st.st_mode & 07077, 0); /* nothing for others, no setuid */
        if (S_ISDIR(st.st_mode)) {
            describe(path, below, out);
        } else {
            assert_true(S_ISREG(st.st_mode));
            assert_int_equal(fs_read(path, 1000, &data, NULL, NULL), 0);
            strbuf_addf(out, "%s%s=%s|", prefix, names[i], data);
        }
    }
}

TEST(entries)
{
    static const struct {
        struct member member[MEMBERS_MOST];
        const char *holds, *remarks; /* what remarks must contain; "": there are none */
        bool tar_only;
    } table[] = {
        {{TEXT("naive.c", "int a;\r\n")}, "naive.c=int a;\r\n|", "", false},
        {{TEXT("./hw//src/./a b.c", "x")}, "hw/src/a b.c=x|", "", false},
        {{TEXT("../evil", "x"), TEXT("a", "y")}, "a=y|", "../evil: left out", false},
        {{TEXT("a/../../evil", "x")}, "", "a/../../evil: left out", false},
        {{TEXT("..\\..\\evil", "x"), TEXT("hw\\a.c", "y")}, "hw/a.c=y|", "evil: left out", false},
        {{TEXT("/tmp/evil", "x")}, "", "/tmp/evil: left out", false},
        {{TEXT("C:\\evil", "x")}, "", "evil: left out", false},
        {{TEXT("..", "x"), TEXT("....c", "y")}, "....c=y|", "left out", false},
        {{{.name = "link", .link = "/etc/passwd"}, TEXT("a", "y")},
         "a=y|",
         "a symbolic link",
         false},
        {{{.name = "dir", .link = "/tmp"}, TEXT("dir/evil", "x")},
         "dir/evil=x|",
         "a symbolic link",
         false},
        {{TEXT("a", "y"), {.name = "b", .hard = "/etc/passwd"}}, "a=y|", "a hard link", true},
        {{TEXT("a", "y"), {.name = "pipe", .type = AE_IFIFO}}, "a=y|", "neither a file", true},
        {{{.name = "device", .type = AE_IFCHR}}, "", "neither a file", true},
        {{TEXT("a", "1"), TEXT("a", "2")}, "a=2|", "", false},
        {{TEXT("a", "1"), TEXT("a/b", "2")}, "a=1|", "a/b: left out", false},
        {{TEXT("a/b", "1"), TEXT("a", "2")}, "a/b=1|", ": a: left out", false},
        {{TEXT("__MACOSX/._a", "1"), TEXT(".DS_Store", "2"), TEXT("hw/Thumbs.db", "2"),
          TEXT("desktop.ini", "3")},
         "",
         "",
         false},
        {{TEXT("a\x1b[2J", "1")}, "a\x1b[2J=1|", "", false},
        {{TEXT("../\x1b[2J", "1")}, "", "left out", false},
        {{TEXT("M\xc3\xbcller.c", "1")}, "M\xc3\xbcller.c=1|", "", false},
        {{TEXT("M\x81ller.c", "1")}, "M\x81ller.c=1|", "", false},
        {{{.name = "large", .size = 101}, TEXT("a", "y")},
         "a=y|",
         "large: left out: larger",
         false},
    };
    static const char *const formats[] = {"in.zip", "in.tar.gz"};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        for (size_t f = table[i].tar_only; f < 2; f++) {
            if (f && strstr(table[i].remarks, "larger"))
                continue; /* of a tar, what is skipped costs as much as what is taken */
            struct err e = ERR_INIT;
            struct remarks r = REMARKS_INIT;
            struct unpack_limits left = {1000, 100, 100};
            FREED_BY(strbuf_free) struct strbuf holds = STRBUF_INIT;
            assert_int_equal(test_dir_clear(NULL), 0);
            OWNED char *archive = make_archive(formats[f], table[i].member, MEMBERS_MOST),
                       *to = at("out");
            if (unpack(archive, "in", to, &left, &r, &e) != 0)
                fail_msg("%s, row %zu: %s", formats[f], i, e.text);
            describe(to, "", &holds);
            assert_string_equal(holds.s, table[i].holds);
            if (!strstr(r.text.s, table[i].remarks) || (!*table[i].remarks && r.count))
                fail_msg("%s, row %zu: remarks: %s", formats[f], i, r.text.s);
            assert_null(strchr(r.text.s, '\x1b'));
            strbuf_free(&r.text);
        }
}

TEST(limits)
{
    static const struct {
        const char *archive;
        struct member member[MEMBERS_MOST];
        struct unpack_limits most;
        const char *says;
    } table[] = {
        {"in.zip", {{.name = "a", .size = 5000000}}, {4000000, 9000000, 9}, "unpacks to more"},
        {"in.tar.gz", {{.name = "a", .size = 5000000}}, {4000000, 9000000, 9}, "unpacks to more"},
        {"in.tar.gz",
         {{.name = "../a", .size = 5000000}},
         {4000000, 9000000, 9},
         "unpacks to more"},
        {"in.zip",
         {{.name = "a", .size = 3000000}, {.name = "b", .size = 3000000}},
         {4000000, 9000000, 9},
         "unpacks to more"},
        {"in.zip", {TEXT("a", "1"), TEXT("b", "1"), TEXT("c", "1")}, {100, 100, 2}, "more files"},
        {"in.tar.gz",
         {TEXT("a", "1"), TEXT("b", "1"), TEXT("../c", "1")},
         {100, 100, 2},
         "more files"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct err e = ERR_INIT;
        struct remarks r = REMARKS_INIT;
        struct unpack_limits left = table[i].most;
        assert_int_equal(test_dir_clear(NULL), 0);
        OWNED char *archive = make_archive(table[i].archive, table[i].member, MEMBERS_MOST),
                   *to = at("out");
        assert_int_equal(unpack(archive, "in", to, &left, &r, &e), -1);
        assert_int_equal(e.kind, ERR_INPUT);
        if (!strstr(e.text, table[i].says))
            fail_msg("row %zu: %s", i, e.text);
        /* The next archive of the same student: nothing is allowed any more. */
        if (left.files == 0)
            assert_int_equal(unpack(archive, "in", to, &left, &r, &e), -1);
        assert_in_range(left.files, 0, table[i].most.files);
        strbuf_free(&r.text);
    }
}

TEST(damaged)
{
    static const char text[] = "this is no archive";
    struct member m[2] = {{.name = "a", .size = 100000}};
    struct unpack_limits left = {1000000, 1000000, 100};
    struct remarks r = REMARKS_INIT;
    struct err e = ERR_INIT;
    assert_int_equal(test_dir_clear(NULL), 0);
    OWNED char *to = at("out"), *path = at("text.zip"), *archive = make_archive("in.tar.gz", m, 2);
    OWNED char *data = NULL;
    size_t len;
    put_at("text.zip", text);
    assert_int_equal(unpack(path, "text.zip", to, &left, &r, &e), -1);
    assert_int_equal(e.kind, ERR_INPUT);
    assert_non_null(strstr(e.text, "text.zip: cannot be unpacked"));
    /* cut off */
    assert_int_equal(fs_read(archive, 1 << 20, &data, &len, NULL), 0);
    assert_int_equal(fs_write_atomic(archive, data, len / 2, NULL), 0);
    assert_int_equal(unpack(archive, "in", to, &left, &r, &e), -1);
    assert_int_equal(e.kind, ERR_INPUT);
}

#endif

TESTS(test_dir_make, test_dir_remove)

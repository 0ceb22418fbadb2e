#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "fuzz.h"

static void fill(int fd, const uint8_t *data, size_t size)
{
    FUZZ_ASSERT(ftruncate(fd, 0) == 0);
    for (size_t done = 0; done < size;) {
        ssize_t n = pwrite(fd, data + done, size - done, (off_t)done);
        FUZZ_ASSERT(n > 0);
        done += (size_t)n;
    }
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static char path[64];
    static int fd = -1;
    if (fd < 0) {
        fd = memfd_create("input", MFD_CLOEXEC);
        FUZZ_ASSERT(fd >= 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    fill(fd, data, size);
    return path;
}

static char directory[4096];

static void remove_directory(void)
{
    fs_remove_tree(directory, NULL);
}

const char *fuzz_directory(const char *name, const uint8_t *data, size_t size)
{
    const char *file = fuzz_file(data, size);
    if (!directory[0]) {
        const char *tmp = getenv("TMPDIR");
        snprintf(directory, sizeof directory, "%s/paragrade-fuzz-XXXXXX",
                 tmp && *tmp ? tmp : "/tmp");
        FUZZ_ASSERT(mkdtemp(directory));
        atexit(remove_directory);
        OWNED char *path = xasprintf("%s/%s", directory, name);
        FUZZ_ASSERT(symlink(file, path) == 0);
    }
    return directory;
}

char *fuzz_string(const uint8_t *data, size_t size)
{
    char *s = xcalloc(size + 1, 1);
    if (size)
        memcpy(s, data, size);
    return s;
}

void fuzz_refused(int rc, const struct err *e)
{
    FUZZ_ASSERT(rc == -1);
    FUZZ_ASSERT(e->kind == ERR_INPUT || e->kind == ERR_SYSTEM);
    FUZZ_ASSERT(e->text[0]);
}

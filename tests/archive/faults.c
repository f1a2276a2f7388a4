/* Fails or kills the process at the Nth write, truncation, sync or removal of a file whose path contains a name.
 *
 * Preloaded (LD_PRELOAD) into Python; the tests call fault_arm(name, N, kind) in a forked child. A write that fails for
 * lack of space, or in which the process is killed, has written half of its bytes before, as disks do.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { NONE, INPUT_OUTPUT_ERROR, NO_SPACE, KILL };

static char wanted[256];
static long at, calls;
static int kind;

void fault_arm(const char *name, long place, int what) {
    strncpy(wanted, name, sizeof wanted - 1);
    at = place;
    kind = what;
    calls = 0;
}

long fault_calls(void) { return calls; }

static int matters_path(const char *path) { return at && strstr(path, wanted) != NULL; }

static int matters(int fd) {
    char link[64], path[4096];
    if (!at) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return matters_path(path);
}

/* Whether this call fails. A full disk stays full, other errors happen once. */
static int fails(void) {
    calls++;
    return kind == NO_SPACE ? calls >= at : calls == at;
}

static int refuse(int is_write) {
    if (kind == KILL) kill(getpid(), SIGKILL);
    errno = kind == NO_SPACE && is_write ? ENOSPC : EIO;
    return -1;
}

#define NEXT(type, name, ...) static type (*real)(__VA_ARGS__); if (!real) real = dlsym(RTLD_NEXT, name)

#define WRITING(name, offset_type) \
    ssize_t name(int fd, const void *data, size_t count, offset_type offset) { \
        NEXT(ssize_t, #name, int, const void *, size_t, offset_type); \
        if (matters(fd) && fails()) { \
            if (kind != INPUT_OUTPUT_ERROR && real(fd, data, count / 2, offset) < 0) return -1; \
            return refuse(1); \
        } \
        return real(fd, data, count, offset); \
    }

WRITING(pwrite, off_t)
WRITING(pwrite64, off64_t)

ssize_t write(int fd, const void *data, size_t count) {
    NEXT(ssize_t, "write", int, const void *, size_t);
    if (matters(fd) && fails()) return refuse(1);
    return real(fd, data, count);
}

#define SYNCING(name) \
    int name(int fd) { \
        NEXT(int, #name, int); \
        if (matters(fd) && fails()) return refuse(0); \
        return real(fd); \
    }

SYNCING(fsync)
SYNCING(fdatasync)

#define TRUNCATING(name, offset_type) \
    int name(int fd, offset_type size) { \
        NEXT(int, #name, int, offset_type); \
        if (matters(fd) && fails()) return refuse(1); \
        return real(fd, size); \
    }

TRUNCATING(ftruncate, off_t)
TRUNCATING(ftruncate64, off64_t)

int unlink(const char *path) {
    NEXT(int, "unlink", const char *);
    if (matters_path(path) && fails()) return refuse(0);
    return real(path);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that glibc 2.28 has under other names, or in another library. Modules of wheels for it
 * contain them: headers and libstdc++ of a newer system call the new names. Nobody outside of a
 * module sees them. */
#define HIDDEN __attribute__((visibility("hidden")))

struct stat;

/* The version of struct stat, as sysdeps/unix/sysv/linux of glibc defines _STAT_VER. */
#ifdef __x86_64__
enum { version = 1 };
#else
enum { version = 0 };
#endif

int __fxstat(int version, int file, struct stat* status);
int __xstat(int version, char const* path, struct stat* status);
int __lxstat(int version, char const* path, struct stat* status);

HIDDEN int fstat(int file, struct stat* status) { return __fxstat(version, file, status); }
HIDDEN int fstat64(int file, struct stat* status) { return __fxstat(version, file, status); }
HIDDEN int stat(char const* path, struct stat* status) { return __xstat(version, path, status); }
HIDDEN int lstat(char const* path, struct stat* status) { return __lxstat(version, path, status); }

/* Each module has these functions itself: there they are in libc_nonshared.a. */
extern void* __dso_handle;
int __cxa_atexit(void (*function)(void*), void* argument, void* module);
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
                      void* module);

HIDDEN int atexit(void (*function)(void)) {
  return __cxa_atexit((void (*)(void*))function, 0, &__dso_handle);
}
HIDDEN int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
  return __register_atfork(prepare, parent, child, &__dso_handle);
}

/* The random numbers of std::random_device. */
int getentropy(void* bytes, unsigned long count);
void abort(void);

HIDDEN unsigned arc4random(void) {
  unsigned number;
  if (getentropy(&number, sizeof number) != 0) abort();
  return number;
}

/* 0: there may be other threads, so that shared_ptr always counts atomically. */
HIDDEN char __libc_single_threaded = 0;

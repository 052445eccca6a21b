/*
 * Preloaded into a program, it shifts what the wall clock says by the milliseconds in a file: eight bytes, mapped, so that a
 * test can make the clock jump while the program runs. Clocks that count from the machine's start stay as they are.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define MILLISECONDS 1000
#define NANOSECONDS 1000000000L

static const volatile int64_t *shift;

__attribute__((constructor)) static void open_shift(void) {
  const char *path = getenv("BULKHEAD_TEST_CLOCK");
  if (path == NULL) return;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) abort();
  void *mapped = mmap(NULL, sizeof *shift, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (mapped == MAP_FAILED) abort();
  shift = mapped;
}

static int shifted(clockid_t clock, struct timespec *now) {
  int result = (int)syscall(SYS_clock_gettime, clock, now);
  int isWall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
  if (result != 0 || !isWall || shift == NULL) return result;
  int64_t by = *shift;
  now->tv_sec += by / MILLISECONDS;
  now->tv_nsec += (by % MILLISECONDS) * (NANOSECONDS / MILLISECONDS);
  if (now->tv_nsec >= NANOSECONDS) {
    now->tv_nsec -= NANOSECONDS;
    now->tv_sec += 1;
  } else if (now->tv_nsec < 0) {
    now->tv_nsec += NANOSECONDS;
    now->tv_sec -= 1;
  }
  return 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) { return shifted(clock, now); }

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec exact;
  if (shifted(CLOCK_REALTIME, &exact) != 0) return -1;
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / MILLISECONDS;
  return 0;
}

time_t time(time_t *seconds) {
  struct timespec exact;
  if (shifted(CLOCK_REALTIME, &exact) != 0) return -1;
  if (seconds != NULL) *seconds = exact.tv_sec;
  return exact.tv_sec;
}

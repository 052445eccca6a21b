/*
 * cut-power FOLDER [MICROSECONDS]: after that time, stops the file system of FOLDER as a loss of power would. What is in memory only,
 * its journal included, never reaches the disk; every later write fails. The time begins with a byte on standard input.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* FS_IOC_SHUTDOWN of Linux, and its flag that flushes no log. */
#define SHUTDOWN _IOR('X', 125, uint32_t)
#define WITHOUT_LOG_FLUSH 2

int main(int argc, char **argv)
{
    uint32_t flag = WITHOUT_LOG_FLUSH;
    long wait = argc > 2 ? atol(argv[2]) : 0;
    struct timespec pause = {wait / 1000000, wait % 1000000 * 1000};
    char byte;
    int fd = argc > 1 ? open(argv[1], O_RDONLY | O_DIRECTORY) : -1;
    if (fd < 0) {
        perror("open");
        return 1;
    }
    if (argc > 2 && (read(0, &byte, 1) != 1 || nanosleep(&pause, NULL) != 0))
        return 1;
    if (ioctl(fd, SHUTDOWN, &flag) == 0)
        return 0;
    perror("shut down");
    return 1;
}

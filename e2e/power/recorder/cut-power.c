/* cut-power FOLDER: the file system of FOLDER writes nothing any more, its journal included, as if power had been lost. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>

#define SHUTDOWN _IOR('X', 125, uint32_t)
#define NO_LOG_FLUSH 2

int main(int count, char **args)
{
    uint32_t how = NO_LOG_FLUSH;
    int fd = count == 2 ? open(args[1], O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0 || ioctl(fd, SHUTDOWN, &how) < 0) {
        perror("cut-power");
        return 1;
    }
    return 0;
}

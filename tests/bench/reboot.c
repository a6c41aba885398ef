/*
 * The barest guest there is: pid 1, and all it does is end the machine.
 */
#include <sys/reboot.h>

int main(void)
{
	return reboot(RB_AUTOBOOT);
}

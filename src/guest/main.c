/*
 * The program of the guest: pid 1, or one of the loads.
 */
#include "guest/init.h"
#include "guest/load.h"

int main(int argc, char **argv)
{
	if (getpid() == 1)
		init_run();
	return load_main(argc, argv);
}

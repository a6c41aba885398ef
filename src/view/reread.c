#include "view/reread.h"

double reread_of(const struct signals *signals)
{
	double file = signals->value[SIG_REFAULT_FILE];
	double anon = signals->value[SIG_REFAULT_ANON];

	if (isnan(file))
		return anon;
	return isnan(anon) ? file : file + anon;
}

#pragma once
/*
 * What a slot of a load is about; the guest writes it, the figures read it.
 */
enum slot_kind {
	SLOT_SLOT,  /* a job that was due */
	SLOT_SIZE,  /* a sweep of an array */
	SLOT_PAUSE, /* a collector that stopped the world */
	SLOT_STEP,  /* an allocation of its heap */
	SLOT_WAIT,  /* what one of its workers waited */
	SLOT_KINDS,
};

#pragma once
/*
 * What the rules about the kubelet share; the rows are in rules_kubernetes.c.
 */
#include "audit/audit.h"
#include "audit/kube.h"

/* A kubelet is here and all of its configuration was read; else a result was added. */
bool kube_is_known(struct audit *audit, struct kube *kube);

/* Where a row stands, or without one the file it would stand in. */
const char *kube_where(struct facts *facts, const struct kube *kube,
		       const struct config_row *row);
const char *kube_bytes(struct facts *facts, uint64_t bytes);

/* Key and value of the step, in its folder of drop-ins, or where it has none, as an edit. */
void kube_fix(struct audit *audit, struct result *result, const struct kube *kube,
	      struct fix_step step);

void kube_refuses_swap(struct audit *audit);	    /* K8S-001 */
void kube_lets_system_swap(struct audit *audit);    /* K8S-002 */
void kube_evicts_nothing(struct audit *audit);	    /* K8S-004 */
void kube_evicts_late(struct audit *audit);	    /* K8S-005 */
void kube_throttles(struct audit *audit);	    /* K8S-007 */
void kube_kills_all(struct audit *audit);	    /* K8S-009 */
void kube_writes_tunables(struct audit *audit);	    /* K8S-010 */
void kube_swaps_control_plane(struct audit *audit); /* K8S-012 */

/// Idle rules of queues: which series that Prometheus has are of which GPUs of which pods, and
/// which groups do nothing by them. Sees the server through
/// [dev.berth.controllers.client.MetricsClient] alone, and tells the ledger; what follows is
/// decided by the planner.
@NullMarked
package dev.berth.controllers.idle;

import org.jspecify.annotations.NullMarked;

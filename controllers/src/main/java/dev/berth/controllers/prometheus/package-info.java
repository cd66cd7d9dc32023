/// The client to a Prometheus: HTTP and JSON, and no decision.
@NullMarked
package dev.berth.controllers.prometheus;

import org.jspecify.annotations.NullMarked;

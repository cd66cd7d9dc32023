/// Tests of what a log would have been under other queues.
@NullMarked
package dev.berth.cli.counterfactual;

import org.jspecify.annotations.NullMarked;

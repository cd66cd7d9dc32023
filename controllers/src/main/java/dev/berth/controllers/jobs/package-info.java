/// Looks after `batch/v1` Jobs as far as evictions concern them: tells those that a reclaim would
/// fail. Groups of their pods are read from the ledger; Jobs themselves from the watch. May import
/// the engine, `client` and `loop`.
@NullMarked
package dev.berth.controllers.jobs;

import org.jspecify.annotations.NullMarked;

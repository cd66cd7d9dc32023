/// `berth bench churn`: pods come and go. How much of what is offered is accepted? May import all
/// of the module but commands.
@NullMarked
package dev.berth.bench.churn;

import org.jspecify.annotations.NullMarked;

/// Policies read aloud ([Cluster]), laws over random worlds ([Worlds]), and what it costs
/// ([Bench]).
@NullMarked
package dev.berth.engine;

import org.jspecify.annotations.NullMarked;

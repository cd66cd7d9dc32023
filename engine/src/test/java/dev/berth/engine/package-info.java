/// The planner as a whole: policies read aloud, laws over random worlds, and what it costs
/// ([Bench]). A test of one type is in the package of that type.
///
/// The kits, for all packages of the engine: [Cluster] is a cluster in a few lines, with one round
/// over it ([Expectations]) and rounds as pods leave and start ([Aftermath]); [Worlds] draws small
/// random clusters, [Contests] such whose queues contend, [Settings] what is configured in them.
/// Tests of the ledger tell it facts by a kit of their own, `ledger.Sketch` and `ledger.Told`.
@NullMarked
package dev.berth.engine;

import org.jspecify.annotations.NullMarked;

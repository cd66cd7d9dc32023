/// The ledger told as stories ([RoomTest], [PlansTest] and their like) and held to its laws over
/// random worlds ([FactLawTest], [PlanLawTest]).
@NullMarked
package dev.berth.engine.model;

import org.jspecify.annotations.NullMarked;

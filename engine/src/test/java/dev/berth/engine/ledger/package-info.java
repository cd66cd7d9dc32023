/// The ledger told as stories ([RoomTest], [ReservationsTest] and their like) and held to its laws
/// over random worlds ([FactLawTest], [PlanLawTest]).
@NullMarked
package dev.berth.engine.ledger;

import org.jspecify.annotations.NullMarked;

package dev.berth.engine.action;

import dev.berth.engine.fairness.Orders;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.fairness.VictimCandidates;
import dev.berth.engine.placement.BlockPlacement;
import dev.berth.engine.placement.Strategy;
import dev.berth.engine.session.Session;
import dev.berth.engine.victims.Cancellation;
import dev.berth.engine.victims.SearchBudget;
import dev.berth.engine.victims.SearchProgress;

/// What the actions of one round share: shares stand still during it.
///
/// @param orders the order of turns, shared as long as nothing changes
/// @param candidates the candidates, lined up when first asked for
/// @param budget what all searches for victims together may do
/// @param cancellation where it drops the plan, actions stop where they are
/// @param progress how far those came that were cut short in earlier rounds
/// @param wideFrom beyond so many steps that may be asked for, a search is a wide one
public record Round(
    Session session,
    Shares shares,
    Orders orders,
    BlockPlacement blocks,
    Strategy strategy,
    VictimCandidates candidates,
    SearchBudget budget,
    Cancellation cancellation,
    SearchProgress progress,
    int wideFrom) {}

package dev.berth.engine.action;

import dev.berth.engine.fairness.Debtors;
import dev.berth.engine.fairness.Orders;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.placement.Blocks;
import dev.berth.engine.placement.Strategy;
import dev.berth.engine.session.Session;
import dev.berth.engine.victims.Budget;
import dev.berth.engine.victims.Cancellation;
import dev.berth.engine.victims.Progress;

/// What the actions of one round share: shares stand still during it.
///
/// @param orders who has his turn when, shared as long as nothing changes
/// @param debtors who may be asked to leave, lined up by the first who asks
/// @param budget what all searches for victims together may do
/// @param cancellation where it drops the plan, actions stop where they are
/// @param progress how far those came that were cut short in earlier rounds
/// @param wideFrom beyond so many steps that may be asked for, a search is a wide one
public record Round(
    Session session,
    Shares shares,
    Orders orders,
    Blocks blocks,
    Strategy strategy,
    Debtors debtors,
    Budget budget,
    Cancellation cancellation,
    Progress progress,
    int wideFrom) {}

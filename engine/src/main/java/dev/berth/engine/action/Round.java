package dev.berth.engine.action;

import dev.berth.engine.fairness.Shares;
import dev.berth.engine.placement.Blocks;
import dev.berth.engine.placement.Strategy;
import dev.berth.engine.session.Session;
import dev.berth.engine.victims.MinimalVictims.Budget;

/// What the actions of one round share: shares stand still during it.
///
/// @param budget trials that all searches for victims together may make
public record Round(
    Session session, Shares shares, Blocks blocks, Strategy strategy, Budget budget) {}

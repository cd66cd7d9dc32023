package dev.berth.engine.fairness;

import dev.berth.engine.session.EvictionUnit;
import dev.berth.engine.session.Group;

/// A step that was chosen.
public record ChosenUnit(Group group, EvictionUnit unit) {}

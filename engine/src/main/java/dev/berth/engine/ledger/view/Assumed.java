package dev.berth.engine.ledger.view;

import dev.berth.engine.model.Pod;
import dev.berth.engine.model.WrittenPlan;

/// A plan that is kept for a pod.
public record Assumed(Pod pod, WrittenPlan plan) {}

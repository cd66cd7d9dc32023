package dev.berth.extender.verbs;

import dev.berth.extender.barrier.Timer;

/// What waits of binds are measured by: the time, and how long each may last.
public record BindClock(Timer timer, BindSettings limits) {}

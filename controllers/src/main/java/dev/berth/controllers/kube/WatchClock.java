package dev.berth.controllers.kube;

import java.time.InstantSource;
import java.util.function.DoubleSupplier;

/// What pauses are measured and drawn by.
///
/// @param chance 0 to below 1
public record WatchClock(InstantSource time, DoubleSupplier chance) {}

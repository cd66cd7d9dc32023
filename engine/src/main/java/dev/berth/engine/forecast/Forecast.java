package dev.berth.engine.forecast;

import java.time.Instant;

/// When a group that waits is likely to start.
///
/// @param median by then with a probability of one half
/// @param p90 by then with a probability of nine tenths; not before the median
public record Forecast(Instant median, Instant p90) {}

package dev.berth.controllers.client;

import java.time.Instant;

/// A condition of a pod that says what becomes of it.
///
/// @param type such as `berth.dev/EndsSoon`
/// @param since when it last turned
/// @param message empty where it is false
public record PodWarning(
    String type, boolean isTrue, String reason, Instant since, String message) {}

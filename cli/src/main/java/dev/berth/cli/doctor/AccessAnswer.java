package dev.berth.cli.doctor;

/// What the API server said of one right.
///
/// @param failure why it could not be asked; empty = it was
public record AccessAnswer(Right right, boolean allowed, String failure) {}

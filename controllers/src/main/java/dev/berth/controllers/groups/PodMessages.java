package dev.berth.controllers.groups;

/// What pods are told.
///
/// @param reasons why they wait
/// @param warnings that they end soon
public record PodMessages(PodReasons reasons, EndWarnings warnings) {}

package dev.berth.controllers.grouping.kinds;

/// All that the spec of a gang depends on of one member, besides the subject. Members with equal
/// traits are interchangeable, so that a gang is shaped anew only if its traits change.
///
/// @param ofRule what the rule of the kind reads ([Rule#trait])
/// @param surplus it has no role
/// @param said what its owners say
public record Trait(Object ofRule, boolean surplus, OwnerLabels said) {}

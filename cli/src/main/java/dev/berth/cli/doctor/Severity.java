package dev.berth.cli.doctor;

/// How much a finding matters, the least first.
public enum Severity {
  /// It was looked at, and is as it should be.
  OK,
  /// Works, but less than it could; or could not be looked at.
  WARN,
  /// Something that Berth promises does not work.
  ERROR
}

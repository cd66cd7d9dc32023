package dev.berth.cli.doctor;

/// One thing that a check found.
///
/// @param check constant id `group/Code`, the same in every release
/// @param object such as `node gpu-1`; findings that differ by it alone are shown as one line
/// @param sentence what is so, without the object, without a full stop
/// @param wayOut whole sentences; empty = nothing is to be done
public record Finding(
    Severity severity, String check, String object, String sentence, String wayOut) {

  static Finding ok(String check, String object, String sentence) {
    return new Finding(Severity.OK, check, object, sentence, "");
  }

  static Finding warn(String check, String object, String sentence, String wayOut) {
    return new Finding(Severity.WARN, check, object, sentence, wayOut);
  }

  static Finding error(String check, String object, String sentence, String wayOut) {
    return new Finding(Severity.ERROR, check, object, sentence, wayOut);
  }

  /// The part of the id before the slash.
  String group() {
    return check.substring(0, check.indexOf('/'));
  }
}

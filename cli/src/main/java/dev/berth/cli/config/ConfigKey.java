package dev.berth.cli.config;

/// A key of the configuration file, as the code that reads it describes it. Pages are made of it.
///
/// @param path from the top of the file; `[]` stands for each element of a list
/// @param type of its value, with the unit where that is a number
/// @param byDefault what holds where the file leaves it out, as it would be written there
/// @param bounds of its value; empty = none
/// @param says what it sets, in sentences
/// @param replica that it has an effect in
record ConfigKey(
    String path, String type, String byDefault, String bounds, String says, Replica replica) {
  /// A mapping or a list of mappings, which has no value of its own.
  static final String SECTION = "section";

  /// Which of the processes that run beside each other uses a setting.
  enum Replica {
    /// The one that has the lease: standbys read the setting, and use it once they lead.
    LEADER,
    /// Each, whether it leads or stands by.
    EVERY
  }

  boolean isSection() {
    return type.equals(SECTION);
  }
}

package dev.berth.cli;

/// What help says of exit statuses, in the words that several commands share.
final class ExitStatus {
  static final String HEADING = "%nExit status:%n";

  /// Of a command line that cannot be read, which the library tells.
  static final String WRONG_OPTIONS = "2:An option or an argument is wrong.";

  static final String LISTED = "0:The table was printed.";
  static final String NOT_LISTED =
      "2:It was not: an option is wrong, or the cluster or the file cannot be read.";

  static final String TOLD = "0:It was told.";
  static final String NOT_TOLD =
      "2:It was not: an option is wrong, or the cluster or the file cannot be read.";

  private ExitStatus() {}
}

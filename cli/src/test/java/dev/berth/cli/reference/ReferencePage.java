package dev.berth.cli.reference;

/// A page of `docs/reference`.
///
/// @param file its name
/// @param says what is on it, for the index
public record ReferencePage(String file, String title, String says, String body) {
  private static final String MADE =
      "<!-- Made from the code by .ci/reference, and compared by ReferenceTest. Not edited by hand."
          + " -->";

  @Override
  public String toString() {
    return file;
  }

  public String text() {
    return MADE + "\n\n# " + title + "\n\n" + body;
  }
}

package dev.berth.engine.model;

/// Names that objects of Kubernetes may have.
///
/// Source: RFC 1123 subdomains, as [Object Names and
/// IDs](https://kubernetes.io/docs/concepts/overview/working-with-objects/names) says.
public final class ObjectNames {
  /// What they are made of, for messages.
  public static final String RULE = "lower case letters, digits, - and .";

  private static final int LONGEST = 253;

  private ObjectNames() {}

  /// Whether an object may have this name: words of lower case letters, digits and `-`, none of
  /// which begins or ends with `-`, joined by dots; at most 253 characters.
  public static boolean isOne(String name) {
    if (name.isEmpty() || name.length() > LONGEST) {
      return false;
    }
    char before = '.';
    for (int i = 0; i < name.length(); i++) {
      char next = name.charAt(i);
      boolean isAlphanumeric = next >= 'a' && next <= 'z' || next >= '0' && next <= '9';
      boolean isAllowed =
          isAlphanumeric || next == '-' && before != '.' || next == '.' && isEndOfWord(before);
      if (!isAllowed) {
        return false;
      }
      before = next;
    }
    return isEndOfWord(before);
  }

  private static boolean isEndOfWord(char last) {
    return last != '.' && last != '-';
  }
}

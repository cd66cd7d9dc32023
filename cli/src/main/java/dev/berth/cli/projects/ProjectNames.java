package dev.berth.cli.projects;

import java.util.List;
import java.util.regex.Pattern;

/// Names that a project may give: those that the API server takes, and that a label can have.
final class ProjectNames {
  static final String QUEUE_RULE =
      "at most 63 lower-case letters, digits, - and ., and begins and ends with a letter or a"
          + " digit, like vision or research.vision.";

  static final String NAMESPACE_RULE =
      "a namespace is called by at most 63 lower-case letters, digits and -, and begins and ends"
          + " with a letter or a digit, like vision-dev.";

  /// Values that one condition of a Queue's selector may have.
  static final int MOST_NAMESPACES = 64;

  static final double LARGEST_WEIGHT = 1_000_000;

  /// Names of clients that have not logged in.
  static final List<String> ANONYMOUS = List.of("system:unauthenticated", "system:anonymous");

  /// Groups that nearly every client is in.
  static final List<String> EVERY_CLIENT =
      List.of("system:authenticated", "system:serviceaccounts");

  private static final int LONGEST = 63;
  private static final int LONGEST_CLASS = 200;
  private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final Pattern NAMESPACE = Pattern.compile(LABEL);
  private static final Pattern SUBDOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");

  private static final Pattern DURATION =
      Pattern.compile("([0-9]{1,9}([.][0-9]{1,9})?(ns|us|µs|ms|s|m|h)){1,4}|0");

  private ProjectNames() {}

  static boolean isDuration(String text) {
    return DURATION.matcher(text).matches();
  }

  /// A name that both a Queue and the label that names it can have.
  static boolean isQueue(String name) {
    return name.length() <= LONGEST && SUBDOMAIN.matcher(name).matches();
  }

  static boolean isNamespace(String name) {
    return name.length() <= LONGEST && NAMESPACE.matcher(name).matches();
  }

  static boolean isPriorityClass(String name) {
    return name.length() <= LONGEST_CLASS && SUBDOMAIN.matcher(name).matches();
  }

  /// `NAMESPACE/NAME`.
  static boolean isAccount(String account) {
    int slash = account.indexOf('/');
    return slash > 0
        && isNamespace(account.substring(0, slash))
        && SUBDOMAIN.matcher(account.substring(slash + 1)).matches();
  }

  /// Whether the cluster or Berth itself lives there.
  static boolean isOfTheSystem(String namespace) {
    return namespace.startsWith("kube-") || namespace.equals("berth-system");
  }
}

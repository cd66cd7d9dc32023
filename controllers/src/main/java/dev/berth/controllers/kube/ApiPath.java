package dev.berth.controllers.kube;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Watcher.Kind;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/// The path and query of a call to the API server. This is the only place where URLs are built:
/// what reaches one is a constant of Berth or a name that Kubernetes could have admitted. Anything
/// else is refused before a request exists, so no tenant's string adds a segment, a query or a
/// host.
///
/// Immutable. Names are those of DNS (RFC 1123), as every object has that Berth addresses; none of
/// their characters means anything in a URL.
final class ApiPath {
  /// As in Kubernetes.
  private static final int LONGEST_NAME = 253;

  private final String text;
  private final String namespace;

  private ApiPath(String text, String namespace) {
    this.text = text;
    this.namespace = namespace;
  }

  private ApiPath(String text) {
    this(text, "");
  }

  /// A path of which no part comes from an object.
  ///
  /// @param text from the root, with its query
  static ApiPath fixed(String text) {
    return new ApiPath(text);
  }

  /// The resources of a kind in all namespaces.
  static ApiPath all(Kind kind) {
    return new ApiPath(kind.path());
  }

  /// What serves a version.
  ///
  /// @param apiVersion `v1` or `apps/v1`
  /// @throws ClientException `REFUSED` where that is not the version of any API
  static ApiPath root(String apiVersion) throws ClientException {
    int slash = apiVersion.indexOf('/');
    return slash < 0
        ? new ApiPath("/api").then("API version", apiVersion)
        : group(apiVersion.substring(0, slash))
            .then("API version", apiVersion.substring(slash + 1));
  }

  /// What serves a group.
  static ApiPath group(String group) throws ClientException {
    return new ApiPath("/apis").then("API group", group);
  }

  /// The resources of a kind in one namespace.
  static ApiPath in(String apiVersion, String namespace, String plural) throws ClientException {
    return root(apiVersion).in(namespace).resource(plural);
  }

  ApiPath in(String namespace) throws ClientException {
    var all = new ApiPath(text + "/namespaces", namespace);
    return all.then("namespace", namespace);
  }

  /// @param plural such as `pods`
  ApiPath resource(String plural) throws ClientException {
    return then("resource", plural);
  }

  ApiPath named(String name) throws ClientException {
    return then("name", name);
  }

  /// @param name a word of Berth, such as `status`
  ApiPath subresource(String name) throws ClientException {
    return then("subresource", name);
  }

  /// With one more parameter, encoded.
  ApiPath with(String parameter, String value) {
    return new ApiPath(
        text
            + (text.indexOf('?') < 0 ? "?" : "&")
            + parameter
            + "="
            + URLEncoder.encode(value, StandardCharsets.UTF_8),
        namespace);
  }

  private ApiPath then(String what, String segment) throws ClientException {
    if (!isName(segment)) {
      throw new ClientException(
          ClientException.Kind.REFUSED,
          "not sent: the " + what + " is " + shown(segment) + ", which no object can be called");
    }
    return new ApiPath(text + "/" + segment, namespace);
  }

  /// Whether Kubernetes could have admitted an object of that name.
  static boolean isName(String text) {
    if (text.isEmpty() || text.length() > LONGEST_NAME) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      boolean inside = i > 0 && i < text.length() - 1;
      if (!(each >= 'a' && each <= 'z' || each >= '0' && each <= '9')
          && !(inside && (each == '-' || each == '.'))) {
        return false;
      }
    }
    return !text.contains("..");
  }

  /// Its beginning, with nothing that ends a line.
  private static String shown(String text) {
    String begin = text.length() > 64 ? text.substring(0, 64) + "…" : text;
    var shown = new StringBuilder(begin.length() + 2).append('"');
    begin.chars().forEach(each -> shown.append(Character.isISOControl(each) ? '?' : (char) each));
    return shown.append('"').toString();
  }

  /// Empty = it leads to no object of a namespace.
  String namespace() {
    return namespace;
  }

  @Override
  public String toString() {
    return text;
  }
}

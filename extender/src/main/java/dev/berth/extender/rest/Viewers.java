package dev.berth.extender.rest;

import dev.berth.extender.rest.ApiProblem.Kind;
import dev.berth.extender.rest.answer.Visible;
import java.util.Locale;

/// Tells what a client may see. Any thread; may wait for the API server.
public interface Viewers {
  /// @param authorization the header of that name; empty = none
  /// @param host the header of that name, as the client wrote it
  /// @throws ApiProblem the client is unknown, or its rights could not be checked
  Visible viewer(String authorization, String host);

  /// All clients see everything; for a server that listens on loopback alone. A page of another
  /// site that makes its own name lead to this address is refused: it comes with that name.
  Viewers ON_LOOPBACK =
      (_, host) -> {
        String name = host.replaceFirst(":\\d*$", "").toLowerCase(Locale.ROOT);
        if (!name.equals("localhost") && !name.equals("127.0.0.1") && !name.equals("[::1]")) {
          throw new ApiProblem(
              Kind.FORBIDDEN,
              "Host",
              "Host is \"" + name + "\", but must be localhost: open http://localhost");
        }
        return Visible.ALL;
      };
}

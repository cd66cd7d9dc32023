package dev.berth.extender.tls;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Where [Issuer] keeps certificates between its lives, and where kube-scheduler finds its own.
public interface SecretStore {
  /// As it is now, past every cache; empty = there is none.
  Optional<Secret> read(String name) throws Unavailable;

  /// Writes it, unless it was written since; one without a version is created.
  ///
  /// @return false = another replica was faster
  boolean write(String name, Secret secret) throws Unavailable;

  /// @param data file name → text
  /// @param version empty = not written yet
  record Secret(SortedMap<String, String> data, String version) {
    public Secret {
      data = Collections.unmodifiableSortedMap(new TreeMap<>(data));
    }

    Secret with(Map<String, String> other) {
      return new Secret(new TreeMap<>(other), version);
    }

    String file(String name) {
      return data.getOrDefault(name, "");
    }
  }

  /// It can be neither read nor written now; the message says why.
  final class Unavailable extends Exception {
    private static final long serialVersionUID = 1;

    public Unavailable(String message, Throwable cause) {
      super(message, cause);
    }
  }
}

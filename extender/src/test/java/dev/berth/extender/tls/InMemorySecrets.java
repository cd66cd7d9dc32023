package dev.berth.extender.tls;

import java.util.Optional;
import java.util.TreeMap;

/// Secrets as kube-apiserver keeps them: a write that does not know the last one is lost.
final class InMemorySecrets implements SecretStore {
  final TreeMap<String, Secret> secrets = new TreeMap<>();
  boolean isAway;

  /// What happens between a read and the write that follows.
  Runnable meanwhile = () -> {};

  private int versions;

  @Override
  public Optional<Secret> read(String name) throws Unavailable {
    if (isAway) {
      throw new Unavailable("no answer", new IllegalStateException());
    }
    return Optional.ofNullable(secrets.get(name));
  }

  @Override
  public boolean write(String name, Secret secret) {
    var then = meanwhile;
    meanwhile = () -> {};
    then.run();
    var before = Optional.ofNullable(secrets.get(name)).map(Secret::version).orElse("");
    if (!before.equals(secret.version())) {
      return false;
    }
    secrets.put(name, new Secret(secret.data(), "v" + ++versions));
    return true;
  }
}

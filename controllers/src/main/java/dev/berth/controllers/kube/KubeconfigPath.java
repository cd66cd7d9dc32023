package dev.berth.controllers.kube;

import java.io.File;
import java.nio.file.Path;
import java.util.Map;

/// The kubeconfig that kubectl would read.
final class KubeconfigPath {
  private KubeconfigPath() {}

  /// The first file of `KUBECONFIG`, else `.kube/config` in `HOME`.
  ///
  /// @param userHome the home directory of the account, for where `HOME` is not set: the JVM takes
  ///   it from there alone
  static Path of(Map<String, String> environment, String userHome) {
    String named = environment.getOrDefault("KUBECONFIG", "");
    if (!named.isEmpty()) {
      return Path.of(named.split(File.pathSeparator, -1)[0]);
    }
    String home = environment.getOrDefault("HOME", "");
    return Path.of(home.isEmpty() ? userHome : home, ".kube", "config");
  }
}

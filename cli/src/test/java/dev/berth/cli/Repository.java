package dev.berth.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/// The repository that tests read pages and sources of.
final class Repository {
  private Repository() {}

  /// Its top folder, from whichever folder below it a test runs in.
  static Path root() {
    Path here = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(here.resolve("engine")) || !Files.isDirectory(here.resolve("cli"))) {
      here = here.getParent();
    }
    return here;
  }
}

package dev.berth.cli.config;

import dev.berth.cli.decisions.DecisionFolder;
import dev.berth.engine.model.Resource;
import dev.berth.engine.request.Quantities;
import java.nio.file.Path;
import java.util.Optional;

/// Whether and where the decision log is written.
///
/// @param directory empty = it is not
/// @param maxBytes of all of its files together
public record DecisionLogConfig(Optional<Path> directory, long maxBytes) {
  private static final long LEAST = 16L << 20;
  private static final String USUAL = "1Gi";

  /// Empty = it is not written.
  public Optional<DecisionFolder> folder() {
    return directory.map(path -> new DecisionFolder(path, maxBytes));
  }

  static DecisionLogConfig read(Section section) {
    var directory =
        section.text(
            "directory",
            "Folder where each plan is logged, for `berth replay`. Empty means nowhere.",
            "");
    var text =
        section.text(
            "maxBytes",
            "Most bytes of all files together; the oldest are deleted.",
            USUAL,
            new Form("quantity of bytes", "16Mi or more"));
    var bytes = Quantities.amount(Resource.MEMORY, text);
    section.unless(
        bytes.orElse(0) >= LEAST, "maxBytes", text, "a quantity of bytes from 16Mi, like 1Gi");
    return new DecisionLogConfig(
        directory.isEmpty() ? Optional.empty() : Optional.of(Path.of(directory)),
        Math.max(LEAST, bytes.orElse(0)));
  }
}

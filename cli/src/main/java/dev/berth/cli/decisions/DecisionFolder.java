package dev.berth.cli.decisions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// The folder of a decision log: its files are called by the moment at which they begin, so that
/// the order of their names is that of time. What is called otherwise is not touched.
///
/// @param most bytes of all files together; the oldest are deleted
public record DecisionFolder(Path path, long most) {
  private static final Pattern NAME =
      Pattern.compile("decisions-\\d{8}T\\d{6}\\.\\d{3}Z-\\d{4}\\.log\\.gz");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final int MOST_A_MOMENT = 10_000;

  /// The files of a log, the oldest first: those of a folder, or one file.
  ///
  /// @throws DecisionLogException where there is none
  public static List<Path> files(Path place) throws IOException, DecisionLogException {
    if (Files.isRegularFile(place)) {
      return List.of(place);
    }
    if (!Files.isDirectory(place)) {
      throw new DecisionLogException("there is no file and no folder " + place);
    }
    var files = inFolder(place);
    if (files.isEmpty()) {
      throw new DecisionLogException("there is no file decisions-*.log.gz in " + place);
    }
    return files;
  }

  private static List<Path> inFolder(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files
          .filter(file -> NAME.matcher(file.getFileName().toString()).matches())
          .sorted()
          .toList();
    }
  }

  /// A new file; makes room for it first.
  ///
  /// @param size to which it may grow
  DecisionFile begin(Instant now, long size) throws IOException {
    Files.createDirectories(path);
    makeRoom(size);
    for (int i = 0; i < MOST_A_MOMENT; i++) {
      var name = String.format(Locale.ROOT, "decisions-%s-%04d.log.gz", TIME.format(now), i);
      if (!Files.exists(path.resolve(name))) {
        return new DecisionFile(path.resolve(name));
      }
    }
    throw new IOException("there are too many files of " + now + " in " + path);
  }

  private void makeRoom(long size) throws IOException {
    var files = inFolder(path);
    long used = 0;
    for (Path file : files) {
      used += Files.size(file);
    }
    for (int i = 0; i < files.size() && used + size > most; i++) {
      used -= Files.size(files.get(i));
      Files.delete(files.get(i));
    }
  }
}

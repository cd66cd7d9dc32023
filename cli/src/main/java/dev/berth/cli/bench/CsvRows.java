package dev.berth.cli.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;

/// Rows of a CSV file without its header.
public final class CsvRows {
  private CsvRows() {}

  /// @param file plain or gzip
  public static List<String[]> of(Path file) {
    try (var raw = Files.newInputStream(file);
        var plain = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
        var reader = new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8))) {
      return reader.lines().skip(1).map(line -> line.split(",", -1)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

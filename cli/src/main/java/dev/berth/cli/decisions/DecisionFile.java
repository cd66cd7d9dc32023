package dev.berth.cli.decisions;

import dev.berth.engine.format.ValueFormat;
import dev.berth.engine.replay.LogEntry;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPOutputStream;

/// A file of a decision log, being written: gzip of a title, the number of this format, the
/// fingerprint of the types, and entries, each with its length before it. Begins with
/// [LogEntry.Begin].
///
/// Of one thread at a time.
final class DecisionFile implements AutoCloseable {
  static final String TITLE = "berth decision log";

  /// Of what stands around the entries.
  static final int VERSION = 1;

  static final ValueFormat<LogEntry> ENTRIES = new ValueFormat<>(LogEntry.class);

  private static final int BUFFER = 1 << 16;

  /// The reader of a file keeps so many objects.
  private static final int MOST_OBJECTS = 300_000;

  /// In a large cluster the first snapshot alone has more.
  private static final int GROWTH = 3;

  private final Path path;
  private final CountingStream counting;
  private final DataOutputStream out;
  private final ValueFormat<LogEntry>.Writer writer = ENTRIES.new Writer();
  private final SameDecisions same = new SameDecisions();
  private long entries;
  private int first; // objects written with the first snapshot

  /// @throws IOException where there is such a file, too
  DecisionFile(Path path) throws IOException {
    this.path = path;
    counting = new CountingStream(Files.newOutputStream(path, StandardOpenOption.CREATE_NEW));
    out = new DataOutputStream(new GZIPOutputStream(counting, BUFFER, true));
    out.writeUTF(TITLE);
    out.writeInt(VERSION);
    out.writeUTF(ENTRIES.fingerprint());
  }

  Path path() {
    return path;
  }

  void write(LogEntry entry) throws IOException {
    var bytes = writer.write(same.in(entry));
    out.writeInt(bytes.length);
    out.write(bytes);
    entries++;
    first = entries == 2 ? writer.written() : first;
  }

  /// What was written so far can be read, even if the process is killed.
  void flush() throws IOException {
    out.flush();
  }

  /// Bytes on disk.
  long size() {
    return counting.count();
  }

  /// Whether so much was written that its reader would keep too much in memory.
  boolean hasTooMuch() {
    return writer.written() > Math.max(MOST_OBJECTS, GROWTH * first);
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}

package dev.berth.cli.decisions;

import dev.berth.engine.format.FormatException;
import dev.berth.engine.format.ValueFormat;
import dev.berth.engine.replay.LogEntry;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/// Reads what a [DecisionFile] wrote, entry by entry.
///
/// Of one thread at a time.
public final class DecisionFileReader implements AutoCloseable {
  private static final int MOST = 1 << 30;

  private final Path path;
  private final DataInputStream in;
  private final ValueFormat<LogEntry>.Reader reader = DecisionFile.ENTRIES.new Reader();
  private boolean isCut;

  /// @throws DecisionLogException where it is no such file, or one that another build wrote
  public DecisionFileReader(Path path) throws IOException, DecisionLogException {
    this.path = path;
    this.in = open(path);
    try {
      readTitle();
    } catch (IOException | DecisionLogException refused) {
      in.close();
      throw refused;
    }
  }

  private static DataInputStream open(Path path) throws IOException, DecisionLogException {
    var file = Files.newInputStream(path);
    try {
      return new DataInputStream(new BufferedInputStream(new GZIPInputStream(file)));
    } catch (ZipException | EOFException notGzip) {
      file.close();
      throw new DecisionLogException(path + " is no decision log: it is not compressed as one");
    } catch (IOException failed) {
      file.close();
      throw failed;
    }
  }

  private void readTitle() throws IOException, DecisionLogException {
    try {
      if (!in.readUTF().equals(DecisionFile.TITLE)) {
        throw new DecisionLogException(path + " is no decision log: it does not begin as one");
      }
      int version = in.readInt();
      if (version != DecisionFile.VERSION) {
        throw new DecisionLogException(
            path
                + " has version "
                + version
                + " of the format, and this Berth reads version "
                + DecisionFile.VERSION
                + ": use the Berth that wrote it");
      }
      if (!in.readUTF().equals(DecisionFile.ENTRIES.fingerprint())) {
        throw new DecisionLogException(
            path
                + " was written by a Berth that knows other things of a cluster than this one ("
                + "the fingerprints of its types differ): use the Berth that wrote it");
      }
    } catch (EOFException | java.io.UTFDataFormatException short1) {
      throw new DecisionLogException(path + " is no decision log: it ends before it begins");
    }
  }

  /// Empty = the end.
  ///
  /// @throws DecisionLogException where an entry is broken
  public Optional<LogEntry> next() throws IOException, DecisionLogException {
    try {
      int first = in.read();
      if (first < 0) {
        return Optional.empty();
      }
      int length = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
      if (length < 0 || length > MOST) {
        throw new DecisionLogException(path + " has an entry of " + length + " bytes");
      }
      var bytes = in.readNBytes(length);
      if (bytes.length < length) {
        throw new EOFException();
      }
      return Optional.of(reader.read(bytes));
    } catch (EOFException killed) {
      isCut = true;
      return Optional.empty();
    } catch (ZipException | FormatException broken) {
      throw new DecisionLogException(path + " is broken: " + broken.getMessage());
    }
  }

  /// Whether the end came in the middle: the process that wrote it is at it still, or was killed.
  public boolean isCut() {
    return isCut;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}

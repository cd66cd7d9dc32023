package dev.berth.cli.decisions;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/// Counts what goes through.
final class CountingStream extends FilterOutputStream {
  private long count;

  CountingStream(OutputStream out) {
    super(out);
  }

  long count() {
    return count;
  }

  @Override
  public void write(int value) throws IOException {
    out.write(value);
    count++;
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    out.write(bytes, from, length);
    count += length;
  }
}

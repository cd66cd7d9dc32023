package dev.berth.extender.tls;

import java.nio.ByteBuffer;

/// Counts the frames that a client sends over HTTP/2. For one thread at a time.
///
/// Source: RFC 9113, sections 3.4 (the preface) and 4.1 (the header of a frame).
final class Http2Frames {
  private static final int PREFACE = 24; // bytes, of the client's
  private static final int HEADER = 9;
  private static final int LENGTH = 3;

  private int toSkip = PREFACE;
  private int inHeader; // bytes of it that have come
  private int length;

  /// Frames whose header ends among the next bytes.
  int begin(ByteBuffer next) {
    int begun = 0;
    while (next.hasRemaining()) {
      int skipped = Math.min(toSkip, next.remaining());
      if (skipped > 0) {
        next.position(next.position() + skipped);
        toSkip -= skipped;
        continue;
      }
      int octet = next.get() & 0xff;
      length = inHeader < LENGTH ? length << 8 | octet : length;
      if (++inHeader == HEADER) {
        begun++;
        toSkip = length;
        inHeader = 0;
        length = 0;
      }
    }
    return begun;
  }
}

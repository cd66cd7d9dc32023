package dev.berth.controllers.kube;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// JSON in which no escape is half a surrogate pair. The API server writes characters as they are,
/// and keeps escapes only where it keeps JSON as a tenant sent it (parameters of a driver in a
/// claim): there Jackson refuses halves in names of fields, and with one object all that follow.
/// Escapes of d800 to dfff become those of d700 to d7ff.
final class WholeCharacters extends FilterInputStream {
  private State state = State.TEXT;

  private enum State {
    TEXT,
    /// After a backslash.
    ESCAPE,
    /// After its u.
    HEX,
    /// After its first digit, d.
    HIGH
  }

  WholeCharacters(InputStream json) {
    super(json);
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int most) throws IOException {
    int count = super.read(into, from, most);
    for (int i = from; i < from + count; i++) {
      byte next = into[i];
      if (state == State.TEXT) {
        state = next == '\\' ? State.ESCAPE : State.TEXT;
      } else {
        into[i] = inEscape(next);
      }
    }
    return count;
  }

  private byte inEscape(byte next) {
    byte written = next;
    switch (state) {
      case TEXT, ESCAPE -> state = next == 'u' ? State.HEX : State.TEXT;
      case HEX -> state = next == 'd' || next == 'D' ? State.HIGH : State.TEXT;
      case HIGH -> {
        written = next >= '0' && next <= '7' ? next : (byte) '7';
        state = State.TEXT;
      }
    }
    return written;
  }
}

package dev.berth.extender.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.engine.model.NodeName;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Node names that were on the wire before, so that reading one is a comparison of bytes.
///
/// kube-scheduler sends the same names in nearly the same order again and again: each name
/// remembers the one that followed it, and only a wrong guess is hashed (39 µs for 5,000 names, 293
/// µs by hashing each). Safe for any number of threads: entries are immutable but for that guess,
/// which may be wrong at no other cost than time. Holds [#MOST] names and then starts over.
public final class KnownNames {
  static final int MOST = 1 << 16;

  /// Open addressing, at most half full.
  private @Nullable KnownName[] table = new KnownName[1 << 10];

  private int size;

  private volatile KnownName start = new KnownName(NodeName.NONE);

  /// Reads an array of names, the cursor before its bracket.
  NodeNames read(Cursor cursor) throws UnreadableQuestion {
    cursor.expect('[');
    var names = new KnownName[64];
    int count = 0;
    KnownName previous = start;
    while (cursor.peek() != ']') {
      if (count > 0) {
        cursor.expect(',');
        cursor.peek();
      }
      KnownName guess = previous.successor;
      byte[] quoted = guess.quoted;
      int end = cursor.at + quoted.length;
      if (end <= cursor.body.length
          && Arrays.equals(cursor.body, cursor.at, end, quoted, 0, quoted.length)) {
        cursor.at = end;
      } else {
        guess = readName(cursor);
        previous.successor = guess;
      }
      if (count == names.length) {
        names = Arrays.copyOf(names, count * 2);
      }
      names[count++] = guess;
      previous = guess;
    }
    cursor.at++;
    return new NodeNames(Arrays.copyOf(names, count));
  }

  private KnownName readName(Cursor cursor) throws UnreadableQuestion {
    int from = cursor.at;
    cursor.expect('"');
    if (cursor.skipString()) { // no node is called so, but the answer must name it all the same
      return new KnownName(new NodeName(decoded(cursor.body, from, cursor.at)));
    }
    return intern(cursor.body, from, cursor.at);
  }

  private static String decoded(byte[] body, int from, int to) throws UnreadableQuestion {
    try {
      return Json.MAPPER.readValue(body, from, to - from, String.class);
    } catch (IOException cause) {
      throw UnreadableQuestion.because("NodeNames", cause);
    }
  }

  private synchronized KnownName intern(byte[] body, int from, int to) {
    int hash = KnownName.hash(body, from, to);
    int mask = table.length - 1;
    int at = hash & mask;
    for (KnownName entry = table[at]; entry != null; entry = table[at]) {
      if (entry.hash == hash
          && Arrays.equals(body, from, to, entry.quoted, 0, entry.quoted.length)) {
        return entry;
      }
      at = (at + 1) & mask;
    }
    var added = new KnownName(new NodeName(new String(body, from + 1, to - from - 2, UTF_8)));
    table[at] = added;
    size++;
    makeRoom();
    return added;
  }

  private void makeRoom() {
    if (size >= MOST) { // names of nodes long gone, or a client plays with Berth
      table = new KnownName[1 << 10];
      start = new KnownName(NodeName.NONE);
      size = 0;
    } else if (size * 2 > table.length) {
      var larger = new KnownName[table.length * 2];
      for (KnownName entry : table) {
        if (entry != null) {
          int at = entry.hash & (larger.length - 1);
          while (larger[at] != null) {
            at = (at + 1) & (larger.length - 1);
          }
          larger[at] = entry;
        }
      }
      table = larger;
    }
  }
}

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
  private @Nullable Entry[] table = new Entry[1 << 10];

  private int size;

  private volatile Entry start = new Entry(NodeName.NONE);

  /// A name as it is on the wire, quotes included.
  static final class Entry {
    final NodeName node;
    final byte[] quoted;
    final int hash;

    /// What followed it last time; itself = nothing yet.
    volatile Entry successor;

    Entry(NodeName node) {
      this.node = node;
      this.quoted = Output.quoted(node.value());
      this.hash = hash(quoted, 0, quoted.length);
      this.successor = this;
    }
  }

  /// Reads an array of names, the cursor before its bracket.
  NodeNames read(Cursor cursor) throws UnreadableQuestion {
    cursor.expect('[');
    var names = new Entry[64];
    int count = 0;
    Entry previous = start;
    while (cursor.peek() != ']') {
      if (count > 0) {
        cursor.expect(',');
        cursor.peek();
      }
      Entry guess = previous.successor;
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

  private Entry readName(Cursor cursor) throws UnreadableQuestion {
    int from = cursor.at;
    cursor.expect('"');
    if (cursor.skipString()) { // no node is called so, but the answer must name it all the same
      return new Entry(new NodeName(decoded(cursor.body, from, cursor.at)));
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

  private synchronized Entry intern(byte[] body, int from, int to) {
    int hash = hash(body, from, to);
    int mask = table.length - 1;
    int at = hash & mask;
    for (Entry entry = table[at]; entry != null; entry = table[at]) {
      if (entry.hash == hash
          && Arrays.equals(body, from, to, entry.quoted, 0, entry.quoted.length)) {
        return entry;
      }
      at = (at + 1) & mask;
    }
    var added = new Entry(new NodeName(new String(body, from + 1, to - from - 2, UTF_8)));
    table[at] = added;
    size++;
    makeRoom();
    return added;
  }

  private void makeRoom() {
    if (size >= MOST) { // names of nodes long gone, or somebody plays with us
      table = new Entry[1 << 10];
      start = new Entry(NodeName.NONE);
      size = 0;
    } else if (size * 2 > table.length) {
      var larger = new Entry[table.length * 2];
      for (Entry entry : table) {
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

  /// FNV-1a, its high bits folded into the low ones.
  private static int hash(byte[] bytes, int from, int to) {
    int hash = 0x811c9dc5;
    for (int i = from; i < to; i++) {
      hash = (hash ^ bytes[i]) * 0x01000193;
    }
    return hash ^ (hash >>> 15);
  }
}

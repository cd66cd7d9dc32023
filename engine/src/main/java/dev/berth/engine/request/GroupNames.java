package dev.berth.engine.request;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.ObjectNames;
import dev.berth.engine.model.OwnerUid;
import java.util.Locale;

/// What the groups are called that workloads form.
public final class GroupNames {
  private static final int LONGEST = 63;
  private static final int HASH_DIGITS = 8;

  private GroupNames() {}

  /// `<name>-<8 hexadecimal digits of the UID's hash>`: an object of the same name that comes later
  /// has another group.
  public static GroupKey of(String namespace, String name, OwnerUid owner) {
    return new GroupKey(namespace, hashed(name, owner.value(), LONGEST));
  }

  /// One of several groups of a workload: `<name>-<part>-<digits>`.
  public static GroupKey of(String namespace, String name, String part, OwnerUid owner) {
    return part.isEmpty()
        ? of(namespace, name, owner)
        : new GroupKey(
            namespace, hashed(name + "-" + word(part), owner.value() + "/" + part, LONGEST));
  }

  /// A part as an object may be called: it is a label of a pod, which may say anything.
  private static String word(String part) {
    if (ObjectNames.isOne(part)) {
      return part;
    }
    var word = new StringBuilder(part.length());
    for (char each : part.toLowerCase(Locale.ROOT).toCharArray()) {
      boolean stays = each >= 'a' && each <= 'z' || each >= '0' && each <= '9';
      word.append(stays ? each : '-');
    }
    return word.toString();
  }

  /// A name that is no longer than that; a hash takes the place of what is cut off.
  public static String shortened(String name, int longest) {
    return name.length() <= longest ? name : hashed(name, name, longest);
  }

  private static String hashed(String name, String told, int most) {
    int longest = most - HASH_DIGITS - 1;
    var stem = new StringBuilder(name.length() > longest ? name.substring(0, longest) : name);
    while (!stem.isEmpty() && "-.".indexOf(stem.charAt(stem.length() - 1)) >= 0) {
      stem.setLength(stem.length() - 1);
    }
    return stem + "-" + hash(told);
  }

  /// FNV-1a, 64 bits: the same on every machine and in every version.
  private static String hash(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    String digits = Long.toHexString(hash);
    return "0".repeat(16 - digits.length()).concat(digits).substring(0, HASH_DIGITS);
  }
}

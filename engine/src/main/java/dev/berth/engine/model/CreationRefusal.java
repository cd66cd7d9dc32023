package dev.berth.engine.model;

import java.util.List;

/// Why the API server did not create the next pod of a workload.
///
/// @param words of the API server; empty = no refusal is known
/// @param quota the ResourceQuota that the pod would exceed; empty = it is refused for another
///   cause
/// @param exceeded resources of that quota
public record CreationRefusal(String words, String quota, List<Exceeded> exceeded) {
  public static final CreationRefusal NONE = new CreationRefusal("", "", List.of());

  private static final List<String> PREFIXES = List.of("requests.", "limits.");

  public CreationRefusal {
    exceeded = List.copyOf(exceeded);
  }

  /// A cause other than a ResourceQuota.
  public CreationRefusal(String words) {
    this(words, "", List.of());
  }

  public boolean isNone() {
    return words.isEmpty();
  }

  /// A resource of which the namespace would have more than its ResourceQuota allows.
  ///
  /// @param name as the ResourceQuota has it: `requests.nvidia.com/gpu`
  /// @param used by all pods of the namespace, in the unit of [#counted]
  /// @param asked by the pod that was refused
  /// @param hard the most that the ResourceQuota allows
  public record Exceeded(String name, long used, long asked, long hard) {
    /// What is counted: `nvidia.com/gpu` of `requests.nvidia.com/gpu`.
    public static Resource counted(String name) {
      for (String prefix : PREFIXES) {
        if (name.startsWith(prefix)) {
          return new Resource(name.substring(prefix.length()));
        }
      }
      return new Resource(name);
    }

    public Resource counted() {
      return counted(name);
    }

    /// What so many pods like the refused one ask for; the largest number where that is too much
    /// for one.
    public long asked(int pods) {
      boolean fits = Math.multiplyHigh(asked, (long) pods) == 0 && asked * pods >= 0;
      return fits ? asked * pods : Long.MAX_VALUE;
    }

    /// What the ResourceQuota must allow for so many pods like the refused one, beside what is
    /// used.
    public long needed(int pods) {
      long more = asked(pods);
      return used <= Long.MAX_VALUE - more ? used + more : Long.MAX_VALUE;
    }
  }
}

package dev.berth.engine.request;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Workload;
import java.util.Map;
import java.util.Optional;

/// A `batch/v1` Job as the owner of pods. It is a gang if it says so: by `berth.dev/min-member` on
/// the Job or its pod template, more than one.
///
/// The minimum is never more than what can run at once or is still to run, so that a last wave that
/// is smaller than the gang starts too.
public final class WorkloadManifest {
  private static final int LONGEST_NAME = 63;
  private static final int HASH_DIGITS = 8;

  private WorkloadManifest() {}

  /// Empty only for a tree without `metadata.name`.
  public static Optional<Workload> read(Map<?, ?> tree) {
    return Manifest.open(tree).map(WorkloadManifest::workload);
  }

  private static Workload workload(Manifest manifest) {
    Head head = manifest.head();
    Tree spec = manifest.spec();
    OwnerUid owner =
        PodManifest.ownerUid(head.metadata().text("uid"), head.namespace(), "Job", head.name());
    int asked = GroupWords.minMember(head.annotations());
    if (asked == 0) {
      Tree template = spec.object("template").object("metadata");
      asked = GroupWords.minMember(template.words("annotations"));
    }
    boolean gang = asked > 1 || !manifest.problems().list().isEmpty();
    return new Workload(
        owner,
        head.version(),
        gang ? groupOf(head.namespace(), head.name(), owner) : GroupKey.NONE,
        gang ? Math.max(1, Math.min(asked, stillToRun(spec, manifest.status()))) : 0,
        GroupWords.queue(head.labels()),
        manifest.problems().list());
  }

  /// Pods that may run at once before the Job is complete.
  private static int stillToRun(Tree spec, Tree status) {
    int parallelism = spec.number("parallelism", 0).orElse(1);
    var completions = spec.number("completions", 0);
    if (completions.isEmpty()) {
      return parallelism;
    }
    int remaining = completions.getAsInt() - status.number("succeeded", 0).orElse(0);
    return Math.min(parallelism, Math.max(0, remaining));
  }

  /// `<name>-<8 hexadecimal digits of the UID's hash>`: an object of the same name that comes later
  /// has another group.
  public static GroupKey groupOf(String namespace, String name, OwnerUid owner) {
    int longest = LONGEST_NAME - HASH_DIGITS - 1;
    var stem = new StringBuilder(name.length() > longest ? name.substring(0, longest) : name);
    while (!stem.isEmpty() && "-.".indexOf(stem.charAt(stem.length() - 1)) >= 0) {
      stem.setLength(stem.length() - 1);
    }
    return new GroupKey(namespace, stem + "-" + hash(owner.value()));
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

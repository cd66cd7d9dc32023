package dev.berth.engine.ledger;

import dev.berth.engine.model.PersistentVolume;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// PersistentVolumes that are available and meant for no claim, by their class.
final class FreeVolumes {
  private final SetsByKey<String, String> free = new SetsByKey<>();

  /// A volume is seen.
  ///
  /// @param now empty = it is gone
  /// @return classes of which there is a free one only now, or none any more
  List<String> seen(Optional<PersistentVolume> before, Optional<PersistentVolume> now) {
    var classes =
        Stream.of(before, now)
            .flatMap(Optional::stream)
            .map(PersistentVolume::storageClass)
            .distinct()
            .toList();
    var had = classes.stream().filter(this::has).toList();
    before.ifPresent(volume -> free.remove(volume.storageClass(), volume.name()));
    now.filter(PersistentVolume::isFree)
        .ifPresent(volume -> free.add(volume.storageClass(), volume.name()));
    return classes.stream().filter(name -> has(name) != had.contains(name)).toList();
  }

  /// Whether there is any of a class.
  boolean has(String storageClass) {
    return free.has(storageClass);
  }
}

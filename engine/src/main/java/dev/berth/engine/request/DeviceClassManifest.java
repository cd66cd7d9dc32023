package dev.berth.engine.request;

import dev.berth.engine.model.DeviceClass;
import java.util.Map;
import java.util.Optional;

/// A `resource.k8s.io` DeviceClass.
public final class DeviceClassManifest {
  private DeviceClassManifest() {}

  /// Empty only for a tree without `metadata.name`.
  public static Optional<DeviceClass> read(Map<?, ?> tree) {
    return Manifest.open(tree)
        .map(manifest ->
            new DeviceClass(
                manifest.head().name(),
                manifest.head().version(),
                DeviceSelectors.of(manifest.spec())));
  }
}

package dev.berth.cli.lists;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Resource;

/// Amounts of GPUs as people write them.
final class GpuWords {
  private GpuWords() {}

  /// What a pod asks for: such as `2`, `0.5`, `2×0.5`, `8192Mi`, `1 nvidia.com/mig-1g.5gb`; empty
  /// where it asks for no GPU.
  static String asked(DeviceRequest request, Amounts amounts) {
    return switch (request) {
      case DeviceRequest.None _ -> partitions(amounts);
      case DeviceRequest.Whole(_, int count) -> Integer.toString(count);
      case DeviceRequest.Fraction(int millis, _, int count) ->
          times(count) + Resource.GPU.text(millis);
      case DeviceRequest.Memory(long mib, _, int count) -> times(count) + mib + "Mi";
    };
  }

  private static String times(int count) {
    return count == 1 ? "" : count + "×";
  }

  private static String partitions(Amounts amounts) {
    for (Resource resource : amounts.resources()) {
      if (resource.isMig()) {
        return amounts.of(resource) + " " + resource;
      }
    }
    return "";
  }
}

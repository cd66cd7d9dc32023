package dev.berth.cli;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.VMOption.Origin;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.Map;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/// Keeps what is resident close to what lives. ZGC collects when the heap nears its maximum, which
/// is most of the machine's memory or of the container's limit, however little of that is in use.
/// So it is given an aim below it (`SoftMaxHeapSize`), which it passes where it has to; after each
/// collection of the whole heap the aim follows what lives.
final class Heap {
  /// Room for garbage, as a multiple of what lives: the collector works less often the more there
  /// is.
  private static final int ROOM = 3;

  private static final long LEAST = 256L << 20;
  private static final String AIM = "SoftMaxHeapSize";
  private static final String WHOLE = "ZGC Major Cycles";

  private Heap() {}

  /// Does nothing where another collector runs, or where the user has chosen an aim.
  static void keepSmall() {
    var vm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector.getName().equals(WHOLE)
          && collector instanceof NotificationEmitter emitter
          && isDefault(vm.getVMOption(AIM).getOrigin())) {
        long most = Runtime.getRuntime().maxMemory();
        aim(vm, aim(0, most));
        emitter.addNotificationListener(
            (notice, _) -> {
              if (notice.getUserData() instanceof CompositeData data
                  && notice
                      .getType()
                      .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
                var collected = GarbageCollectionNotificationInfo.from(data).getGcInfo();
                aim(vm, aim(lives(collected.getMemoryUsageAfterGc()), most));
              }
            },
            null,
            null);
      }
    }
  }

  /// The VM derives the aim from the maximum where the user says nothing: that is no choice either.
  private static boolean isDefault(Origin origin) {
    return origin == Origin.DEFAULT || origin == Origin.ERGONOMIC;
  }

  private static void aim(HotSpotDiagnosticMXBean vm, long bytes) {
    vm.setVMOption(AIM, Long.toString(bytes));
  }

  private static long lives(Map<String, MemoryUsage> pools) {
    return pools.entrySet().stream()
        .filter(pool -> pool.getKey().startsWith("ZGC"))
        .mapToLong(pool -> pool.getValue().getUsed())
        .sum();
  }

  /// @param lives bytes
  /// @param most bytes that the heap may have at all
  static long aim(long lives, long most) {
    return Math.min(most, Math.max(LEAST, ROOM * lives));
  }
}

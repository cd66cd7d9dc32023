package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class HeapTest {
  private static final long MIB = 1 << 20;

  @Test
  void theAimFollowsWhatLivesWithinItsBounds() {
    assertThat(Heap.aim(0, 8192 * MIB)).isEqualTo(256 * MIB);
    assertThat(Heap.aim(60 * MIB, 8192 * MIB)).isEqualTo(256 * MIB);
    assertThat(Heap.aim(400 * MIB, 8192 * MIB)).isEqualTo(1200 * MIB);
    assertThat(Heap.aim(400 * MIB, 1024 * MIB)).as("no more than there is").isEqualTo(1024 * MIB);
    assertThat(Heap.aim(0, 128 * MIB)).as("a small container").isEqualTo(128 * MIB);
  }

  /// Tests run with another collector.
  @Test
  void otherCollectorsAreLeftAlone() {
    var vm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    String before = vm.getVMOption("SoftMaxHeapSize").getValue();
    Heap.keepSmall();
    assertThat(vm.getVMOption("SoftMaxHeapSize").getValue()).isEqualTo(before);
  }
}

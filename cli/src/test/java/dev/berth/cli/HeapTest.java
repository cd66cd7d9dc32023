package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  @Test
  void aServerStartsWithASmallAim() throws Exception {
    assertThat(aimOf("-XX:+UseZGC", "-Xmx2g")).isEqualTo(256 * MIB);
  }

  @Test
  void theAimOfTheUserStays() throws Exception {
    assertThat(aimOf("-XX:+UseZGC", "-Xmx2g", "-XX:SoftMaxHeapSize=1g")).isEqualTo(1024 * MIB);
  }

  /// Of a process of its own, which has the collector of a server.
  private static long aimOf(String... flags) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(flags));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Small.class.getName()));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return Long.parseLong(said.strip());
  }

  /// Says the aim that the collector was given.
  static final class Small {
    private Small() {}

    public static void main(String[] none) {
      Heap.keepSmall();
      System.out.println(
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
              .getVMOption("SoftMaxHeapSize")
              .getValue());
    }
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

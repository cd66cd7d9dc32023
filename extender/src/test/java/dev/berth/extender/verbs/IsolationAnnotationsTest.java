package dev.berth.extender.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.PodRequest;
import dev.berth.engine.model.PodRequest.Isolation;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

final class IsolationAnnotationsTest {
  private static final long MEMORY = 81_559;

  @Test
  void nothingIsWrittenWhereNothingIsAsked() {
    assertThat(written(Isolation.NONE, new DeviceRequest.Fraction(500, 500, 1))).isEmpty();
  }

  @Test
  void nvidiaIsToldTheContainerItsDevicesAndItsMemory() {
    assertThat(written(Isolation.NVIDIA, new DeviceRequest.Fraction(333, 750, 2), "GPU-a", "GPU-b"))
        .containsExactly(
            entry("nvidia.com/container.main.gpu-memory.limit", "61169Mi"), // down
            entry("nvidia.com/container.main.gpu-memory.request", "27160Mi"), // up
            entry("nvidia.com/container.main.gpus.devices", "GPU-a,GPU-b"));
  }

  @Test
  void memoryThatIsAskedInMibIsWrittenToTheMib() {
    assertThat(written(Isolation.NVIDIA, new DeviceRequest.Memory(4_096, 8_192, 1), "GPU-a"))
        .contains(
            entry("nvidia.com/container.main.gpu-memory.request", "4096Mi"),
            entry("nvidia.com/container.main.gpu-memory.limit", "8192Mi"));
  }

  @Test
  void nothingIsWrittenForAModeThatNoNodeServes() {
    assertThat(written(Isolation.MPS, new DeviceRequest.Fraction(500, 500, 1), "GPU-a")).isEmpty();
  }

  @Test
  void hamiHasOneLimitForAllDevices() {
    assertThat(written(Isolation.HAMI, new DeviceRequest.Memory(1, 1, 1), "GPU-a"))
        .as("never nothing, which would mean no limit")
        .containsExactly(
            entry("berth.dev/hami-device-memory-limit", "1m"),
            entry("berth.dev/hami-device-sm-limit", "1"));
  }

  private static SortedMap<String, String> written(
      Isolation isolation, DeviceRequest share, String... devices) {
    var request = new PodRequest(Amounts.NONE, share, "main", List.of(), isolation, List.of());
    return IsolationAnnotations.annotations(request, List.of(devices), MEMORY);
  }
}

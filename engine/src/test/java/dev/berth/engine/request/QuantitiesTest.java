package dev.berth.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Resource;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "1, 1, 1000",
    "+5, 5, 5000",
    "-5, -5, -5000",
    "500m, 1, 500",
    "1500m, 2, 1500",
    "0.5, 1, 500",
    ".5, 1, 500",
    "5., 5, 5000",
    "0.0001, 1, 1",
    "100n, 1, 1",
    "100u, 1, 1",
    "1k, 1000, 1000000",
    "2Ki, 2048, 2048000",
    "4Gi, 4294967296, 4294967296000",
    "1.5Gi, 1610612736, 1610612736000",
    "512G, 512000000000, 512000000000000",
    "1E, 1000000000000000000, ",
    "7Ei, 8070450532247928832, ",
    "8Ei, , ",
    "1e3, 1000, 1000000",
    "1E3, 1000, 1000000",
    "1.5e3, 1500, 1500000",
    "1e-3, 1, 1",
    "12E-1, 2, 1200",
    "9223372036854775807, 9223372036854775807, ",
    "9223372036854775808, , ",
    "9223372036854775, 9223372036854775, 9223372036854775000",
    "123456789012345678, 123456789012345678, ",
    "0e99, 0, 0",
    "1e99, , ",
    "1e-99, 1, 1",
  })
  void readsWhatKubernetesReads(String text, Long units, Long milli) {
    assertThat(Quantities.units(text)).isEqualTo(optional(units));
    assertThat(Quantities.milli(text)).isEqualTo(optional(milli));
  }

  @ParameterizedTest
  @CsvSource({
    "gpu, 0, 0",
    "gpu, 500, 0.5",
    "gpu, 12000, 12",
    "gpu/H100, 1500, 1.5",
    "cpu, 0, 0",
    "cpu, 1500, 1500m",
    "cpu, 64000, 64",
    "memory, 0, 0",
    "memory, 1000, 1000",
    "memory, 1024, 1Ki",
    "memory, 549755813888, 512Gi",
    "memory, 1649267441664, 1536Gi",
    "example.com/widget, 2048, 2048",
  })
  void writesWhatItReads(String name, long amount, String text) {
    var resource = new Resource(name);
    assertThat(resource.text(amount)).isEqualTo(text);
    assertThat(
            resource.isGpuOfQueues() ? Quantities.milli(text) : Quantities.amount(resource, text))
        .hasValue(amount);
  }

  private static OptionalLong optional(Long value) {
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-",
        "+",
        ".",
        "abc",
        "1 Gi",
        "1GiB",
        "1gi",
        "1K",
        "1ki",
        "1mi",
        "--1",
        "1.2.3",
        "1e",
        "1e+",
        "1ee3",
        "1e1.5",
        "0x10",
        "1_000",
        "∞",
        "NaN",
        "Infinity",
        "１",
        "1Gi1",
        "Gi",
        "1e99999",
        "99999999999999999999999999999999999999999999999999999999999999999999999999"
      })
  void whatIsNoQuantityIsEmpty(String text) {
    assertThat(Quantities.units(text)).isEmpty();
    assertThat(Quantities.milli(text)).isEmpty();
  }
}

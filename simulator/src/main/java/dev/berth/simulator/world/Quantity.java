package dev.berth.simulator.world;

import java.math.BigDecimal;
import java.math.RoundingMode;

/// Kubernetes quantities as integers, rounded up: `500m`, `2`, `64Gi`, `1e3`.
///
/// Written anew instead of taken from the engine, so that a mistake there shows as a disagreement.
final class Quantity {
  private static final String BINARY = "KMGTPE";
  private static final String DECIMAL = "kMGTPE";

  private Quantity() {}

  /// The amount in units, and of `cpu` in milli-cores.
  static long of(String resource, Object quantity) {
    return amount(quantity.toString().strip(), resource.equals("cpu") ? 3 : 0);
  }

  private static long amount(String text, int shift) {
    var factor = BigDecimal.ONE;
    String digits = text;
    char last = text.charAt(text.length() - 1);
    if (last == 'i') {
      int power = BINARY.indexOf(text.charAt(text.length() - 2)) + 1;
      factor = BigDecimal.valueOf(1024).pow(power);
      digits = text.substring(0, text.length() - 2);
    } else if (last == 'm') {
      factor = new BigDecimal("0.001");
      digits = text.substring(0, text.length() - 1);
    } else if (DECIMAL.indexOf(last) >= 0) {
      factor = BigDecimal.TEN.pow(3 * (DECIMAL.indexOf(last) + 1));
      digits = text.substring(0, text.length() - 1);
    }
    return new BigDecimal(digits)
        .multiply(factor)
        .movePointRight(shift)
        .setScale(0, RoundingMode.CEILING)
        .longValueExact();
  }
}

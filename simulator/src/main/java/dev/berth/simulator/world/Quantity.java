package dev.berth.simulator.world;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Pattern;

/// Kubernetes quantities as integers, rounded up: `500m`, `2`, `64Gi`, `1e3`.
///
/// Written anew instead of taken from the engine, so that a mistake there shows as a disagreement.
final class Quantity {
  private static final String BINARY = "KMGTPE";
  private static final String DECIMAL = "kMGTPE";

  private static final Pattern FORM =
      Pattern.compile(
          "[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,2})?");

  private Quantity() {}

  /// Whether the API server takes it for a quantity.
  static boolean isOne(Object value) {
    return FORM.matcher(String.valueOf(value)).matches();
  }

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

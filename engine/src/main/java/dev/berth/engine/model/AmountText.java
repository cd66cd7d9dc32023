package dev.berth.engine.model;

import java.util.Locale;

/// Amounts in the unit that people use: `2.5 GPUs`, `64 cores`, `512 GiB of memory`.
public final class AmountText {
  private static final String[] BINARY = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private AmountText() {}

  public static String of(Resource resource, long value) {
    if (value == Queue.UNLIMITED) {
      return "unlimited " + noun(resource, 0);
    }
    if (resource.equals(Resource.MEMORY) || resource.equals(Resource.STORAGE)) {
      return bytes(value) + " of " + noun(resource, value);
    }
    return number(resource, value) + " " + noun(resource, value);
  }

  /// The number alone, where the unit was said before.
  public static String number(Resource resource, long value) {
    if (value == Queue.UNLIMITED) {
      return "unlimited";
    }
    if (resource.equals(Resource.MEMORY) || resource.equals(Resource.STORAGE)) {
      return bytes(value);
    }
    return isInThousandths(resource) ? thousandths(value) : Long.toString(value);
  }

  private static boolean isInThousandths(Resource resource) {
    return isGpu(resource) || resource.equals(Resource.CPU);
  }

  private static boolean isGpu(Resource resource) {
    return resource.equals(Resource.GPU) || resource.name().startsWith("gpu/");
  }

  private static String noun(Resource resource, long value) {
    boolean one = value == (isInThousandths(resource) ? 1000 : 1);
    if (resource.equals(Resource.GPU)) {
      return one ? "GPU" : "GPUs";
    }
    if (isGpu(resource)) {
      return resource.name().substring("gpu/".length()) + (one ? " GPU" : " GPUs");
    }
    if (resource.equals(Resource.CPU)) {
      return one ? "core" : "cores";
    }
    return resource.name();
  }

  /// `0.5` of 500.
  public static String thousandths(long value) {
    String text = String.format(Locale.ROOT, "%d.%03d", value / 1000, Math.abs(value % 1000));
    int end = text.length();
    while (text.charAt(end - 1) == '0') {
      end--;
    }
    return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
  }

  private static String bytes(long value) {
    int unit = 0;
    long scale = 1;
    while (unit < BINARY.length - 1 && value / scale >= 1024) {
      scale *= 1024;
      unit++;
    }
    return value % scale == 0
        ? value / scale + " " + BINARY[unit]
        : String.format(Locale.ROOT, "%.1f %s", (double) value / scale, BINARY[unit]);
  }
}

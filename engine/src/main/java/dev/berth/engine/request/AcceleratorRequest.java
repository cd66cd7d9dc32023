package dev.berth.engine.request;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.PodRequest.Isolation;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.ShareClaim;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/// What a pod asks of accelerators: whole devices by its resources, or a share by its annotations;
/// never both.
final class AcceleratorRequest {
  private static final String FRACTION_RULE =
      "a share is more than 0 and less than 1, like \"0.5\". For whole devices set resources.limits"
          + " nvidia.com/gpu.";
  private static final String DIGITS_RULE =
      "a share has up to three decimals, like \"0.125\". For an exact amount of memory set"
          + " gpu-memory.";
  private static final String MEMORY_RULE =
      "it is the memory of one device, as a number of MiB like \"8192\" or as a quantity like"
          + " \"8Gi\", 1Mi at the least.";
  private static final String LIMIT_RULE =
      "a limit is at least its share and at most 1, like \"0.75\".";
  private static final BigDecimal DEVICE = BigDecimal.valueOf(1000);
  private static final int MOST_DEVICES = 256;
  private static final int MOST_MODELS = 64;
  private static final BigDecimal MIB = BigDecimal.valueOf(1 << 20);

  private final ManifestTree words;

  private AcceleratorRequest(ManifestTree annotations) {
    this.words = annotations;
  }

  static DeviceRequest of(ManifestTree annotations, Amounts amounts) {
    return new AcceleratorRequest(annotations).read(amounts);
  }

  private DeviceRequest read(Amounts amounts) {
    var whole = whole(amounts);
    boolean asksFraction = words.has(WellKnownNames.GPU_FRACTION);
    boolean asksMemory = words.has(WellKnownNames.GPU_MEMORY);
    if (!asksFraction && !asksMemory) {
      onlyWithShare(WellKnownNames.GPU_COUNT);
      onlyWithShare(WellKnownNames.GPU_CONTAINER);
      onlyWithShare(WellKnownNames.GPU_FRACTION_LIMIT);
      onlyWithShare(WellKnownNames.GPU_MEMORY_LIMIT);
      return whole;
    }
    if (asksFraction && asksMemory) {
      words.problem(
          WellKnownNames.GPU_MEMORY,
          words.text(WellKnownNames.GPU_MEMORY),
          "a share is told by gpu-fraction or by gpu-memory. Remove one of them.");
    }
    if (!whole.equals(DeviceRequest.NONE) || asksPartition(amounts)) {
      String share = asksFraction ? WellKnownNames.GPU_FRACTION : WellKnownNames.GPU_MEMORY;
      words.problem(
          share,
          words.text(share),
          "the pod asks for whole devices too. Remove the annotation, or the devices from"
              + " resources.");
      return whole;
    }
    int count = words.number(WellKnownNames.GPU_COUNT, 1).orElse(1);
    if (count > MOST_DEVICES) {
      words.problem(
          WellKnownNames.GPU_COUNT,
          words.text(WellKnownNames.GPU_COUNT),
          "no node has more than 256 devices.");
      count = MOST_DEVICES;
    }
    return asksFraction ? fraction(count) : memory(count);
  }

  /// Checks a share that is asked by a claim (DRA): the claim counts, and must say what the
  /// annotations say.
  static void byClaim(ManifestTree annotations, Amounts amounts, String template) {
    var ask = new AcceleratorRequest(annotations);
    if (!ask.whole(amounts).equals(DeviceRequest.NONE) || asksPartition(amounts)) {
      ask.notByClaim(
          WellKnownNames.GPU_MEMORY, "Remove the GPUs from resources, or the annotation.");
    }
    if (annotations.has(WellKnownNames.GPU_FRACTION)) {
      ask.notByClaim(WellKnownNames.GPU_FRACTION, "Set gpu-memory instead, like \"8Gi\".");
      return;
    }
    if (isolation(annotations) != Isolation.NONE) {
      ask.notByClaim(
          annotations.has(WellKnownNames.GPU_ISOLATION)
              ? WellKnownNames.GPU_ISOLATION
              : WellKnownNames.MPS,
          "Nothing enforces it there. Remove the annotation.");
    }
    if (annotations.has(WellKnownNames.GPU_MODEL)) {
      ask.notByClaim(
          WellKnownNames.GPU_MODEL,
          "Choose the model by a node selector, and remove the annotation.");
    }
    long mib = ask.mib(WellKnownNames.GPU_MEMORY);
    int count = annotations.number(WellKnownNames.GPU_COUNT, 1).orElse(1);
    var told = new ShareClaim(mib, count).template();
    if (mib > 0 && !template.equals(told)) {
      annotations
          .problems()
          .add(
              "spec.resourceClaims " + ShareClaim.NAME,
              template,
              "gpu-memory "
                  + annotations.text(WellKnownNames.GPU_MEMORY)
                  + " is the template "
                  + told
                  + ". Leave spec.resourceClaims to admission.");
    }
  }

  private void notByClaim(String word, String wayOut) {
    words.problem(word, words.text(word), "the GPU share of the pod is a claim (DRA). " + wayOut);
  }

  private void onlyWithShare(String word) {
    if (words.has(word)) {
      words.problem(
          word,
          words.text(word),
          "it belongs to a share, and the pod asks for none. Set gpu-fraction or gpu-memory, or"
              + " remove it.");
    }
  }

  private DeviceRequest whole(Amounts amounts) {
    DeviceRequest whole = DeviceRequest.NONE;
    for (int i = 0; i < amounts.size(); i++) {
      Resource resource = amounts.resource(i);
      if (!resource.isDevice()) {
        continue;
      }
      long count = amounts.value(i);
      if (!whole.equals(DeviceRequest.NONE)) {
        words
            .problems()
            .add(
                "resources " + resource,
                Long.toString(count),
                "a pod can use devices of one kind only. Ask for one of them.");
      } else if (count > Integer.MAX_VALUE) {
        words
            .problems()
            .add("resources " + resource, Long.toString(count), "no node has so many devices.");
        whole = new DeviceRequest.Whole(resource, Integer.MAX_VALUE);
      } else {
        whole = new DeviceRequest.Whole(resource, (int) count);
      }
    }
    return whole;
  }

  private static boolean asksPartition(Amounts amounts) {
    for (int i = 0; i < amounts.size(); i++) {
      if (amounts.resource(i).isMig()) {
        return true;
      }
    }
    return false;
  }

  private DeviceRequest fraction(int count) {
    if (words.has(WellKnownNames.GPU_MEMORY_LIMIT)) {
      wrongLimit(
          WellKnownNames.GPU_MEMORY_LIMIT,
          WellKnownNames.GPU_FRACTION_LIMIT,
          WellKnownNames.GPU_FRACTION);
    }
    int millis = millis(WellKnownNames.GPU_FRACTION, false);
    if (millis == 0) {
      return DeviceRequest.NONE;
    }
    int limit =
        words.has(WellKnownNames.GPU_FRACTION_LIMIT)
            ? millis(WellKnownNames.GPU_FRACTION_LIMIT, true)
            : 0;
    if (limit != 0 && limit < millis) {
      belowRequest(WellKnownNames.GPU_FRACTION_LIMIT, WellKnownNames.GPU_FRACTION);
    }
    return new DeviceRequest.Fraction(millis, Math.max(limit, millis), count);
  }

  /// 0 where it is invalid. A limit may be the whole device, a share may not.
  private int millis(String word, boolean limit) {
    String text = words.text(word).trim();
    var millis =
        Quantities.exact(text).map(share -> share.movePointRight(3)).orElse(BigDecimal.ZERO);
    if (millis.signum() <= 0 || millis.compareTo(DEVICE) >= (limit ? 1 : 0)) {
      words.problem(word, text, limit ? LIMIT_RULE : FRACTION_RULE);
      return 0;
    }
    if (millis.remainder(BigDecimal.ONE).signum() != 0) {
      words.problem(word, text, DIGITS_RULE);
    }
    return Math.min(limit ? 1000 : 999, millis.setScale(0, RoundingMode.UP).intValue());
  }

  private DeviceRequest memory(int count) {
    if (words.has(WellKnownNames.GPU_FRACTION_LIMIT)) {
      wrongLimit(
          WellKnownNames.GPU_FRACTION_LIMIT,
          WellKnownNames.GPU_MEMORY_LIMIT,
          WellKnownNames.GPU_MEMORY);
    }
    long mib = mib(WellKnownNames.GPU_MEMORY);
    if (mib == 0) {
      return DeviceRequest.NONE;
    }
    long limit =
        words.has(WellKnownNames.GPU_MEMORY_LIMIT) ? mib(WellKnownNames.GPU_MEMORY_LIMIT) : 0;
    if (limit != 0 && limit < mib) {
      belowRequest(WellKnownNames.GPU_MEMORY_LIMIT, WellKnownNames.GPU_MEMORY);
    }
    return new DeviceRequest.Memory(mib, Math.max(limit, mib), count);
  }

  /// Plain digits are MiB, a quantity is bytes, rounded up. 0 where it is invalid.
  private long mib(String word) {
    String text = words.text(word).trim();
    long mib = isPlain(text) ? plain(text) : fromBytes(text);
    if (mib <= 0) {
      words.problem(word, text, MEMORY_RULE);
      return 0;
    }
    return mib;
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /// More than any device has, and far from where sums overflow.
  private static final long MOST_MIB = 1L << 40;

  private static long plain(String text) {
    OptionalLong mib = Quantities.units(text);
    return mib.isPresent() && mib.getAsLong() <= MOST_MIB ? mib.getAsLong() : 0;
  }

  private static long fromBytes(String text) {
    if (text.isEmpty() || isPlain(text.substring(text.length() - 1)) || text.endsWith(".")) {
      return 0; // `0.5`, `-1`: neither MiB nor bytes are meant
    }
    return Quantities.exact(text)
        .filter(bytes -> bytes.compareTo(MIB) >= 0)
        .map(bytes -> bytes.divide(MIB, 0, RoundingMode.UP))
        .filter(mib -> mib.compareTo(BigDecimal.valueOf(MOST_MIB)) <= 0)
        .map(BigDecimal::longValue)
        .orElse(0L);
  }

  private void wrongLimit(String limit, String right, String share) {
    words.problem(
        limit, words.text(limit), "the share is told by " + share + ". Set " + right + " instead.");
  }

  private void belowRequest(String limit, String share) {
    words.problem(
        limit,
        words.text(limit),
        "a limit is at least its share, " + share + " " + words.text(share) + ".");
  }

  /// The container that gets the share; empty = the first.
  static String container(
      ManifestTree annotations, List<ManifestTree> containers, List<ManifestTree> initContainers) {
    String name = annotations.text(WellKnownNames.GPU_CONTAINER);
    if (name.isEmpty()) {
      return "";
    }
    var names = new ArrayList<String>();
    containers.forEach(container -> names.add(container.text("name")));
    initContainers.forEach(container -> names.add(container.text("name")));
    if (!names.contains(name)) {
      annotations.problem(
          WellKnownNames.GPU_CONTAINER,
          name,
          "the pod has no such container. It has " + String.join(", ", names) + ".");
      return "";
    }
    return name;
  }

  static List<String> models(ManifestTree annotations) {
    String text = annotations.text(WellKnownNames.GPU_MODEL);
    if (text.isEmpty()) {
      return List.of();
    }
    var models = CommaList.of(text);
    if (models.isEmpty()) {
      annotations.problem(
          WellKnownNames.GPU_MODEL,
          text,
          "it names device models, like \"NVIDIA-H100-80GB-HBM3\".");
    }
    if (models.size() > MOST_MODELS) {
      annotations.problem(
          WellKnownNames.GPU_MODEL,
          models.size() + " models",
          "at most 64 are compared with each node. Choose nodes by spec.nodeSelector instead.");
      return models.subList(0, MOST_MODELS);
    }
    return models;
  }

  static Isolation isolation(ManifestTree annotations) {
    String text = annotations.text(WellKnownNames.GPU_ISOLATION).trim().toLowerCase(Locale.ROOT);
    return switch (text) {
      case "" ->
          annotations.text(WellKnownNames.MPS).equals("true") ? Isolation.MPS : Isolation.NONE;
      case "none" -> Isolation.NONE;
      case "mps" -> Isolation.MPS;
      case "hami" -> Isolation.HAMI;
      case "nvidia" -> Isolation.NVIDIA;
      default -> {
        annotations.problem(
            WellKnownNames.GPU_ISOLATION, text, "it is one of none, mps, hami and nvidia.");
        yield Isolation.NONE;
      }
    };
  }
}

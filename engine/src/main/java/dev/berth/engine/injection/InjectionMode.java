package dev.berth.engine.injection;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// What a share's container carries so that the node's container toolkit gives it its devices.
public enum InjectionMode {
  /// `NVIDIA_VISIBLE_DEVICES` holds plain UUIDs.
  ENV("env"),
  /// `NVIDIA_VISIBLE_DEVICES` holds names of the device plugin's CDI specification.
  ENV_CDI("env-cdi"),
  /// The variable is `void`; an annotation of the pod names the CDI devices to the NRI plugin.
  NRI("nri");

  /// Injects no device in any mode of the toolkit, unlike `none`, which CDI modes cannot resolve.
  public static final String NO_DEVICE = "void";

  private static final String CDI_KIND = "k8s.device-plugin.nvidia.com/gpu=";

  private final String word;

  InjectionMode(String word) {
    this.word = word;
  }

  /// As settings, annotations and messages write it.
  public String word() {
    return word;
  }

  /// Empty for a word that is no mode, `auto` too.
  public static Optional<InjectionMode> of(String word) {
    for (InjectionMode mode : values()) {
      if (mode.word.equals(word)) {
        return Optional.of(mode);
      }
    }
    return Optional.empty();
  }

  /// The value of `NVIDIA_VISIBLE_DEVICES`.
  ///
  /// @param uuids at least one
  public String variable(List<String> uuids) {
    return switch (this) {
      case ENV -> String.join(",", uuids);
      case ENV_CDI -> cdiNames(uuids);
      case NRI -> NO_DEVICE;
    };
  }

  /// The value of the annotation [#annotationName]; empty where the mode has none.
  public String annotation(List<String> uuids) {
    return this == NRI ? cdiNames(uuids) : "";
  }

  /// The annotation that the toolkit's NRI plugin reads.
  public static String annotationName(String container) {
    return "nvidia.cdi.k8s.io/container." + container;
  }

  private static String cdiNames(List<String> uuids) {
    return uuids.stream().map(uuid -> CDI_KIND + uuid).collect(Collectors.joining(","));
  }
}

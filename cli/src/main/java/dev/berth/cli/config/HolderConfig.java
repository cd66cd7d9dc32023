package dev.berth.cli.config;

import dev.berth.cli.config.Section.Longest;
import dev.berth.controllers.holders.HolderSettings;
import dev.berth.controllers.injection.InjectionSettings;
import dev.berth.controllers.kube.ClaimTemplateSettings;
import dev.berth.controllers.kube.HolderPodSettings;
import dev.berth.engine.injection.InjectionMode;
import java.time.Duration;
import java.util.Optional;

/// `holders` and `shares`: how GPUs are kept for shares, and how containers get theirs.
final class HolderConfig {
  private static final String AUTO = "auto";
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private HolderConfig() {}

  /// @param half of the deadline of a plan, the longest for a holder: later it would be the
  ///   deadline that gives the plan back
  static HolderSettings holders(Section section, Duration deadline, Longest half) {
    var defaults = HolderSettings.DEFAULT;
    return new HolderSettings(
        section.duration(
            "keepIdle",
            "How long an unused holder stays, in case the next share comes.",
            defaults.keepIdle(),
            Duration.ZERO,
            DAY),
        section.duration(
            "readyTimeout",
            "How long a holder may take to report its GPU. Then the pods that wait for it are"
                + " planned elsewhere.",
            shorter(defaults.readyTimeout(), half.most()),
            SECOND,
            half),
        section.whole(
            "warm",
            "holders",
            "Idle holders that each node keeps ready while a pod shares a GPU of it. Any pod that"
                + " is planned onto such a GPU gets it.",
            defaults.warm(),
            0,
            64),
        deadline,
        section.duration(
            "lossGrace",
            "How long a share whose holder is gone runs on, in case a new holder gets the same"
                + " GPU.",
            defaults.lossGrace(),
            Duration.ZERO,
            DAY),
        section.duration(
            "lossTermination",
            "Longest termination grace period of a share that is stopped because its GPU is no"
                + " longer held.",
            defaults.lossTermination(),
            SECOND,
            DAY));
  }

  static HolderPodSettings pods(Section holders) {
    var defaults = HolderPodSettings.DEFAULT;
    return new HolderPodSettings(
        holders.text(
            "namespace",
            "Namespace of holders, probes, and placeholders for autoscalers.",
            defaults.namespace()),
        holders.text(
            "image",
            "Image of holders and probes: any with `sh`, `sed` and `sleep`.",
            defaults.image()),
        holders.text(
            "priorityClass",
            "PriorityClass of holders. With the default nothing preempts or evicts them. Empty"
                + " means the default of the cluster.",
            defaults.priorityClass()),
        holders.text(
            "runtimeClass",
            "RuntimeClass of holders; shares have `shares.runtimeClass`. Empty means none.",
            ""));
  }

  /// @param longest that still lets a plan be given back before its deadline
  static InjectionSettings injection(Section shares, Longest longest) {
    var byDefault = InjectionSettings.DEFAULT;
    String runtimeClass =
        shares.text(
            "runtimeClass",
            "RuntimeClass of pods with a share. `auto` means `nvidia` if that RuntimeClass exists"
                + " and a GPU node has its handler, which Berth follows without a restart. Empty"
                + " means none.",
            AUTO);
    String mode =
        shares.text(
            "injection",
            "How containers get their GPU. `auto` means guessed from the node, then proven by a"
                + " probe; Berth follows what it finds without a restart.",
            AUTO,
            new Form("word", "auto, env, env-cdi or nri"));
    shares.unless(
        mode.equals(AUTO) || InjectionMode.of(mode).isPresent(),
        "injection",
        mode,
        "auto, env, env-cdi or nri");
    return new InjectionSettings(
        shares.flag(
            "probe",
            "Whether a probe proves the injection on a node before its first share. Without it"
                + " each node is believed to give a container the GPU that it is told.",
            byDefault.probe()),
        runtimeClass.equals(AUTO) ? Optional.empty() : Optional.of(runtimeClass),
        InjectionMode.of(mode),
        shares.duration(
            "probeTimeout",
            "How long a probe may take.",
            shorter(byDefault.probeTimeout(), longest.most()),
            SECOND,
            longest),
        shares.duration(
            "probeRetry",
            "After this time a node whose probe failed is tried again.",
            byDefault.probeRetry(),
            SECOND,
            DAY));
  }

  static ClaimTemplateSettings claimTemplates(Section shares) {
    var defaults = ClaimTemplateSettings.DEFAULT;
    return new ClaimTemplateSettings(
        shares.text(
            "deviceClass",
            "Of shares that are claims (DRA): the DeviceClass of the GPUs.",
            defaults.deviceClass()),
        shares.text(
            "distinctAttribute",
            "Of shares that are claims (DRA): the attribute in which several GPUs of one pod"
                + " differ. Without it two shares could be of the same GPU.",
            defaults.distinctAttribute()));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}

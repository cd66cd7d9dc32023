package dev.berth.controllers.kube;

import java.time.Duration;

/// @param kubeconfig path of a kubeconfig; empty = the pod's service account where there is one,
///   else what kubectl would take (`KUBECONFIG`, `~/.kube/config`)
/// @param context of the kubeconfig; empty = its current one
/// @param callTimeout an API call that takes longer has failed
/// @param silenceTimeout a watch that says nothing for so long is dead. Bookmarks come about once a
///   minute
public record ClusterSettings(
    String kubeconfig, String context, Duration callTimeout, Duration silenceTimeout) {
  public static final ClusterSettings DEFAULT =
      new ClusterSettings("", "", Duration.ofSeconds(10), Duration.ofMinutes(3));

  public ClusterSettings {
    if (!callTimeout.isPositive() || !silenceTimeout.isPositive()) {
      throw new IllegalArgumentException(
          "callTimeout " + callTimeout + " and silence " + silenceTimeout + " must be above zero");
    }
  }

  public ClusterSettings withKubeconfig(String path) {
    return new ClusterSettings(path, context, callTimeout, silenceTimeout);
  }
}

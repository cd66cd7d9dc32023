package dev.berth.cli;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.kube.ClusterSettings;
import dev.berth.controllers.kube.KubeCluster;
import picocli.CommandLine.Option;

/// Which cluster that runs a command reads, as kubectl has it.
final class ClusterOptions {
  /// The error where a file is given, too.
  ///
  /// @param option that names the file
  static String andAFile(String option) {
    return option
        + " reads a file, --kubeconfig and --context a cluster that runs: give one of them";
  }

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      defaultValue = "",
      description = "Credentials. Default: the pod's service account, else what kubectl takes.")
  private String kubeconfig = "";

  @Option(
      names = "--context",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Context of the kubeconfig. Default: its current one.")
  private String context = "";

  boolean areGiven() {
    return !kubeconfig.isEmpty() || !context.isEmpty();
  }

  /// @throws ClientException where there are no credentials
  KubeCluster open() throws ClientException {
    var base = ClusterSettings.DEFAULT;
    return KubeCluster.open(
        new ClusterSettings(kubeconfig, context, base.callTimeout(), base.silenceTimeout()));
  }
}

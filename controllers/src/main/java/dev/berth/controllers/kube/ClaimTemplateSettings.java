package dev.berth.controllers.kube;

/// What claims for GPU shares say beside the memory (DRA).
///
/// @param deviceClass of the GPUs, as their DRA driver offers them
/// @param distinctAttribute in which several GPUs of one pod differ: kube-scheduler may otherwise
///   allocate two shares of the same GPU
public record ClaimTemplateSettings(String deviceClass, String distinctAttribute) {
  public static final ClaimTemplateSettings DEFAULT =
      new ClaimTemplateSettings("gpu.nvidia.com", "gpu.nvidia.com/uuid");
}

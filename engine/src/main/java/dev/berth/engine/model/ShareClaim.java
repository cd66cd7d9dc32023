package dev.berth.engine.model;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A share of GPUs that a claim asks for (DRA): what the name of its ResourceClaimTemplate says.
///
/// @param mib memory of each GPU, in MiB
/// @param count distinct GPUs of one node
public record ShareClaim(long mib, int count) {
  /// Name of the claim in the pod's `spec.resourceClaims`.
  public static final String NAME = "berth-gpu";

  private static final Pattern TEMPLATE =
      Pattern.compile(NAME + "-([1-9][0-9]{0,12})mi(?:-x([2-9]|[1-9][0-9]{1,2}))?");

  /// `berth-gpu-8192mi`, `berth-gpu-8192mi-x2`.
  public String template() {
    return NAME + "-" + mib + "mi" + (count > 1 ? "-x" + count : "");
  }

  /// Empty where the name is not of this form.
  public static Optional<ShareClaim> of(String template) {
    Matcher name = TEMPLATE.matcher(template);
    if (!name.matches()) {
      return Optional.empty();
    }
    var count = name.group(2);
    return Optional.of(
        new ShareClaim(Long.parseLong(name.group(1)), count == null ? 1 : Integer.parseInt(count)));
  }
}

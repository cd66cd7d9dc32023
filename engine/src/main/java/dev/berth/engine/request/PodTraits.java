package dev.berth.engine.request;

import dev.berth.engine.model.Pod;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// What of a Pod is of this pod alone, however alike others ask: its labels, and the devices and
/// volumes that it claims. Each kind is bounded.
final class PodTraits {
  /// Each plan asks pods for their labels; no real pod has near as many.
  private static final int MOST_LABELS = 256;

  private static final String LABELS = "at most 256 labels are looked at. Take some out.";
  private static final int MOST_CLAIMS = 128;
  private static final String CLAIMS = "a pod has at most 128 claims. Take some out.";

  /// More than any node attaches. What kube-scheduler waits for is charged, so no claim may be left
  /// out: a pod that names more of them waits.
  private static final int MOST_VOLUMES = 128;

  private static final String VOLUMES =
      "a pod names at most 128 PersistentVolumeClaims. Take some out.";
  private static final int LONGEST_NAME = 253;
  private static final String CLAIM_NAME =
      "no PersistentVolumeClaim has that name: it is of small letters, digits, - and ., 253 at"
          + " most.";

  private PodTraits() {}

  static Pod.Traits of(ObjectMeta head, ManifestTree spec, ManifestTree status) {
    var claims = claims(spec, status);
    var volumes = volumes(head, spec);
    return head.labels().isEmpty() && claims.isEmpty() && volumes.isEmpty()
        ? Pod.Traits.NONE
        : new Pod.Traits(
            new FieldLimits(head.metadata(), "labels", MOST_LABELS, LABELS).texts(),
            claims,
            volumes);
  }

  /// Each claim on a volume once, however many volumes are of it.
  private static List<Pod.VolumeRef> volumes(ObjectMeta head, ManifestTree spec) {
    var volumes = new LinkedHashSet<Pod.VolumeRef>(2);
    var limits = new FieldLimits(spec, "volumes", MOST_VOLUMES, VOLUMES);
    for (ManifestTree object : spec.objects("volumes")) {
      boolean isEphemeral = object.has("ephemeral");
      String claim =
          isEphemeral
              ? head.name() + "-" + object.text("name")
              : object.object("persistentVolumeClaim").text("claimName");
      if (!isName(claim)) { // the API server takes any text
        object.object("persistentVolumeClaim").problem("claimName", claim, CLAIM_NAME);
        continue;
      }
      var volume = new Pod.VolumeRef(claim, isEphemeral);
      if (!claim.isEmpty() && !volumes.contains(volume) && limits.allows(1)) {
        volumes.add(volume);
      }
    }
    return List.copyOf(volumes);
  }

  private static boolean isName(String text) {
    boolean isName = text.length() <= LONGEST_NAME;
    for (int i = 0; i < text.length() && isName; i++) {
      char c = text.charAt(i);
      isName = c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.';
    }
    return isName;
  }

  /// A claim that is made from a template has the name that the pod's status tells.
  private static List<Pod.ClaimRef> claims(ManifestTree spec, ManifestTree status) {
    var claims = new ArrayList<Pod.ClaimRef>(0);
    var ration = new FieldLimits(spec, "resourceClaims", MOST_CLAIMS, CLAIMS);
    for (ManifestTree claim : spec.objects("resourceClaims")) {
      if (!ration.allows(1)) {
        break;
      }
      String template = claim.text("resourceClaimTemplateName");
      if (template.isEmpty()) {
        claims.add(new Pod.ClaimRef(claim.text("resourceClaimName"), ""));
      } else {
        claims.add(new Pod.ClaimRef(generated(status, claim.text("name")), template));
      }
    }
    return claims;
  }

  private static String generated(ManifestTree status, String name) {
    for (ManifestTree made : status.objects("resourceClaimStatuses")) {
      if (made.text("name").equals(name)) {
        return made.text("resourceClaimName");
      }
    }
    return "";
  }
}

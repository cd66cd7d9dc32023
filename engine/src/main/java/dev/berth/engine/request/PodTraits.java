package dev.berth.engine.request;

import dev.berth.engine.model.Pod;
import java.util.ArrayList;
import java.util.List;

/// What of a Pod is of this pod alone, however alike others ask: its labels, and the devices and
/// volumes that it claims. Each kind is bounded.
final class PodTraits {
  /// Each plan asks pods for their labels; nobody has near as many.
  private static final int MOST_LABELS = 256;

  private static final String LABELS = "at most 256 labels are looked at. Take some out.";
  private static final int MOST_CLAIMS = 128;
  private static final String CLAIMS = "a pod has at most 128 claims. Take some out.";

  private static final int MOST_VOLUMES = 32;
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

  /// Claims on volumes; those beyond [#MOST_VOLUMES] kube-scheduler alone judges.
  private static List<Pod.VolumeRef> volumes(ObjectMeta head, ManifestTree spec) {
    var volumes = new ArrayList<Pod.VolumeRef>(0);
    for (ManifestTree volume : spec.objects("volumes")) {
      boolean isEphemeral = volume.has("ephemeral");
      String claim =
          isEphemeral
              ? head.name() + "-" + volume.text("name")
              : volume.object("persistentVolumeClaim").text("claimName");
      if (!isName(claim)) { // the API server takes any text
        volume.object("persistentVolumeClaim").problem("claimName", claim, CLAIM_NAME);
      } else if (!claim.isEmpty() && volumes.size() < MOST_VOLUMES) {
        volumes.add(new Pod.VolumeRef(claim, isEphemeral));
      }
    }
    return volumes;
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

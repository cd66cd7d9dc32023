package dev.berth.controllers.door;

import dev.berth.engine.model.ShareClaim;

/// ResourceClaimTemplates of GPU shares (DRA).
public interface ClaimTemplates {
  /// Creates the template of a share. Exists already is success, whatever it says.
  void create(String namespace, ShareClaim share) throws DoorException;

  /// Where no share is a claim.
  ClaimTemplates NONE = (_, _) -> {};
}

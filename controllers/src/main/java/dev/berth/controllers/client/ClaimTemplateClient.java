package dev.berth.controllers.client;

import dev.berth.engine.model.ShareClaim;

/// ResourceClaimTemplates of GPU shares (DRA).
public interface ClaimTemplateClient {
  /// Creates the template of a share. Exists already is success, whatever it says.
  void create(String namespace, ShareClaim share) throws ClientException;

  /// Where no share is a claim.
  ClaimTemplateClient NONE = (_, _) -> {};
}

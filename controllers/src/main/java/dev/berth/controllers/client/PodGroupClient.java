package dev.berth.controllers.client;

import dev.berth.controllers.crd.PodGroupSpec.Edits;
import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.QueueName;

/// PodGroup objects.
public interface PodGroupClient {
  /// Creates a group if it does not exist; exists already is success (and is left as it is).
  ///
  /// @param owner the workload that it is collected with; `Owner.NONE` = none
  /// @param queue none = left out
  void create(GroupKey key, int minMember, QueueName queue, Owner owner) throws ClientException;

  /// Creates a group, or brings up to date what of it must start together; what else stands in it
  /// stays, but for some edits.
  ///
  /// @param queue none = left out
  /// @param edits of an object that is there
  void keep(GroupSpec spec, QueueName queue, Owner owner, Edits edits) throws ClientException;

  /// The owner reference of a group that Berth made.
  record Owner(String apiVersion, String kind, String name, OwnerUid uid) {
    public static final Owner NONE = new Owner("", "", "", OwnerUid.NONE);
  }

  /// Replaces the status (merge patch on the subresource).
  ///
  /// @param before what the object says so far
  void status(GroupKey key, PodGroupStatus before, PodGroupStatus after) throws ClientException;

  /// Deletes that incarnation of a group that Berth made. Gone already is success.
  void delete(GroupKey key, String uid) throws ClientException;
}

package dev.berth.extender.barrier;

import dev.berth.engine.model.PodUid;
import java.util.SortedSet;

/// Which members of a gang have a node already: after a restart the barrier does not remember them.
public interface BoundMembers {
  /// @param gang the name in the plan
  /// @param member one of the gang, by which to find the others
  SortedSet<PodUid> of(String gang, PodUid member);
}

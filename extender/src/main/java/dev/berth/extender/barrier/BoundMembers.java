package dev.berth.extender.barrier;

import dev.berth.engine.model.PodUid;
import java.util.SortedSet;

/// Who of a gang has a node already: after a restart the barrier does not remember them.
public interface BoundMembers {
  /// @param gang the name in the plan
  /// @param member one of the gang, by which to find the others
  SortedSet<PodUid> of(String gang, PodUid member);
}

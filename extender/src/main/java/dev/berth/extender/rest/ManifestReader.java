package dev.berth.extender.rest;

import dev.berth.engine.explain.Remedy;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.rest.answer.OffersAnswer.Patch;
import java.util.List;

/// Reads manifests of a workload that is not submitted yet. Any thread.
public interface ManifestReader {
  /// For a server without offers.
  ManifestReader NONE =
      (_, _) -> {
        throw new ApiProblem(
            ApiProblem.Kind.NOT_FOUND, "", "There are no offers here: use berth offer");
      };

  /// Bounded work, of a size that clients choose.
  ///
  /// @param manifests YAML or JSON
  /// @param namespace of objects that name none
  /// @throws ApiProblem it cannot be read, or it is not known which pods come of it
  SubmittedWorkload read(String manifests, String namespace);

  /// A workload that is not submitted yet.
  interface SubmittedWorkload {
    String kind();

    String name();

    /// All of its objects are there.
    String namespace();

    /// The groups that its pods would form, as Berth would see them once they are created.
    ///
    /// @param beside the cluster
    /// @throws ApiProblem it has an object of that name already
    List<PodGroup> groups(Snapshot beside);

    /// Changes of its manifests that make these remedies; empty = no manifest says all of them.
    List<Patch> patches(List<Remedy> remedies);
  }
}

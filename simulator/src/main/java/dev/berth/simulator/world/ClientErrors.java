package dev.berth.simulator.world;

import dev.berth.controllers.client.ClientException;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;

/// From the API server's refusals to the clients' words.
final class ClientErrors {
  private ClientErrors() {}

  static void pass(World world, PodKey pod, PodUid uid, Runnable write) throws ClientException {
    try {
      write.run();
    } catch (ApiRefusal refusal) {
      throw failure(world, pod, uid, refusal);
    }
  }

  /// A refusal about a pod that is another incarnation by now is `GONE`.
  static ClientException failure(World world, PodKey pod, PodUid uid, ApiRefusal refusal) {
    boolean gone =
        world
            .find(ObjectRef.pod(pod))
            .filter(is -> ObjectTree.uid(is).equals(uid.value()))
            .isEmpty();
    return gone
        ? new ClientException(ClientException.Kind.GONE, pod + " is gone", refusal)
        : failure(refusal);
  }

  static ClientException failure(ApiRefusal refusal) {
    String message = String.valueOf(refusal.getMessage());
    var kind =
        refusal.status() == 500 && message.contains("more than one PodDisruptionBudget")
            ? ClientException.Kind.NOT_NOW // as the client to a real API server has it
            : kind(refusal);
    return new ClientException(kind, message, refusal);
  }

  private static ClientException.Kind kind(ApiRefusal refusal) {
    return switch (refusal.status()) {
      case 404 -> ClientException.Kind.GONE;
      case 409 -> ClientException.Kind.CONFLICT;
      case 429 -> ClientException.Kind.NOT_NOW;
      default ->
          refusal.status() >= 500 ? ClientException.Kind.UNREACHABLE : ClientException.Kind.REFUSED;
    };
  }
}

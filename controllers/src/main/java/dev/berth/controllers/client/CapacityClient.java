package dev.berth.controllers.client;

import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.PodKey;
import java.util.List;
import java.util.SortedMap;

/// Makes a want of nodes visible to autoscalers. Every call may be repeated.
public interface CapacityClient {
  /// Room that a waiting group lacks.
  ///
  /// @param name the same as long as it is the same want
  /// @param together whether less than all of it is of no use
  record Want(String name, boolean together, List<CapacityUnit> units) {
    public Want {
      units = List.copyOf(units);
    }
  }

  /// Room on one node.
  ///
  /// @param like a pod that waits for it
  /// @param constraints which nodes it may be on, as its manifest says too
  /// @param models accepted device models; empty = any
  /// @param requests quantities by resource name, as a pod asks for them
  record CapacityUnit(
      PodKey like,
      Constraints constraints,
      List<String> models,
      SortedMap<String, String> requests) {
    public CapacityUnit {
      models = List.copyOf(models);
    }
  }

  /// A request for a whole want that stands in the cluster, whatever process made it.
  ///
  /// @param want its name
  /// @param parts names of what was made with it
  record Request(String want, String namespace, List<String> parts) {
    public Request {
      parts = List.copyOf(parts);
    }
  }

  /// Asks for it, however often. What is there already is success.
  void ask(Want want) throws ClientException;

  /// Asks no more. What is gone already is success.
  void withdraw(Want want) throws ClientException;

  /// Takes away one placeholder of which the want is unknown.
  void clear(PodKey placeholder) throws ClientException;

  /// Requests of Berth, of earlier leaders, too.
  List<Request> requests() throws ClientException;

  /// Takes away a request of which the want is unknown.
  void clear(Request request) throws ClientException;

  /// Where no autoscaler is asked.
  CapacityClient NONE =
      new CapacityClient() {
        @Override
        public void ask(Want want) {}

        @Override
        public void withdraw(Want want) {}

        @Override
        public void clear(PodKey placeholder) {}

        @Override
        public List<Request> requests() {
          return List.of();
        }

        @Override
        public void clear(Request request) {}
      };
}

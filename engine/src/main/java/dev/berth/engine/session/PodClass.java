package dev.berth.engine.session;

import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.PodRequest;
import dev.berth.engine.model.Resource;
import java.util.Arrays;
import java.util.Collections;

/// What makes pods interchangeable for placement: the same request and the same constraints. A gang
/// of 512 is one shape, so what holds for one member is found out once.
public final class PodClass {
  private final int id;
  private final PodRequest request;
  private final Constraints constraints;
  private final long[] claimedMillis;
  private final int[] resources;
  private final long[] needs;
  private final Resource missing;
  private final String missingInWords;
  private final boolean partitions;
  private final int[] millis;
  private final Charge[] charges;
  private final Charge least;
  private final Charge most;
  private final boolean chargeVaries;

  private static final Resource NOTHING = new Resource("");

  /// What pods of one class ask alike. Looked up, never iterated: its hash is of no order.
  ///
  /// @param claimed GPUs that they are charged for besides, by their claims
  record Key(PodRequest request, Constraints constraints, ClaimedGpus claimed) {}

  /// Asks for nothing, in a cluster without nodes.
  static final PodClass NONE =
      new PodClass(
          -1,
          new Key(PodRequest.NOTHING, Constraints.NONE, ClaimedGpus.NONE),
          "",
          new Hardware(),
          new CountedResources(Collections.emptyList(), new Hardware()));

  /// @param id dense within one session; -1 outside of it
  /// @param model of which its devices can only be; empty = of one or another
  PodClass(int id, Key key, String model, Hardware hardware, CountedResources counted) {
    this.id = id;
    this.request = key.request;
    this.constraints = key.constraints;
    var claimed = key.claimed;
    var amounts = request.amounts();
    var indexes = new int[amounts.size() + 1];
    var values = new long[amounts.size() + 1];
    var unknown = NOTHING;
    boolean asksPartitions = false;
    int size = 0;
    for (int i = 0; i < amounts.size(); i++) {
      var resource = amounts.resource(i);
      int index = hardware.resources().find(resource);
      asksPartitions |= resource.isMig();
      if (index != Resources.UNKNOWN && index != hardware.pods()) {
        indexes[size] = index;
        values[size++] = amounts.value(i);
      } else if (index == Resources.UNKNOWN && amounts.value(i) > 0) {
        unknown = resource;
      }
    }
    indexes[size] = hardware.pods();
    values[size++] = 1;
    this.resources = Arrays.copyOf(indexes, size);
    this.needs = Arrays.copyOf(values, size);
    this.missing = unknown;
    this.missingInWords = unknown.name() + hardware.resources().hint(unknown);
    this.partitions = asksPartitions;
    this.millis = new int[hardware.kinds().size()];
    this.charges = new Charge[millis.length];
    this.claimedMillis = new long[millis.length];
    long cheapest = claimed.millisOn(hardware.largestClaimBytes());
    long dearest = claimed.millisOn(hardware.smallestClaimBytes());
    this.least = counted.charge(request, cheapest, "", hardware.largestMemoryMib());
    this.most = counted.charge(request, dearest, model, hardware.smallestMemoryMib());
    boolean varies = false;
    for (int kind = 0; kind < millis.length; kind++) {
      var accelerators = hardware.kinds().get(kind);
      millis[kind] = request.devices().millisOn(accelerators.memoryMib());
      boolean offers = accelerators.claimBytes() > 0;
      claimedMillis[kind] = offers ? claimed.millisOn(accelerators.claimBytes()) : cheapest;
      charges[kind] =
          counted.charge(
              request, claimedMillis[kind], accelerators.model(), accelerators.memoryMib());
      varies |= !charges[kind].equals(least);
    }
    this.chargeVaries = varies;
  }

  public int id() {
    return id;
  }

  public PodRequest request() {
    return request;
  }

  public Constraints constraints() {
    return constraints;
  }

  public int needs() {
    return needs.length;
  }

  /// Dense number of the resource of need `i`.
  public int resource(int i) {
    return resources[i];
  }

  public long need(int i) {
    return needs[i];
  }

  /// Whether it asks for a resource that no node has.
  public boolean asksTheUnknown() {
    return !missing.name().isEmpty();
  }

  /// The resource that no node has.
  public Resource unknown() {
    return missing;
  }

  /// The same, with the resource that may have been meant.
  public String unknownInWords() {
    return missingInWords;
  }

  public DeviceRequest devices() {
    return request.devices();
  }

  public boolean isShare() {
    return request.devices().isShare();
  }

  /// Whether it asks for MIG instances.
  public boolean asksPartitions() {
    return partitions;
  }

  public boolean usesDevices() {
    return partitions || request.devices().count() > 0;
  }

  /// Thousandths that a share takes of each device of this kind of node; above 1000 = never.
  public int millisOn(int kind) {
    return millis[kind];
  }

  /// Thousandths of devices that it asks for, on the kind of node where that is least.
  public long leastThousandths() {
    int each = 1000;
    for (int kind = 0; isShare() && kind < millis.length; kind++) {
      each = Math.min(each, millis[kind]);
    }
    return (long) each * devices().count();
  }

  /// Thousandths of GPUs that it is charged for by its claims on this kind of node.
  public long claimedMillisOn(int kind) {
    return claimedMillis[kind];
  }

  /// What queues are charged where it is placed on this kind of node.
  public Charge chargeOn(int kind) {
    return charges[kind];
  }

  /// What queues would be charged on the node that is cheapest for it.
  public Charge least() {
    return least;
  }

  /// What it counts as long as it waits: by the smallest device memory of the cluster, and for a
  /// device model only where it can be no other.
  public Charge asked() {
    return most;
  }

  /// Whether the charge depends on the node.
  public boolean chargeVaries() {
    return chargeVaries;
  }
}

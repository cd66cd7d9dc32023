package dev.berth.engine.placement;

import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.PodClass;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Whether a node has room for one pod of a shape: at once, soon (when those have gone that are
/// leaving), or what stands in the way.
///
/// The answer of the search is an int, for it is asked millions of times: [#NOW], [#SOON], or a
/// number of what lacks. Outside of it the answer is an [Answer].
final class Fit {
  static final int NOW = 0;
  static final int SOON = 1;
  private static final int LACKS = 2; // + the number of the resource
  private static final int PORTS = -1;
  private static final int SLOTS = -2;
  private static final int UNKNOWN_RESOURCE = -3;
  private static final int HOLDERS = -4;
  private static final int[] NOTHING = {};

  private Fit() {}

  /// Whether a node has room, with what stands in the way.
  sealed interface Answer permits Fits, Lack {}

  enum Fits implements Answer {
    NOW,
    SOON
  }

  /// @param code of what lacks first
  /// @param objection the same
  record Lack(int code, Objection objection) implements Answer {}

  /// As [#room].
  static Answer answer(FreeCapacity room, PodClass podClass, int n) {
    int code = room(room, podClass, n);
    return switch (code) {
      case NOW -> Fits.NOW;
      case SOON -> Fits.SOON;
      default -> new Lack(code, objection(room, podClass, n, code));
    };
  }

  static boolean isRoom(int answer) {
    return answer == NOW || answer == SOON;
  }

  /// What is free only; what never changes is for [NodeRules] and [DeviceRules].
  static int room(FreeCapacity room, PodClass podClass, int n) {
    if (podClass.asksTheUnknown()) {
      return UNKNOWN_RESOURCE;
    }
    boolean now = true;
    for (int i = 0; i < podClass.needs(); i++) {
      int resource = podClass.resource(i);
      long need = podClass.need(i);
      if (need > room.free(n, resource)) {
        if (need > room.freeSoon(n, resource)) {
          return LACKS + resource;
        }
        now = need <= 0 && now;
      }
    }
    if (!podClass.request().hostPorts().isEmpty()
        && room.ports().collide(n, podClass.request().hostPorts())) {
      return PORTS;
    }
    if (podClass.isShare()) {
      int answer = share(room, podClass, n);
      return answer == NOW && !now ? SOON : answer;
    }
    return now ? NOW : SOON;
  }

  /// What else lacks on a node.
  ///
  /// @param first what lacks first
  static List<Objection> besides(FreeCapacity room, PodClass podClass, int n, Lack first) {
    int[] others = others(room, podClass, n, first.code());
    if (others.length == 0) {
      return List.of();
    }
    var besides = new ArrayList<Objection>(others.length);
    for (int other : others) {
      besides.add(objection(room, podClass, n, other));
    }
    return besides;
  }

  private static int[] others(FreeCapacity room, PodClass podClass, int n, int answer) {
    if (answer == UNKNOWN_RESOURCE) {
      return NOTHING;
    }
    int[] others = NOTHING;
    for (int i = 0; i < podClass.needs(); i++) {
      int resource = podClass.resource(i);
      if (podClass.need(i) > room.freeSoon(n, resource)
          && podClass.need(i) > room.free(n, resource)) {
        others = with(others, LACKS + resource, answer);
      }
    }
    if (!podClass.request().hostPorts().isEmpty()
        && room.ports().collide(n, podClass.request().hostPorts())) {
      others = with(others, PORTS, answer);
    }
    if (podClass.isShare()) {
      int share = share(room, podClass, n);
      others = isRoom(share) ? others : with(others, share, answer);
    }
    return others;
  }

  private static int[] with(int[] answers, int one, int first) {
    if (one == first || Arrays.stream(answers).anyMatch(each -> each == one)) {
      return answers;
    }
    int[] more = Arrays.copyOf(answers, answers.length + 1);
    more[answers.length] = one;
    return more;
  }

  /// A share needs that much on `count` distinct devices: shared ones with room, or whole free
  /// ones, of which each costs the node one device and, for its holder, one place among the pods.
  private static int share(FreeCapacity room, PodClass podClass, int n) {
    int millis = podClass.millisOn(room.kind(n));
    if (millis > 1000 || room.device(n) < 0) {
      return SLOTS;
    }
    if (room.freeSoon(n, room.device(n)) < 0) {
      return SLOTS; // it has lost a device that is in use, and does not say which
    }
    int fresh = podClass.devices().count(); // devices that must be opened, to start now
    int freshSoon = fresh; // and to start soon
    int vacant = 0; // slots without stayers: their holder is there
    int idle = 0; // devices that no pod is leaving either
    int unused = 0; // numbers for new slots
    var slots = room.slots();
    for (int slot = 0; slot < slots.count(n); slot++) {
      if (slots.isUnused(n, slot)) {
        unused++;
      } else if (slots.isShared(n, slot)) {
        fresh -= slots.free(n, slot) >= millis ? 1 : 0;
        freshSoon -= slots.freeSoon(n, slot) >= millis ? 1 : 0;
      } else if (slots.isVacant(n, slot)) {
        vacant++;
        idle += slots.free(n, slot) == 1000 ? 1 : 0;
      }
    }
    if (freshSoon <= 0) {
      return fresh <= 0 ? NOW : SOON;
    }
    if (freshSoon > room.freeSoon(n, room.device(n))) {
      return SLOTS;
    }
    if (freshSoon > vacant + unused) { // a node in trouble opens none
      return room.node(n).trouble().isEmpty() ? SLOTS : HOLDERS;
    }
    if (1 + freshSoon > room.freeSoon(n, room.pods())) {
      return LACKS + room.pods();
    }
    int opened = fresh - Math.min(idle, fresh); // those without a holder yet
    boolean now =
        fresh == freshSoon
            && opened <= unused
            && opened <= room.free(n, room.device(n))
            && 1 + opened <= room.free(n, room.pods());
    return now ? NOW : SOON;
  }

  /// Devices that are shared by a pod that stays, with room for such a share now or soon.
  static int sharedWith(FreeCapacity room, int n, int millis) {
    int shared = 0;
    var slots = room.slots();
    for (int slot = 0; slot < slots.count(n); slot++) {
      shared += slots.isShared(n, slot) && slots.freeSoon(n, slot) >= millis ? 1 : 0;
    }
    return shared;
  }

  private static Objection objection(FreeCapacity room, PodClass podClass, int n, int answer) {
    return new Objection(obstacle(room, podClass, n, answer), detail(room, podClass, n, answer));
  }

  private static Obstacle obstacle(FreeCapacity room, PodClass podClass, int n, int answer) {
    return switch (answer) {
      case PORTS -> Obstacle.HOST_PORTS;
      case SLOTS -> room.device(n) < 0 ? Obstacle.DEVICES : Obstacle.SHARED_DEVICES;
      case HOLDERS -> Obstacle.HOLDERS;
      case UNKNOWN_RESOURCE -> podClass.unknown().isDevice() ? Obstacle.DEVICES : Obstacle.RESOURCE;
      default -> {
        int resource = answer - LACKS;
        if (resource == room.pods()) {
          yield Obstacle.PODS;
        }
        yield room.resource(resource).isDevice() ? Obstacle.DEVICES : Obstacle.RESOURCE;
      }
    };
  }

  /// Devices that the node has and its device plugin does not offer, also while a pod uses them.
  private static String unhealthy(FreeCapacity room, int n) {
    var accelerator = room.node(n).node().accelerator();
    return accelerator.unhealthy() == 0
        ? ""
        : accelerator.unhealthy() + " of its " + accelerator.capacity() + " unhealthy";
  }

  /// The resource that lacks; empty where the obstacle says it all.
  private static String detail(FreeCapacity room, PodClass podClass, int n, int answer) {
    if (answer == HOLDERS) {
      return room.node(n).trouble();
    }
    if (answer == UNKNOWN_RESOURCE) {
      return podClass.unknown().name();
    }
    if (answer == SLOTS) {
      return unhealthy(room, n);
    }
    if (answer == PORTS) {
      return room.ports().firstTaken(n, podClass.request().hostPorts());
    }
    if (answer < LACKS) {
      return "";
    }
    if (answer - LACKS == room.pods()) {
      return places(room, n);
    }
    var lacks = room.resource(answer - LACKS);
    String unhealthy = lacks.isDevice() ? unhealthy(room, n) : "";
    return lacks.name() + (unhealthy.isEmpty() ? "" : ", " + unhealthy);
  }

  /// `110 of 110`: pods that stay, of those that the kubelet takes.
  private static String places(FreeCapacity room, int n) {
    long places = room.allocatable(n, room.pods());
    long free = room.freeSoon(n, room.pods());
    String holder = free > 0 ? ", and the holder of its GPU is one, too" : "";
    return (places - free) + " of " + places + holder;
  }

  /// All that a node has of a resource, unhealthy devices included.
  static long whole(FreeCapacity room, int n, int resource) {
    long allocatable = room.allocatable(n, resource);
    return resource == room.device(n)
        ? Math.max(allocatable, room.node(n).node().accelerator().capacity())
        : allocatable;
  }

  /// How many pods of a shape a node has room for now, with no pod on its way out: of shares one at
  /// the most.
  static long now(FreeCapacity room, PodClass podClass, int n) {
    if (room(room, podClass, n) != NOW) {
      return 0;
    }
    long most =
        podClass.isShare() || !podClass.request().hostPorts().isEmpty() ? 1 : Integer.MAX_VALUE;
    for (int i = 0; i < podClass.needs(); i++) {
      if (podClass.need(i) > 0) {
        most = Math.min(most, room.free(n, podClass.resource(i)) / podClass.need(i));
      }
    }
    return most;
  }

  /// How many pods of a shape a node would hold without any; claims are not looked at.
  static long whenEmpty(FreeCapacity room, PodClass podClass, int n) {
    long most = podClass.request().hostPorts().isEmpty() ? Integer.MAX_VALUE : 1;
    for (int i = 0; i < podClass.needs(); i++) {
      if (podClass.need(i) > 0) {
        most = Math.min(most, whole(room, n, podClass.resource(i)) / podClass.need(i));
      }
    }
    if (podClass.isShare()) {
      int millis = podClass.millisOn(room.kind(n));
      boolean never = millis <= 0 || millis > 1000 || room.device(n) < 0;
      long shares = never ? 0 : whole(room, n, room.device(n)) * (1000 / millis);
      most = Math.min(most, shares / podClass.devices().count());
    }
    return Math.max(0, most);
  }
}

package dev.berth.controllers.kube;

import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Leases;
import dev.berth.controllers.kube.Api.Ask;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A Lease of a real cluster. Each read and write is tried once: whoever renews comes again soon,
/// and must know when it sent what.
public final class ApiLeases implements Leases {
  /// Go's MicroTime takes six digits, no more and no fewer.
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final Api api;
  private final String namespace;
  private final String name;

  public ApiLeases(Api api, String namespace, String name) {
    this.api = api.bestEffort(2);
    this.namespace = namespace;
    this.name = name;
  }

  @Override
  public Optional<Lease> read() throws DoorException {
    String what = "read lease " + namespace + "/" + name;
    Answer answer = api.send(what, Ask.get(path().named(name)));
    if (answer.code() == 404) {
      return Optional.empty();
    }
    if (!answer.isDone()) {
      throw answer.failure(what);
    }
    return Optional.of(lease(answer.tree()));
  }

  @Override
  public Lease write(Lease lease) throws DoorException {
    boolean isNew = lease.version().isEmpty();
    var metadata = Json.object("name", name, "namespace", namespace);
    if (!isNew) {
      metadata.put("resourceVersion", lease.version());
    }
    var body =
        Json.object(
            "apiVersion",
            "coordination.k8s.io/v1",
            "kind",
            "Lease",
            "metadata",
            metadata,
            "spec",
            Json.object(
                "holderIdentity",
                lease.holder(),
                "leaseDurationSeconds",
                lease.duration().toSeconds(),
                "acquireTime",
                MICROS.format(lease.acquired()),
                "renewTime",
                MICROS.format(lease.renewed()),
                "leaseTransitions",
                lease.term()));
    String what = "write lease " + namespace + "/" + name;
    Answer answer =
        api.send(
            what,
            isNew
                ? Ask.post(path(), Json.text(body))
                : Ask.patch(path().named(name), Json.text(body)));
    if (!answer.isDone()) {
      throw answer.failure(what);
    }
    return lease.withVersion(Json.at(answer.tree(), "metadata", "resourceVersion"));
  }

  private ApiPath path() throws DoorException {
    return ApiPath.in("coordination.k8s.io/v1", namespace, "leases");
  }

  private static Lease lease(Map<String, Object> tree) {
    return new Lease(
        Json.at(tree, "spec", "holderIdentity"),
        Duration.ofSeconds(whole(tree, "leaseDurationSeconds")),
        moment(tree, "acquireTime"),
        moment(tree, "renewTime"),
        (int) whole(tree, "leaseTransitions"),
        Json.at(tree, "metadata", "resourceVersion"));
  }

  private static long whole(Map<String, Object> tree, String field) {
    String number = Json.at(tree, "spec", field);
    return number.isEmpty() ? 0 : Long.parseLong(number);
  }

  private static Instant moment(Map<String, Object> tree, String field) {
    try {
      return Instant.parse(Json.at(tree, "spec", field));
    } catch (DateTimeParseException never) {
      return Instant.EPOCH;
    }
  }
}

package dev.berth.controllers.kube;

import dev.berth.controllers.client.ApiWrite;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.LeaseClient;
import dev.berth.controllers.kube.Api.Ask;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A Lease of a real cluster. Each read and write is tried once: the elector repeats it soon, and
/// must know when it sent what.
public final class ApiLeases implements LeaseClient {
  /// Go's MicroTime takes six digits, no more and no fewer.
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final Api api;
  private final String namespace;
  private final String name;

  public ApiLeases(Api api, String namespace, String name) {
    this.api = api.forKind(ApiWrite.Lease.class, 2);
    this.namespace = namespace;
    this.name = name;
  }

  @Override
  public Optional<Lease> read() throws ClientException {
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
  public Lease write(Lease lease) throws ClientException {
    boolean isNew = lease.version().isEmpty();
    var metadata = JsonBodies.object("name", name, "namespace", namespace);
    if (!isNew) {
      metadata.put("resourceVersion", lease.version());
    }
    var body =
        JsonBodies.object(
            "apiVersion",
            "coordination.k8s.io/v1",
            "kind",
            "Lease",
            "metadata",
            metadata,
            "spec",
            JsonBodies.object(
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
                ? Ask.post(path(), JsonBodies.text(body))
                : Ask.patch(path().named(name), JsonBodies.text(body)));
    if (!answer.isDone()) {
      throw answer.failure(what);
    }
    return lease.withVersion(JsonBodies.at(answer.tree(), "metadata", "resourceVersion"));
  }

  private ApiPath path() throws ClientException {
    return ApiPath.in("coordination.k8s.io/v1", namespace, "leases");
  }

  private static Lease lease(Map<String, Object> tree) {
    return new Lease(
        JsonBodies.at(tree, "spec", "holderIdentity"),
        Duration.ofSeconds(whole(tree, "leaseDurationSeconds")),
        moment(tree, "acquireTime"),
        moment(tree, "renewTime"),
        (int) whole(tree, "leaseTransitions"),
        JsonBodies.at(tree, "metadata", "resourceVersion"));
  }

  private static long whole(Map<String, Object> tree, String field) {
    String number = JsonBodies.at(tree, "spec", field);
    return number.isEmpty() ? 0 : Long.parseLong(number);
  }

  private static Instant moment(Map<String, Object> tree, String field) {
    try {
      return Instant.parse(JsonBodies.at(tree, "spec", field));
    } catch (DateTimeParseException never) {
      return Instant.EPOCH;
    }
  }
}

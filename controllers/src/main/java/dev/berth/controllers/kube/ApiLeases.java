package dev.berth.controllers.kube;

import dev.berth.controllers.client.ApiWrite;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.LeaseClient;
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
    return object().read().map(ApiLeases::lease);
  }

  @Override
  public Lease write(Lease lease) throws ClientException {
    var body =
        JsonBodies.object(
            "apiVersion",
            "coordination.k8s.io/v1",
            "kind",
            "Lease",
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
    var written = object().write(lease.version(), JsonBodies.object(), body);
    return lease.withVersion(JsonBodies.at(written, "metadata", "resourceVersion"));
  }

  private NamedObject object() throws ClientException {
    var path = ApiPath.in("coordination.k8s.io/v1", namespace, "leases");
    return new NamedObject(api, "lease", path, namespace, name);
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

package dev.berth.cli.doctor;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.kube.ApiReads;
import dev.berth.controllers.kube.ApiReads.Reply;
import dev.berth.controllers.kube.KubeCluster;
import dev.berth.engine.request.ManifestTree;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads a cluster for the checks. It changes nothing: access reviews, which the API server does
/// not keep, are its only POSTs. One call after the other.
public final class ClusterLook {
  private static final String BERTH = "system:serviceaccount:berth-system:berth";
  private static final String REVIEWS = "/apis/authorization.k8s.io/v1/";

  private final KubeCluster cluster;
  private final ApiReads reads;
  private final InstantSource time;

  public ClusterLook(KubeCluster cluster, InstantSource time) {
    this.cluster = cluster;
    this.reads = new ApiReads(cluster);
    this.time = time;
  }

  /// @param schedulerConfig a file of kube-scheduler; empty = the ConfigMap of Berth's own
  /// @throws ClientException where the API server does not answer or knows no such user
  public ClusterFacts read(boolean preflight, Optional<Path> schedulerConfig)
      throws ClientException {
    Instant before = time.instant();
    Reply version = reads.get("/version");
    Instant after = time.instant();
    if (!version.isDone()) {
      throw new ClientException(
          ClientException.Kind.REFUSED,
          cluster.server()
              + " answers "
              + version.code()
              + ": "
              + version.message()
              + ". Check the credentials with `kubectl auth whoami`.");
    }
    Duration skew = version.date().map(date -> skew(before, after, date)).orElse(Duration.ZERO);
    var listings = new EnumMap<Source, Listing>(Source.class);
    String user = whoami();
    for (Source source : Source.values()) {
      listings.put(source, list(source, user));
    }
    var rights = preflight ? ofUser(Right.ofInstaller()) : ofBerth(Right.ofBerth());
    var bare =
        new ClusterFacts(
            cluster.server(),
            String.valueOf(version.tree().getOrDefault("gitVersion", "")),
            time.instant(),
            skew,
            preflight,
            listings,
            rights,
            SchedulerFacts.NONE);
    if (preflight) {
      return bare;
    }
    return new ClusterFacts(
        bare.server(),
        bare.version(),
        bare.now(),
        skew,
        false,
        listings,
        rights,
        scheduler(bare, schedulerConfig));
  }

  /// The header has whole seconds, so up to one second and the way there and back are no skew.
  private static Duration skew(Instant before, Instant after, Instant date) {
    if (before.isAfter(date.plusSeconds(1))) {
      return Duration.between(date.plusSeconds(1), before);
    }
    return after.isBefore(date) ? Duration.between(date, after) : Duration.ZERO;
  }

  private Listing list(Source source, String user) throws ClientException {
    var items = new ArrayList<Map<?, ?>>();
    String fields =
        source.fields().isEmpty()
            ? ""
            : "?fieldSelector=" + URLEncoder.encode(source.fields(), StandardCharsets.UTF_8);
    Reply reply = reads.list(source.path() + fields, items::add);
    if (reply.code() == 404) {
      return Listing.NOT_SERVED;
    }
    if (!reply.isDone()) {
      return Listing.failed(refusal(reply, user));
    }
    return Listing.of(items);
  }

  private List<AccessAnswer> ofBerth(List<Right> rights) throws ClientException {
    var answers = new ArrayList<AccessAnswer>();
    for (Right right : rights) {
      var spec = attributes(right);
      spec.put("user", BERTH);
      spec.put(
          "groups",
          List.of(
              "system:serviceaccounts",
              "system:serviceaccounts:berth-system",
              "system:authenticated"));
      answers.add(ask("SubjectAccessReview", "subjectaccessreviews", right, spec));
    }
    boolean refused = answers.stream().noneMatch(answer -> answer.failure().isEmpty());
    return refused && whoami().equals(BERTH) ? ofUser(rights) : answers;
  }

  private List<AccessAnswer> ofUser(List<Right> rights) throws ClientException {
    var answers = new ArrayList<AccessAnswer>();
    for (Right right : rights) {
      answers.add(
          ask("SelfSubjectAccessReview", "selfsubjectaccessreviews", right, attributes(right)));
    }
    return answers;
  }

  private static String refusal(Reply reply, String user) {
    return reply.code() == 403
        ? "forbidden to " + (user.isEmpty() ? "this user" : "user " + user)
        : reply.message() + " (" + reply.code() + ")";
  }

  /// Empty where the API server does not say.
  private String whoami() throws ClientException {
    Reply reply =
        reads.review(
            "/apis/authentication.k8s.io/v1/selfsubjectreviews",
            object(
                "apiVersion", "authentication.k8s.io/v1",
                "kind", "SelfSubjectReview"));
    return reply.tree().get("status") instanceof Map<?, ?> status
            && status.get("userInfo") instanceof Map<?, ?> user
        ? String.valueOf(user.get("username"))
        : "";
  }

  private static Map<String, Object> attributes(Right right) {
    String[] parts = right.resource().split("/", 2);
    return object(
        "resourceAttributes",
        object(
            "verb", right.verb(),
            "group", right.group(),
            "resource", parts[0],
            "subresource", parts.length > 1 ? parts[1] : "",
            "namespace", right.namespace(),
            "name", right.name()));
  }

  private AccessAnswer ask(String kind, String plural, Right right, Map<String, Object> spec)
      throws ClientException {
    Reply reply =
        reads.review(
            REVIEWS + plural,
            object("apiVersion", "authorization.k8s.io/v1", "kind", kind, "spec", spec));
    if (!reply.isDone()) {
      return new AccessAnswer(right, false, reply.message() + " (" + reply.code() + ")");
    }
    boolean allowed =
        reply.tree().get("status") instanceof Map<?, ?> status
            && Boolean.TRUE.equals(status.get("allowed"))
            && !Boolean.TRUE.equals(status.get("denied"));
    return new AccessAnswer(right, allowed, "");
  }

  private static SchedulerFacts scheduler(ClusterFacts facts, Optional<Path> file) {
    String from = "";
    String text = "";
    if (file.isPresent()) {
      from = "file " + file.get();
      try {
        text = Files.readString(file.get());
      } catch (IOException unreadable) {
        return new SchedulerFacts(
            from,
            Map.of(),
            "cannot be read (" + unreadable.getClass().getSimpleName() + ")",
            List.of());
      }
    } else {
      for (ManifestTree map : facts.trees(Source.CONFIG_MAPS)) {
        if (ClusterFacts.name(map).equals("berth-scheduler")) {
          from = "configmap " + ClusterFacts.key(map);
          text = map.object("data").text("scheduler.yaml");
        }
      }
    }
    return from.isEmpty() ? SchedulerFacts.NONE : parsed(from, text);
  }

  private static SchedulerFacts parsed(String from, String text) {
    try {
      Object tree = new ObjectMapper(new YAMLFactory()).readValue(text, Object.class);
      if (!(tree instanceof Map<?, ?> config)) {
        return new SchedulerFacts(from, Map.of(), "holds no configuration", List.of());
      }
      var replies = SchedulerCheck.extenders(config).stream().map(ExtenderProbe::ask).toList();
      return new SchedulerFacts(from, config, "", replies);
    } catch (JacksonException notYaml) {
      return new SchedulerFacts(
          from, Map.of(), "is not YAML: " + notYaml.getOriginalMessage(), List.of());
    }
  }

  private static Map<String, Object> object(Object... namesAndValues) {
    var object = new LinkedHashMap<String, Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return object;
  }
}

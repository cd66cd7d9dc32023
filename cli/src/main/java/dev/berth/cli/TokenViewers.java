package dev.berth.cli;

import dev.berth.engine.model.QueueName;
import dev.berth.extender.access.AccessReviewer.NoVerdict;
import dev.berth.extender.access.Rights;
import dev.berth.extender.access.RightsReviewer.ObjectRight;
import dev.berth.extender.rest.ApiProblem;
import dev.berth.extender.rest.ApiProblem.Kind;
import dev.berth.extender.rest.Viewers;
import dev.berth.extender.rest.answer.Visible;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// What the owner of a token may see: queues that it may get, workloads of namespaces in which it
/// may list PodGroups, nodes if it may list nodes.
///
/// @param <U> a user, as the API server describes it
record TokenViewers<U>(Rights<U> rights) implements Viewers {
  private static final String GROUP = "berth.dev";
  private static final String SCHEME = "bearer ";

  /// Namespaces and queues about which the API server is asked for one question.
  private static final int MOST_ASKED = 200;

  @Override
  public Visible viewer(String authorization, String host) {
    String shown = authorization.strip();
    if (!shown.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      throw new ApiProblem(
          Kind.NO_TOKEN, "Authorization", "Show a token of the cluster: Authorization: Bearer …");
    }
    try {
      var user = rights.owner(shown.substring(SCHEME.length()).strip());
      if (user.isEmpty()) {
        throw new ApiProblem(
            Kind.NO_TOKEN,
            "Authorization",
            "The cluster does not know this token, or it has run out: get another, as by kubectl"
                + " create token");
      }
      var visible = new OfUser(user.get());
      return visible.isEverything() ? Visible.ALL : visible;
    } catch (NoVerdict unknown) {
      throw unjudged(unknown);
    }
  }

  private static ApiProblem unjudged(NoVerdict unknown) {
    return new ApiProblem(
        Kind.UNJUDGED,
        "",
        "The API server did not say what you may see ("
            + unknown.getMessage()
            + "): ask again in a moment");
  }

  /// Remembers its answers: one question looks at many objects.
  private final class OfUser implements Visible {
    private static final ObjectRight ALL_GROUPS = ObjectRight.toList(GROUP, "podgroups");
    private static final ObjectRight ALL_QUEUES = ObjectRight.toList(GROUP, "queues");
    private static final ObjectRight NODES = ObjectRight.toList("", "nodes");

    private final U user;
    private final boolean isLenient;
    private final Map<ObjectRight, Boolean> known;

    OfUser(U user) {
      this(user, false, new ConcurrentHashMap<>());
    }

    private OfUser(U user, boolean isLenient, Map<ObjectRight, Boolean> known) {
      this.user = user;
      this.isLenient = isLenient;
      this.known = known;
    }

    @Override
    public Visible lenient() {
      return new OfUser(user, true, known);
    }

    /// Clients that see everything are told the same, which is written once for all of them. All
    /// three are asked first: they are known when no more is asked.
    boolean isEverything() {
      boolean allGroups = may(ALL_GROUPS);
      boolean allQueues = may(ALL_QUEUES);
      return may(NODES) && allGroups && allQueues;
    }

    @Override
    public boolean queue(QueueName name) {
      return may(ALL_QUEUES) || may(ObjectRight.toGet(GROUP, "queues", name.value()));
    }

    @Override
    public boolean namespace(String name) {
      return may(ALL_GROUPS) || may(ALL_GROUPS.in(name));
    }

    @Override
    public boolean nodes() {
      return may(NODES);
    }

    @Override
    public String party() {
      return rights.party(user);
    }

    private boolean may(ObjectRight right) {
      if (isLenient && known.size() >= MOST_ASKED && !known.containsKey(right)) {
        return false;
      }
      return known.computeIfAbsent(right, this::ask);
    }

    private boolean ask(ObjectRight right) {
      if (known.size() >= MOST_ASKED) {
        throw new ApiProblem(
            Kind.FORBIDDEN,
            "namespace",
            "There are more namespaces or queues than your rights are checked for at once: name"
                + " one (?namespace=), or get the right to list all");
      }
      try {
        return rights.may(user, right);
      } catch (NoVerdict unknown) {
        throw unjudged(unknown);
      }
    }
  }
}

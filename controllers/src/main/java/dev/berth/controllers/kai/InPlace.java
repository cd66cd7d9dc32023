package dev.berth.controllers.kai;

import dev.berth.controllers.client.Watcher;
import dev.berth.engine.model.GroupKey;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// Hands on KAI's queues, groups and topologies as if they were Berth's. Where there is one of
/// Berth of the same name, that counts; when it goes, theirs comes back. All other kinds pass.
public final class InPlace implements Watcher {
  private final Watcher ours;
  private final Namesakes queues = new Namesakes(Kind.QUEUE);
  private final Namesakes groups = new Namesakes(Kind.POD_GROUP);
  private final Namesakes topologies = new Namesakes(Kind.TOPOLOGY);

  /// @param ours hears of Berth's kinds alone
  public InPlace(Watcher ours) {
    this.ours = ours;
  }

  @Override
  public void seen(Kind kind, Map<String, ?> object) {
    switch (kind) {
      case QUEUE -> queues.ownSeen(object);
      case POD_GROUP -> groups.ownSeen(object);
      case TOPOLOGY -> topologies.ownSeen(object);
      case KAI_QUEUE -> queues.theirsSeen(Translation.queue(object));
      case KAI_POD_GROUP -> groups.theirsSeen(Translation.group(object));
      case KAI_TOPOLOGY -> topologies.theirsSeen(Translation.topology(object));
      default -> ours.seen(kind, object);
    }
  }

  @Override
  public void gone(Kind kind, Map<String, ?> object) {
    switch (kind) {
      case QUEUE -> queues.ownGone(object);
      case POD_GROUP -> groups.ownGone(object);
      case TOPOLOGY -> topologies.ownGone(object);
      case KAI_QUEUE -> queues.theirsGone(Translation.queue(object));
      case KAI_POD_GROUP -> groups.theirsGone(Translation.group(object));
      case KAI_TOPOLOGY -> topologies.theirsGone(Translation.topology(object));
      default -> ours.gone(kind, object);
    }
  }

  @Override
  public void readable(Kind kind, boolean isReadable) {
    ours.readable(kind, isReadable);
  }

  @Override
  public void synced(Kind kind) {
    ours.synced(kind);
  }

  /// Whether what this group says is KAI's, so that it is not Berth's to write.
  public boolean isTheirs(GroupKey group) {
    return groups.isTheirs(group.namespace() + "/" + group.name());
  }

  private static String key(Map<String, ?> object) {
    return object.get("metadata") instanceof Map<?, ?> metadata
        ? (metadata.containsKey("namespace") ? metadata.get("namespace") + "/" : "")
            + metadata.get("name")
        : "";
  }

  /// Objects of one kind, of Berth and of KAI by name. The two come on threads of their own: which
  /// of them counts is decided, and told, under one lock.
  private final class Namesakes {
    private final Kind kind;
    private final TreeSet<String> own = new TreeSet<>();
    private final TreeMap<String, Map<String, Object>> theirs = new TreeMap<>();

    Namesakes(Kind kind) {
      this.kind = kind;
    }

    synchronized void ownSeen(Map<String, ?> object) {
      own.add(key(object));
      ours.seen(kind, object);
    }

    synchronized void ownGone(Map<String, ?> object) {
      own.remove(key(object));
      ours.gone(kind, object);
      var again = theirs.get(key(object));
      if (again != null) {
        ours.seen(kind, again);
      }
    }

    synchronized void theirsSeen(Map<String, Object> translated) {
      theirs.put(key(translated), translated);
      if (!own.contains(key(translated))) {
        ours.seen(kind, translated);
      }
    }

    synchronized void theirsGone(Map<String, Object> translated) {
      theirs.remove(key(translated));
      if (!own.contains(key(translated))) {
        ours.gone(kind, translated);
      }
    }

    synchronized boolean isTheirs(String key) {
      return theirs.containsKey(key) && !own.contains(key);
    }
  }
}

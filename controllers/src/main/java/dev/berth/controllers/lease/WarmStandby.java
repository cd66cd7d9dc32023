package dev.berth.controllers.lease;

import dev.berth.controllers.client.ResourceVersion;
import dev.berth.controllers.client.Watcher;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/// Keeps what the watches deliver while this process stands by, and hands it to the product when
/// the process leads; from then on it passes everything through. The product sees nothing before,
/// so it plans nothing and remembers nothing of an earlier term.
///
/// Each kind has one thread that delivers, as of any [Watcher]; [#handOn] may be called by another.
public final class WarmStandby implements Watcher {
  private final Watcher product;
  private final EnumMap<Kind, Kept> kinds = new EnumMap<>(Kind.class);

  /// Of one kind; guarded by itself.
  private static final class Kept {
    private final SequencedMap<String, Map<String, ?>> objects = new LinkedHashMap<>();
    private boolean synced;
    private Optional<Boolean> readable = Optional.empty(); // as far as it was said
    private boolean handedOn;
    private String reached = "";
  }

  public WarmStandby(Watcher product) {
    this.product = product;
    for (Kind kind : Kind.values()) {
      kinds.put(kind, new Kept());
    }
  }

  @Override
  public void seen(Kind kind, Map<String, ?> object) {
    var kept = of(kind);
    synchronized (kept) {
      if (kept.handedOn) {
        product.seen(kind, object);
      } else {
        kept.objects.put(key(object), object);
      }
    }
  }

  @Override
  public void gone(Kind kind, Map<String, ?> object) {
    var kept = of(kind);
    synchronized (kept) {
      if (kept.handedOn) {
        product.gone(kind, object);
      } else {
        kept.objects.remove(key(object));
      }
    }
  }

  @Override
  public void readable(Kind kind, boolean isReadable) {
    var kept = of(kind);
    synchronized (kept) {
      kept.readable = Optional.of(isReadable);
      if (kept.handedOn) {
        product.readable(kind, isReadable);
      }
    }
  }

  @Override
  public void synced(Kind kind) {
    var kept = of(kind);
    synchronized (kept) {
      kept.synced = true;
      if (kept.handedOn) {
        product.synced(kind);
      }
    }
  }

  @Override
  public void reached(Kind kind, String version) {
    var kept = of(kind);
    synchronized (kept) {
      kept.reached = version;
    }
  }

  /// The version up to which all changes of this kind are delivered; empty = not listed yet.
  public String reached(Kind kind) {
    var kept = of(kind);
    synchronized (kept) {
      return kept.reached;
    }
  }

  /// Whether all changes of this kind up to that version are delivered.
  public boolean hasReached(Kind kind, String version) {
    String reached = reached(kind);
    return !reached.isEmpty() && !ResourceVersion.isBefore(reached, version);
  }

  /// What is not listed yet; empty = nothing.
  public Optional<String> missing(Collection<Kind> watched) {
    String missing =
        watched.stream()
            .filter(kind -> !isSynced(kind))
            .map(Kind::plural)
            .collect(Collectors.joining(", "));
    return missing.isEmpty() ? Optional.empty() : Optional.of("not yet delivered: " + missing);
  }

  private boolean isSynced(Kind kind) {
    var kept = of(kind);
    synchronized (kept) {
      return kept.synced;
    }
  }

  /// Hands all that is there to the product, and everything that comes.
  public void handOn() {
    for (Kind kind : Kind.values()) {
      var kept = of(kind);
      synchronized (kept) {
        kept.handedOn = true;
        kept.objects.values().forEach(object -> product.seen(kind, object));
        kept.objects.clear();
        if (kept.synced) {
          kept.readable.ifPresent(is -> product.readable(kind, is));
          product.synced(kind);
        }
      }
    }
  }

  /// Delivers what is kept now to another consumer, which must not change it.
  public void replay(Watcher other) {
    for (Kind kind : Kind.values()) {
      var kept = of(kind);
      List<Map<String, ?>> objects;
      Optional<Boolean> readable;
      synchronized (kept) {
        objects = List.copyOf(kept.objects.values());
        readable = kept.readable;
      }
      objects.forEach(object -> other.seen(kind, object));
      readable.ifPresent(is -> other.readable(kind, is));
      other.synced(kind);
    }
  }

  private Kept of(Kind kind) {
    return kinds.computeIfAbsent(kind, _ -> new Kept());
  }

  /// An object without a namespace may say so by an empty one, or by none.
  private static String key(Map<String, ?> object) {
    if (!(object.get("metadata") instanceof Map<?, ?> metadata)) {
      return "";
    }
    String namespace = metadata.get("namespace") instanceof String text ? text : "";
    return namespace + "/" + metadata.get("name");
  }
}

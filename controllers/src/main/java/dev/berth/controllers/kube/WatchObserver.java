package dev.berth.controllers.kube;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.AnsweredWrites;
import java.util.function.Consumer;

/// What learns from watches beside the [dev.berth.controllers.client.Watcher].
///
/// @param answered what writes of this process were answered: a list that is older than that is of
///   an earlier state
/// @param wentBack hears that etcd was restored to an earlier state: what was read is not true any
///   more, and this process must end
public record WatchObserver(Metrics metrics, AnsweredWrites answered, Consumer<String> wentBack) {}

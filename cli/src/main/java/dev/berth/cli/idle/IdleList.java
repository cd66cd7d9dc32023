package dev.berth.cli.idle;

import dev.berth.cli.lists.CsvText;
import dev.berth.cli.lists.TextTable;
import dev.berth.engine.explain.Phrases;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Resource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Idle workloads as a table, for a spreadsheet, and for programs.
public final class IdleList {
  private static final List<String> CSV =
      List.of(
          "namespace",
          "workload",
          "queue",
          "gpus",
          "idle_gpus",
          "mean_percent",
          "max_percent",
          "idle_since",
          "idle_gpu_hours",
          "quota",
          "waiting_workloads",
          "hoarding",
          "preemptible",
          "measured_devices",
          "devices",
          "pods_on_device",
          "would_start");

  private IdleList() {}

  /// @param settings with which they were found
  public static List<String> table(IdleWorkloads idle, IdleSettings settings, boolean isWide) {
    var table =
        TextTable.of(
            "NAMESPACE",
            "NAME",
            "QUEUE",
            "GPUS",
            "IDLE",
            "MEAN",
            "MAX",
            "IDLE-SINCE",
            "IDLE-HOURS",
            "QUOTA",
            "WAITING",
            "HOARDING",
            "MEASURED-ON",
            "+WOULD-START",
            "+PREEMPTIBLE",
            "+MEASURED");
    for (IdleWorkload each : idle.workloads()) {
      table.row(
          each.workload().namespace(),
          each.workload().name(),
          each.queue().value(),
          Resource.GPU.text(each.millis()),
          Resource.GPU.text(each.idleMillis()),
          percent(each.mean()) + "%",
          percent(each.most()) + "%",
          each.since().map(IdleList::moment).orElse("before " + moment(settings.begin())),
          hours(each.idleHours()),
          each.quota(),
          Integer.toString(each.waiting()),
          hoarding(each),
          each.sharers() == 0 ? "its GPUs" : "the GPU of " + each.sharers() + " pods",
          beneficiaries(each),
          yes(each.isPreemptible()),
          each.measured() + "/" + each.gpus());
    }
    return table.isEmpty() ? List.of() : table.lines(isWide);
  }

  public static String csv(IdleWorkloads idle) {
    var text = new StringBuilder(CsvText.line(CSV));
    for (IdleWorkload each : idle.workloads()) {
      text.append(
          CsvText.line(
              List.of(
                  each.workload().namespace(),
                  each.workload().name(),
                  each.queue().value(),
                  Resource.GPU.text(each.millis()),
                  Resource.GPU.text(each.idleMillis()),
                  percent(each.mean()),
                  percent(each.most()),
                  each.since().map(IdleList::moment).orElse(""),
                  hours(each.idleHours()),
                  each.quota(),
                  Integer.toString(each.waiting()),
                  hoarding(each),
                  yes(each.isPreemptible()),
                  Integer.toString(each.measured()),
                  Integer.toString(each.gpus()),
                  Integer.toString(each.sharers()),
                  beneficiaries(each))));
    }
    return text.toString();
  }

  public static Map<String, Object> tree(IdleWorkloads idle, IdleSettings settings) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("from", settings.begin().toString());
    tree.put("to", settings.end().toString());
    tree.put("belowPercent", settings.below());
    tree.put("workloads", idle.workloads().stream().map(IdleList::item).toList());
    tree.put("unmeasuredWorkloads", idle.unmeasured());
    tree.put("workloadsTooYoung", idle.young());
    tree.put("seriesOfNoWorkload", idle.strangers());
    tree.put("seriesNotBelieved", idle.disbelieved());
    return tree;
  }

  private static Map<String, Object> item(IdleWorkload each) {
    var item = new LinkedHashMap<String, Object>();
    item.put("namespace", each.workload().namespace());
    item.put("name", each.workload().name());
    item.put("queue", each.queue().value());
    item.put("gpus", Resource.GPU.text(each.millis()));
    item.put("idleGpus", Resource.GPU.text(each.idleMillis()));
    item.put("meanPercent", each.mean());
    item.put("maxPercent", each.most());
    each.since().ifPresent(moment -> item.put("idleSince", moment.toString()));
    item.put("idleGpuHours", each.idleHours());
    item.put("quota", each.quota());
    item.put("waitingWorkloads", each.waiting());
    each.isHoarding().ifPresent(is -> item.put("hoarding", is));
    each.beneficiaries()
        .ifPresent(
            found -> item.put("wouldStart", found.stream().map(GroupKey::toString).toList()));
    item.put("preemptible", each.isPreemptible());
    item.put("measuredDevices", each.measured());
    item.put("devices", each.gpus());
    item.put("podsOnDevice", each.sharers());
    return item;
  }

  /// What is not in the list, each a sentence.
  public static List<String> notes(IdleWorkloads idle) {
    var notes = new ArrayList<String>();
    if (idle.unmeasured() > 0) {
      notes.add(
          "not measured, or for less than half of the time: GPUs of "
              + Phrases.count(idle.unmeasured(), "running workload")
              + ". Does the exporter run on their nodes, and tell their pods?");
    }
    if (idle.young() > 0) {
      notes.add(
          "not counted: pods of "
              + Phrases.count(idle.young(), "running workload")
              + " that have not run for all of the time; a shorter --for looks at them");
    }
    long untried = idle.workloads().stream().filter(it -> it.isHoarding().isEmpty()).count();
    if (untried > 0) {
      notes.add(
          "whether others would start was not tried of the last "
              + Phrases.count((int) untried, "workload")
              + ": --plans N tries more of them");
    }
    if (idle.disbelieved() > 0) {
      notes.add(
          "not believed: "
              + Phrases.count(idle.disbelieved(), "series")
              + " of a GPU that the pod does not have, or of another node than it is on. Who"
              + " exports them?");
    }
    if (idle.strangers() > 0) {
      notes.add(
          "of no pod of Berth: "
              + idle.strangers()
              + " series, of free GPUs, of pods of other schedulers or of pods that have ended. If"
              + " all are, --label says in which labels the pods are");
    }
    return notes;
  }

  private static String hoarding(IdleWorkload each) {
    return each.isHoarding().map(IdleList::yes).orElse("");
  }

  private static String beneficiaries(IdleWorkload each) {
    return each.beneficiaries().map(found -> Integer.toString(found.size())).orElse("");
  }

  private static String yes(boolean isSo) {
    return isSo ? "yes" : "no";
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String hours(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String moment(Instant when) {
    return when.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}

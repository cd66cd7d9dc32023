package dev.berth.bench.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.zip.GZIPInputStream;

/// A published pod list on its nodes.
///
/// @param asks the distinct requests
/// @param pods by pod name: the index of its request in `asks`
public record Trace(String name, List<Machine> machines, List<Ask> asks, int[] pods) {
  /// The published lists, in the order of the tables.
  public static final List<String> NAMES =
      List.of(
          "default",
          "cpu037",
          "cpu050",
          "cpu072",
          "cpu100",
          "cpu200",
          "cpu250",
          "gpushare40",
          "gpushare60",
          "gpushare80",
          "gpushare100",
          "gpuspec10",
          "gpuspec20",
          "gpuspec33",
          "multigpu20",
          "multigpu30",
          "multigpu50");

  private static final String NODES = "fgd/openb_node_list_gpu_node.csv";

  public Trace {
    machines = List.copyOf(machines);
    asks = List.copyOf(asks);
  }

  public static boolean isIn(Path traces) {
    return Files.exists(traces.resolve(NODES));
  }

  public static Trace read(Path traces, String name) {
    var machines =
        Csv.rows(traces.resolve(NODES)).stream()
            .map(row ->
                new Machine(
                    row[0],
                    Integer.parseInt(row[1]),
                    Integer.parseInt(row[2]),
                    Integer.parseInt(row[3]),
                    row[4]))
            .toList();
    var rows =
        new ArrayList<>(Csv.rows(traces.resolve("fgd/pods/openb_pod_list_" + name + ".csv.gz")));
    rows.sort(Comparator.comparing((String[] row) -> row[0]));
    return of(name, machines, rows.stream().map(Trace::ask).toList());
  }

  /// @param pods in name order
  public static Trace of(String name, List<Machine> machines, List<Ask> pods) {
    var index = new LinkedHashMap<Ask, Integer>();
    var ids = new int[pods.size()];
    Arrays.setAll(ids, i -> index.computeIfAbsent(pods.get(i), _ -> index.size()));
    return new Trace(name, machines, new ArrayList<>(index.keySet()), ids);
  }

  private static Ask ask(String[] row) {
    return new Ask(
        Integer.parseInt(row[1]),
        Integer.parseInt(row[2]),
        Integer.parseInt(row[3]),
        Integer.parseInt(row[4]),
        row.length > 5 ? row[5] : "");
  }

  /// Thousandths of GPUs of all nodes.
  public long capacity() {
    return machines.stream().mapToLong(machine -> 1000L * machine.gpus()).sum();
  }

  /// Rows of a CSV file without its header, plain or gzip.
  public static final class Csv {
    private Csv() {}

    public static List<String[]> rows(Path file) {
      try (var raw = Files.newInputStream(file);
          var plain = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
          var reader = new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8))) {
        return reader.lines().skip(1).map(line -> line.split(",", -1)).toList();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}

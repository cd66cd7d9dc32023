package dev.berth.extender.rest.answer;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A page of receipts, the newest first.
///
/// @param since when all evictions are kept from on
/// @param next what the next page is asked for with (`continue`); empty = this is the last one
public record ReceiptsAnswer(Instant since, List<ReceiptAnswer> items, String next) {
  public ReceiptsAnswer {
    items = List.copyOf(items);
  }

  /// The JSON: `continue` is no name in Java.
  public Map<String, Object> tree() {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("since", since.toString());
    tree.put("items", items);
    if (!next.isEmpty()) {
      tree.put("continue", next);
    }
    return tree;
  }
}

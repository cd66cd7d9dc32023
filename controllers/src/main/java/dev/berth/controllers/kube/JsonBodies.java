package dev.berth.controllers.kube;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Bodies written by hand: a body built from a generated model carries empty collections, which a
/// merge patch would wipe or claim.
final class JsonBodies {
  /// In a merge patch: take the field away.
  static final Object NULL = NullNode.getInstance();

  private JsonBodies() {}

  /// `object("name", "a", "slot", 1)`, in this order.
  static Map<String, Object> object(Object... namesAndValues) {
    var object = new LinkedHashMap<String, Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return object;
  }

  /// `DeleteOptions` with these fields.
  static String deleteOptions(Object... namesAndValues) {
    var options = object("apiVersion", "v1", "kind", "DeleteOptions");
    options.putAll(object(namesAndValues));
    return text(options);
  }

  static String text(Map<String, ?> object) {
    try {
      return ApiJson.MAPPER.writeValueAsString(object);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("not a plain tree: " + object, impossible);
    }
  }

  /// The fields of an object; none of anything else.
  @SuppressWarnings("unchecked") // keys of JSON objects are strings
  static Map<String, ?> fields(@Nullable Object tree) {
    return tree instanceof Map<?, ?> fields ? (Map<String, ?>) fields : Map.of();
  }

  /// The value at a path of field names; the empty string where there is none, or no scalar.
  static String at(Map<String, ?> object, String... path) {
    Object here = object;
    for (String name : path) {
      Object below = fields(here).get(name);
      here = below == null ? "" : below;
    }
    return here instanceof String || here instanceof Number || here instanceof Boolean
        ? String.valueOf(here)
        : "";
  }
}

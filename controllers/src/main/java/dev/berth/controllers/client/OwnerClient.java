package dev.berth.controllers.client;

import java.util.Map;

/// Objects that own pods, or say what they belong to, of kinds that are not watched. Read only.
public interface OwnerClient {
  /// A field beside the metadata of an object of which nothing else was kept, as it is too large;
  /// its value is what it would take in memory, in bytes.
  String TOO_LARGE = "berth.dev/too-large";

  /// Reads nothing.
  OwnerClient BARRED =
      new OwnerClient() {
        @Override
        public Found recall(Wanted wanted) {
          return new Barred();
        }

        @Override
        public Found read(Wanted wanted) {
          return new Barred();
        }
      };

  /// An object by name.
  ///
  /// @param apiVersion a group that ends with a slash means any version that is served
  /// @param uid empty = whichever bears the name; else another incarnation is [Missing]
  /// @param whole not the metadata alone
  record Wanted(
      String apiVersion, String kind, String namespace, String name, String uid, boolean whole) {}

  sealed interface Found {}

  /// @param apiVersion as it is served
  record Present(String apiVersion, Map<String, ?> object) implements Found {}

  /// Berth may not read it, or its kind is not served.
  record Barred() implements Found {}

  /// There is none.
  record Missing() implements Found {}

  /// Not read yet, or too long ago.
  record Unread() implements Found {}

  /// What was read before. Does not block.
  Found recall(Wanted wanted);

  /// Asks anew.
  Found read(Wanted wanted) throws ClientException;
}

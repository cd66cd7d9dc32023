package dev.berth.extender.rest.answer;

import dev.berth.engine.model.QueueName;

/// What one client may see. Any thread; a question may ask the API server.
public interface Visible {
  /// All there is.
  Visible ALL =
      new Visible() {
        @Override
        public boolean queue(QueueName name) {
          return true;
        }

        @Override
        public boolean namespace(String name) {
          return true;
        }

        @Override
        public boolean nodes() {
          return true;
        }
      };

  boolean queue(QueueName name);

  /// Whether its workloads and pods are visible.
  boolean namespace(String name);

  boolean nodes();

  /// The same for what an answer names besides what was asked for: where it names more namespaces
  /// and queues than rights are checked for, those beyond are not visible. Of a list, whose entries
  /// would be left out, and of what is asked for, that is an error instead.
  default Visible lenient() {
    return this;
  }

  /// All viewers of one party share what one party may use at a time; empty = it sees everything,
  /// and may use all there is.
  default String party() {
    return "";
  }
}

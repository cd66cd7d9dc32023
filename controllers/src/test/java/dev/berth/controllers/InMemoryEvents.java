package dev.berth.controllers;

import dev.berth.controllers.client.EventRecorder;
import java.util.ArrayList;
import java.util.List;

/// Events as `uid reason: note`.
public final class InMemoryEvents implements EventRecorder {
  public final List<String> told = new ArrayList<>();
  public final List<Boolean> warnings = new ArrayList<>();

  @Override
  public void tell(Regarding object, boolean warning, String reason, String action, String note) {
    warnings.add(warning);
    told.add(object.uid() + " " + reason + ": " + note);
  }
}

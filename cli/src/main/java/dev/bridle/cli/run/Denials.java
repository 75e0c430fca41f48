package dev.bridle.cli.run;

import dev.bridle.cli.rest.StreamEvent;

/**
 * Finds out whether all that agents have asked for in a run was denied: by a person, a rule, or
 * {@code --approve deny}. What nobody answered in time is not denied.
 */
final class Denials {
  private int denied;
  private int others;

  /** Takes an event of a task. */
  synchronized void take(StreamEvent event) {
    switch (event.kind()) {
      case "tool.denied" -> denied++;
      case "tool.approved", "vendor.bridle.permission_used" -> others++;
      case "vendor.bridle.permission_expired" -> {
        if (event.body().at("/payload/reason").asText("").equals("timed_out")) {
          others++;
        }
      }
      default -> {}
    }
  }

  /** Returns whether something was asked for, and all of it denied. */
  synchronized boolean isAll() {
    return denied > 0 && others == 0;
  }
}

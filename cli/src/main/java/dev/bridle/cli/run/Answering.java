package dev.bridle.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Who answers the questions of an agent. */
interface Answering {
  /**
   * Has a permission request answered.
   *
   * @param request the request, as read
   * @param open whether it still waits, and this command for it
   * @return false if nobody is there to answer it
   */
  boolean ask(JsonNode request, BooleanSupplier open) throws IOException, InterruptedException;

  /**
   * Has a form filled in or declined.
   *
   * @param task the task's id
   * @param asked the payload of the event that asks
   * @param open whether it still waits, and this command for it
   * @return false if nobody is there to answer it
   */
  boolean fill(String task, JsonNode asked, BooleanSupplier open) throws InterruptedException;

  /** Denies and declines everything, without asking anybody. */
  static Answering denying(Approver approver) {
    return new Answering() {
      @Override
      public boolean ask(JsonNode request, BooleanSupplier open) {
        approver.deny(request);
        return true;
      }

      @Override
      public boolean fill(String task, JsonNode asked, BooleanSupplier open) {
        approver.decline(task, asked);
        return true;
      }
    };
  }
}

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
}

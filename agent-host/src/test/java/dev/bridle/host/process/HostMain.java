package dev.bridle.host.process;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A host of its own, to be killed: starts an agent with far children, and waits. */
final class HostMain {
  private HostMain() {}

  /**
   * Runs with a tier, a folder and what the agent starts, far children if nothing is said. Prints
   * the mark of the agent's processes.
   */
  public static void main(String[] args) throws Exception {
    try (Agents agents = new Agents(IsolationTier.valueOf(args[0]), Path.of(args[1]))) {
      AgentProcess process =
          agents.start(
              "trap '' TERM; "
                  + (args.length > 2 ? args[2] : Agents.FAR_CHILD)
                  + "echo ready; while true; do sleep 1; done");
      int ready = process.output().read();
      System.out.println(ready == 'r' ? agents.mark() : "not ready: " + process.errors());
      System.out.flush();
      new CountDownLatch(1).await();
    }
  }
}

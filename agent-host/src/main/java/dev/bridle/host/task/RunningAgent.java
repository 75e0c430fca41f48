package dev.bridle.host.task;

import dev.bridle.host.acp.AcpConnection;
import dev.bridle.host.acp.Initialized;
import dev.bridle.host.process.AgentProcess;
import dev.bridle.host.process.StopGrace;

/**
 * A started agent that has introduced itself.
 *
 * @param process its process
 * @param connection the connection to it
 * @param introduced what it says of itself
 */
record RunningAgent(AgentProcess process, AcpConnection connection, Initialized introduced) {
  /** Ends it, with everything that it started. */
  void stop() {
    connection.close();
    process.stop(StopGrace.DEFAULT).join();
  }
}

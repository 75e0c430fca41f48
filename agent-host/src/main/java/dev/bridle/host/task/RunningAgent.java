package dev.bridle.host.task;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.host.acp.AcpConnection;
import dev.bridle.host.acp.AcpException;
import dev.bridle.host.acp.Initialized;
import dev.bridle.host.bridge.BridgeHandler;
import dev.bridle.host.process.AgentProcess;
import dev.bridle.host.process.StopGrace;

/**
 * A started agent that has introduced itself.
 *
 * @param process its process
 * @param connection the connection to it
 * @param introduced what it says of itself
 * @param bridge serves what it asks outside of its sessions
 * @param memory what it has of the memory for all
 */
record RunningAgent(
    AgentProcess process,
    AcpConnection connection,
    Initialized introduced,
    BridgeHandler bridge,
    TakenMemory memory) {
  /** Says so to an agent that has listed the host's skills, if they have changed since. */
  void announceSkills() {
    try {
      if (bridge.skillsHaveChanged()) {
        connection.notify("skills/update", JsonNodeFactory.instance.objectNode());
      }
    } catch (AcpException e) {
      // It has ended, which its session learns.
    }
  }

  /** Whether it has ended by itself. */
  boolean hasEnded() {
    return process.exited().isDone() || connection.peer().ended().isDone();
  }

  /** Ends it, with everything that it started. */
  void stop() {
    connection.close();
    process.stop(StopGrace.DEFAULT).join();
  }
}

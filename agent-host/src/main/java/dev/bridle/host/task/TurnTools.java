package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.host.bridge.HostTools;
import dev.bridle.host.bridge.ToolDescriptor;
import dev.bridle.host.bridge.ToolFailure;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The host's tools, which run in the task of the turn that their caller is in. */
final class TurnTools implements HostTools {
  private final Supplier<Optional<AgentTurn>> turn;

  TurnTools(Supplier<Optional<AgentTurn>> turn) {
    this.turn = turn;
  }

  @Override
  public List<ToolDescriptor> list() {
    return TaskTools.DESCRIPTORS;
  }

  @Override
  public JsonNode call(String name, JsonNode arguments) throws ToolFailure, InterruptedException {
    if (list().stream().noneMatch(tool -> tool.name().equals(name))) {
      throw ToolFailure.unknown(name);
    }
    return turn.get()
        .orElseThrow(
            () ->
                ToolFailure.of(
                    "No task is known that this call is of: the host's tools serve a turn, and one"
                        + " session of a process at a time"))
        .call(name, arguments);
  }
}

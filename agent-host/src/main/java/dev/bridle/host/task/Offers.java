package dev.bridle.host.task;

import dev.bridle.host.bridge.BridgeServices;
import dev.bridle.host.bridge.HostTools;
import dev.bridle.host.bridge.Skills;
import dev.bridle.host.bridge.ToolSearch;
import dev.bridle.host.bridge.WordSearch;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What agents may ask of a host over the bridge, beside permissions.
 *
 * @param hasTools whether they may use the host's tools, each use with permission
 * @param skills the skills that they may read
 * @param hostSearch where tools are searched with the strategy {@code host}; by words if empty
 */
public record Offers(boolean hasTools, Skills skills, Optional<ToolSearch> hostSearch) {
  /** Offers nothing but a search by words. */
  public static Offers none() {
    return new Offers(false, Skills.none(), Optional.empty());
  }

  /** Returns the services for an agent, whose tools serve the turn that it is in. */
  BridgeServices to(Supplier<Optional<AgentTurn>> turn) {
    HostTools tools = hasTools ? new TurnTools(turn) : HostTools.none();
    ToolSearch words = new WordSearch(tools::list);
    return new BridgeServices(tools, words, hostSearch.orElse(words), skills);
  }
}

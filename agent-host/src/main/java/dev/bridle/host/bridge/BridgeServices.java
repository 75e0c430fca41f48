package dev.bridle.host.bridge;

import java.util.List;

/**
 * What a host offers to a runtime over the bridge.
 *
 * @param tools tools that run at the host
 * @param search finds tools by the strategy {@code semantic}
 * @param hostSearch finds tools by the strategy {@code host}
 * @param skills the host's skills
 */
public record BridgeServices(
    HostTools tools, ToolSearch search, ToolSearch hostSearch, Skills skills) {
  /** Offers nothing but a search by words. */
  public static BridgeServices none() {
    ToolSearch words = new WordSearch(List::of);
    return new BridgeServices(HostTools.none(), words, words, Skills.none());
  }
}

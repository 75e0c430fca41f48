package dev.bridle.host.bridge;

import java.util.List;

/** Finds tools for a runtime whose model does not see them all ({@code tool_search/query}). */
public interface ToolSearch {
  /** How many names an answer has at most. */
  int MOST = 20;

  /**
   * A query.
   *
   * @param strategy {@code semantic} or {@code host}
   * @param text what the model asks for
   * @param candidates the names of the tools to choose from
   */
  record Query(String strategy, String text, List<String> candidates) {
    /** Copies. */
    public Query {
      candidates = List.copyOf(candidates);
    }
  }

  /**
   * What was found.
   *
   * @param toolNames of the candidates, the best first, at most {@link #MOST}
   * @param diagnostic a sentence for the model
   */
  record Found(List<String> toolNames, String diagnostic) {
    /** Copies. */
    public Found {
      toolNames = List.copyOf(toolNames);
    }
  }

  /**
   * Searches.
   *
   * @throws ToolFailure if that is not possible; the model reads why
   */
  Found search(Query query) throws ToolFailure, InterruptedException;
}

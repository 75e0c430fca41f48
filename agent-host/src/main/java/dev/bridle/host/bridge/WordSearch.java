package dev.bridle.host.bridge;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Finds tools by the words of their names, and of their descriptions where the host knows them,
 * with BM25. No model is asked, whichever strategy the query names.
 */
public final class WordSearch implements ToolSearch {
  private final Supplier<List<ToolDescriptor>> known;

  /**
   * Creates the search.
   *
   * @param known the tools whose descriptions count, as they are at each query
   */
  public WordSearch(Supplier<List<ToolDescriptor>> known) {
    this.known = known;
  }

  @Override
  public Found search(Query query) {
    Map<String, ToolDescriptor> descriptors =
        known.get().stream()
            .collect(Collectors.toMap(ToolDescriptor::name, Function.identity(), (a, b) -> a));
    Map<String, String> texts = new LinkedHashMap<>();
    for (String name : query.candidates()) {
      ToolDescriptor descriptor = descriptors.get(name);
      texts.put(name, descriptor == null ? name : name + " " + descriptor.description());
    }
    List<String> names =
        new Bm25(texts).rank(query.text()).stream().map(Bm25.Ranked::name).limit(MOST).toList();
    return new Found(
        names,
        names.isEmpty()
            ? "No tool shares a word with the query; try broader or other words."
            : "Matched by words (BM25), " + names.size() + " of " + texts.size() + " tools.");
  }
}

package dev.bridle.host.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many names a runtime gets, whatever the search finds. */
final class ToolSearchTest {
  private static final List<String> MANY =
      IntStream.range(0, 50).mapToObj(i -> "read_file_" + i).toList();

  /** The bridge protocol allows about so many. */
  @Test
  void theMostAreTwenty() {
    assertThat(ToolSearch.MOST).isEqualTo(20);
  }

  @Test
  void aSearchByWordsFindsNoMore() {
    ToolSearch.Found found =
        new WordSearch(List::of).search(new ToolSearch.Query("semantic", "read file", MANY));

    assertThat(found.toolNames()).hasSize(20).doesNotHaveDuplicates();
    assertThat(found.diagnostic()).contains("20 of 50");
  }

  @ParameterizedTest
  @ValueSource(strings = {"semantic", "host"})
  void aSearchThatFindsMoreIsCutAndItsOrderKept(String strategy) throws Exception {
    ToolSearch lavish = query -> new ToolSearch.Found(query.candidates(), "all");
    BridgeServices offered = OfferedServices.make(() -> "");
    ToolRequests requests =
        new ToolRequests(new BridgeServices(offered.tools(), lavish, lavish, offered.skills()));
    ObjectNode query = new ObjectMapper().createObjectNode();
    query.put("strategy", strategy).put("query", "read");
    MANY.forEach(query.putArray("candidates")::add);

    assertThat(StreamSupport.stream(requests.search(query).path("tool_names").spliterator(), false))
        .extracting(JsonNode::asText)
        .isEqualTo(MANY.subList(0, 20));
  }
}

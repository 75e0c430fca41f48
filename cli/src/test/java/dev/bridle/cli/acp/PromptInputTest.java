package dev.bridle.cli.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.host.rpc.RpcError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What of a prompt reaches an agent, and what is refused since it would not. */
final class PromptInputTest {
  @Test
  void textsLinksAndEmbeddedTextsReachTheAgentInTheirOrder() {
    ArrayNode parts =
        PromptInput.parts(
            json(
                "[{'type':'text','text':'Look at'},"
                    + "{'type':'resource_link','name':'a.txt','uri':'file:///a.txt'},"
                    + "{'type':'resource','resource':{'uri':'file:///b.txt','text':'``` one'}}]"));

    assertThat(PromptInput.text(parts))
        .isEqualTo(
            "Look at\n[a.txt](file:///a.txt)\n[file:///b.txt](file:///b.txt)\n"
                + "````\n``` one\n````");
    assertThat(parts).allMatch(part -> part.path("visibility").asText().equals("public"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|array of content blocks",
        "[]|at least one",
        "[{'type':'text'}]|prompt[0].text must be a string",
        "[{'type':'text','text':' '}]|no text",
        "[{'type':'image','data':'AA==','mimeType':'image/png'}]|prompt[0] is image",
        "[{'type':'text','text':'a'},{'type':'audio'}]|prompt[1] is audio",
        "[{'type':'resource','resource':{'uri':'u','blob':'AA=='}}]|bytes can't be carried",
        "[{'type':'resource_link','name':'n'}]|prompt[0].uri must be a string",
        "[{'type':'odd'}]|prompt[0].type must be one of"
      })
  void whatWouldNotReachTheAgentIsRefused(String blocks, String why) {
    assertThatThrownBy(() -> PromptInput.parts(json(blocks)))
        .isInstanceOfSatisfying(
            AcpRefusal.class,
            refusal -> {
              assertThat(refusal.error().code()).isEqualTo(RpcError.INVALID_PARAMS);
              assertThat(refusal).hasMessageContaining(why);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {"{'name':'Ann'}|json", "no|text", "[1]|text"})
  void aFormIsFilledInWithAnObject(String said, String type) {
    ArrayNode parts = JsonLines.object().arrayNode();
    parts.addObject().put("type", "text").put("text", said.replace('\'', '"'));

    assertThat(PromptInput.filled(parts).get(0).path("type").asText()).isEqualTo(type);
  }

  private static JsonNode json(String quoted) {
    return JsonLines.parse(quoted.replace('\'', '"')).orElseThrow();
  }
}

package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.rpc.RawJson;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a tool call is not the one that was asked for. */
class AskedInputsTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"command\":\"ls\"}|{\"command\":\"rm\"}|true",
        "{\"command\":\"ls\"}|{\"command\":\"ls\"}|false",
        "{\"command\":\"ls\",\"cwd\":\"/a\"}|{\"cwd\":\"/b\"}|true",
        "{\"command\":\"ls\"}|{\"command\":\"ls\",\"timeout\":3}|false",
        "{\"command\":\"ls\",\"description\":\"a\"}|{\"command\":\"ls\",\"description\":\"b\"}|false",
        "{\"diff\":\"+a\"}|{\"newText\":\"a\"}|false",
        "\"ls\"|\"rm\"|true",
        "\"ls\"|{\"command\":\"ls\"}|true",
      })
  void aCallIsChangedIfAMemberThatWasAskedForIs(String asked, String now, boolean changed)
      throws IOException {
    AskedInputs inputs = new AskedInputs();
    inputs.put("call-1", MAPPER.readTree(asked));

    Map<String, RawJson> members = Map.of("rawInput", RawJson.of(MAPPER.readTree(now)));
    assertThat(inputs.takeChange(new ToolCall("call-2", members))).as("not asked for").isFalse();
    assertThat(inputs.takeChange(new ToolCall("call-1", Map.of()))).as("not said again").isFalse();
    assertThat(inputs.takeChange(new ToolCall("call-1", members))).isEqualTo(changed);
    assertThat(inputs.takeChange(new ToolCall("call-1", members))).as("once more").isFalse();
  }
}

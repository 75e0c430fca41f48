package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.host.bridge.ToolFailure;
import org.junit.jupiter.api.Test;

/** The host's tools in a test of an agent. */
final class RefusedToolsTest {
  private final RefusedTools tools = new RefusedTools();

  private void assertRefused(String name, String why) {
    assertThatThrownBy(() -> tools.call(name, JsonNodeFactory.instance.objectNode()))
        .isInstanceOf(ToolFailure.class)
        .hasMessageContaining(why);
  }

  @Test
  void eachIsListedAndRefusedAndWhatActsCountsAsAskedFor() {
    assertThat(tools.list()).isEqualTo(TaskTools.DESCRIPTORS);
    assertThat(tools.listed()).isEqualTo(1);

    assertRefused("read_file", "Not allowed: this is a test of the runtime");
    assertRefused("no_such_tool", "has no tool 'no_such_tool'");
    assertThat(tools.wereAskedToAct()).isFalse();

    assertRefused("run_command", "Not allowed");
    assertThat(tools.wereAskedToAct()).isTrue();
    assertThat(tools.called()).containsExactly("read_file", "run_command");
  }

  @Test
  void thoseThatActAreTheHosts() {
    assertThat(TaskTools.DESCRIPTORS).extracting(tool -> tool.name()).containsAll(TaskTools.ACTING);
  }
}

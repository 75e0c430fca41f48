package dev.bridle.host.acp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.SessionUpdate.Text;
import dev.bridle.host.acp.SessionUpdate.Tool;
import dev.bridle.host.acp.SessionUpdate.Voice;
import dev.bridle.host.rpc.RawJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Few updates of many, in the agent's order, with nothing lost. */
final class CoalescerTest {
  private long now;
  private final List<SessionUpdate> out = new ArrayList<>();
  private final List<Runnable> later = new ArrayList<>();
  private final Coalescer coalescer = new Coalescer(out::add, later::add, () -> now);

  private void pass(long milliseconds) {
    now += TimeUnit.MILLISECONDS.toNanos(milliseconds);
  }

  private void wakeUp() {
    List<Runnable> due = List.copyOf(later);
    later.clear();
    due.forEach(Runnable::run);
  }

  private static Text agent(String id, long offset, String text) {
    return new Text(Voice.AGENT, id, offset, text);
  }

  private void say(String... chunks) {
    for (String chunk : chunks) {
      coalescer.text(Voice.AGENT, "m", chunk);
    }
  }

  @Test
  void theFirstTextGoesAtOnceAndTheNextAfterAPause() {
    say("a", "b", "c");
    assertThat(out).containsExactly(agent("m", 0, "a"));
    assertThat(later).hasSize(1);

    wakeUp();
    assertThat(out).containsExactly(agent("m", 0, "a"), agent("m", 1, "bc"));

    say("d");
    wakeUp();
    wakeUp();
    assertThat(out).hasSize(3).last().isEqualTo(agent("m", 3, "d"));
  }

  @Test
  void textAfterASilenceGoesAtOnce() {
    say("a");
    pass(100);
    say("b");

    assertThat(out).containsExactly(agent("m", 0, "a"), agent("m", 1, "b"));
    assertThat(later).isEmpty();
  }

  @Test
  void eightKibibytesAreEnough() {
    String chunk = "x".repeat(1024);
    say("a");
    for (int i = 0; i < 8; i++) {
      say(chunk);
    }

    assertThat(out).containsExactly(agent("m", 0, "a"), agent("m", 1, chunk.repeat(8)));
  }

  @Test
  void otherUpdatesLetTheTextGoFirst() {
    say("a", "b");
    coalescer.text(Voice.THOUGHT, "m", "t");
    say("c");
    coalescer.whole(new SessionUpdate.Mode("code"));

    assertThat(out)
        .containsExactly(
            agent("m", 0, "a"),
            agent("m", 1, "b"),
            new Text(Voice.THOUGHT, "m", 0, "t"),
            agent("m", 2, "c"),
            new SessionUpdate.Mode("code"));
  }

  @Test
  void aMessageWithoutAnIdEndsWithAToolCallOrTheTurn() {
    coalescer.text(Voice.AGENT, "", "one");
    coalescer.tool(tool("c", "pending"));
    coalescer.text(Voice.AGENT, "", "two");
    coalescer.endOfTurn();
    coalescer.text(Voice.AGENT, "", "three");

    assertThat(out)
        .filteredOn(Text.class::isInstance)
        .containsExactly(agent("", 0, "one"), agent("", 0, "two"), agent("", 0, "three"));
  }

  private static RawJson tool(String id, String status) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("toolCallId", id);
    return RawJson.of(status.isEmpty() ? json : json.put("status", status));
  }

  private static RawJson output(String id, int length) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("toolCallId", id);
    return RawJson.of(json.put("rawOutput", "x".repeat(length)));
  }

  @Test
  void outputOfAToolIsMergedUntilAPause() {
    coalescer.tool(tool("c", "in_progress"));
    for (int i = 1; i <= 500; i++) {
      coalescer.tool(output("c", i));
    }
    assertThat(out).hasSize(1);
    assertThat(later).hasSize(1);

    wakeUp();
    assertThat(out).hasSize(2);
    assertThat(((Tool) out.get(1)).call().rawOutput().length()).isEqualTo(502);
    assertThat(((Tool) out.get(1)).statusChanged()).isFalse();
  }

  @Test
  void aChangeOfStatusGoesAtOnceWithAllThatWaited() {
    coalescer.tool(tool("c", "in_progress"));
    coalescer.tool(output("c", 5));
    coalescer.tool(tool("c", "completed"));
    wakeUp();

    assertThat(out).hasSize(2);
    Tool last = (Tool) out.get(1);
    assertThat(last.statusChanged()).isTrue();
    assertThat(last.call().over()).isTrue();
    assertThat(last.call().rawOutput().length()).isEqualTo(7);
  }

  @Test
  void anotherToolLetsTheFirstGo() {
    coalescer.tool(tool("a", "in_progress"));
    coalescer.tool(output("a", 1));
    coalescer.tool(tool("b", "pending"));

    assertThat(out)
        .extracting(update -> ((Tool) update).call().id())
        .containsExactly("a", "a", "b");
  }

  @Test
  void whatIsKeptOfToolsIsBounded() {
    for (int i = 0; i < 100; i++) {
      coalescer.tool(output("c" + i, 1 << 20));
    }

    assertThat(coalescer.known("c0")).isEmpty();
    assertThat(coalescer.known("c99")).isPresent();
    coalescer.tool(tool("c0", "completed"));
    assertThat(((Tool) out.get(out.size() - 1)).first()).isTrue();
  }

  /** Whatever the agent says, its words and changes of status arrive, each once and in order. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void nothingIsLost(long seed) {
    Random random = new Random(seed);
    StringBuilder[] said = {new StringBuilder(), new StringBuilder(), new StringBuilder()};
    List<String> statuses = new ArrayList<>();
    String[] last = {"", ""};
    for (int i = 0; i < 2000; i++) {
      int which = random.nextInt(3);
      switch (random.nextInt(10)) {
        case 0 -> {
          String status = "s" + random.nextInt(4);
          int tool = random.nextInt(2);
          coalescer.tool(tool("t" + tool, status));
          if (!last[tool].equals(status)) {
            last[tool] = status;
            statuses.add("t" + tool + status);
          }
        }
        case 1 -> coalescer.tool(output("t0", random.nextInt(9)));
        case 2 -> wakeUp();
        case 3 -> pass(random.nextInt(150));
        default -> {
          String chunk = "w" + i + " ";
          said[which].append(chunk);
          coalescer.text(Voice.AGENT, "m" + which, chunk);
        }
      }
    }
    coalescer.endOfTurn();

    for (int which = 0; which < 3; which++) {
      StringBuilder heard = new StringBuilder();
      for (SessionUpdate update : out) {
        if (update instanceof Text text && text.messageId().equals("m" + which)) {
          assertThat(text.offset()).isEqualTo(heard.length());
          heard.append(text.text());
        }
      }
      assertThat(heard).hasToString(said[which].toString());
    }
    assertThat(out)
        .filteredOn(update -> update instanceof Tool tool && tool.statusChanged())
        .extracting(update -> ((Tool) update).call().id() + ((Tool) update).call().status())
        .isEqualTo(statuses);
  }
}

package dev.bridle.host.acp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.SessionUpdate.Voice;
import dev.bridle.host.rpc.RawJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an agent repeats of a session that it has loaded, told from what is new. */
final class LateHistoryTest {
  private final SessionHistory history = new SessionHistory();

  private static RawJson said(String variant, String text) {
    ObjectNode update = JsonNodeFactory.instance.objectNode().put("sessionUpdate", variant);
    update.putObject("content").put("type", "text").put("text", text);
    return RawJson.of(update);
  }

  private static RawJson agent(String text) {
    return said("agent_message_chunk", text);
  }

  private static RawJson user(String text) {
    return said("user_message_chunk", text);
  }

  private static RawJson call(String id, String status) {
    return RawJson.of(
        JsonNodeFactory.instance
            .objectNode()
            .put("sessionUpdate", "tool_call")
            .put("toolCallId", id)
            .put("status", status));
  }

  private void recorded(Voice voice, String text) {
    history.add(new SessionUpdate.Text(voice, "", 0, text));
  }

  private void recordedCall(String id) {
    history.add(new SessionUpdate.Tool(ToolCall.of(call(id, "completed")), true, true));
  }

  /** Two turns; the words of the agent came in pieces. */
  private void twoTurns() {
    history.prompted("make a.txt");
    recorded(Voice.THOUGHT, "the user wants a file");
    recorded(Voice.AGENT, "I make ");
    recorded(Voice.AGENT, "it.");
    recordedCall("c1");
    recorded(Voice.AGENT, "Done.\n");
    history.pause();
    history.prompted("make b.txt");
    recordedCall("c2");
    recorded(Voice.AGENT, "That is done, too, in the same folder as the first one.");
    history.pause();
  }

  private LateHistory loaded() {
    return new LateHistory(SessionHistory.of(history.kept()).entries());
  }

  private static List<RawJson> turn(LateHistory late, RawJson... updates) {
    List<RawJson> fresh = new ArrayList<>();
    for (RawJson update : updates) {
      fresh.addAll(late.take(update));
    }
    fresh.addAll(late.end());
    return fresh;
  }

  @Test
  void historyThatBeganBeforeThePromptIsDroppedAfterItToItsEnd() {
    twoTurns();
    LateHistory late = loaded();
    late.replayed(user("make a.txt"));
    late.replayed(agent("I make it."));
    late.prompted("make c.txt");

    assertThat(
            turn(
                late,
                call("c1", "pending"),
                call("c1", "completed"),
                call("c1", "completed"),
                agent("Done."),
                user("make b.txt"),
                call("c2", "completed"),
                agent("That is done, too, in the same"),
                agent(" folder as the first one."),
                agent("Now the third."),
                call("c3", "completed")))
        .containsExactly(agent("Now the third."), call("c3", "completed"));
    assertThat(late.dropped()).isEqualTo(10);
  }

  @Test
  void historyThatComesWholeAfterThePromptIsKnownByTheUsersEarlierWords() {
    twoTurns();
    LateHistory late = loaded();
    late.prompted("make c.txt");

    assertThat(
            turn(
                late,
                user("make a.txt"),
                said("agent_thought_chunk", "the user wants a file"),
                agent("I make it."),
                call("c1", "completed"),
                agent("Done."),
                user("make b.txt"),
                call("c2", "completed"),
                agent("That is done, too, in the same folder as the first one."),
                user("make c.txt"),
                agent("Done.")))
        .containsExactly(user("make c.txt"), agent("Done."));
  }

  @Test
  void callsThatWereRecordedAreDroppedAlsoWhereOtherWordsAreRepeated() {
    twoTurns();
    LateHistory late = loaded();
    late.prompted("make c.txt");

    assertThat(
            turn(
                late,
                user("make a.txt"),
                agent("(summary of a long talk)"),
                call("c1", "completed"),
                call("c2", "completed"),
                call("c2x", "completed"),
                agent("New.")))
        .containsExactly(
            agent("(summary of a long talk)"), call("c2x", "completed"), agent("New."));
  }

  @Test
  void wordsThatAreSaidAgainWithoutARepetitionAreNew() {
    twoTurns();
    LateHistory late = loaded();
    late.prompted("make b.txt");

    assertThat(turn(late, user("make b.txt"), call("c2", "pending"), call("c2", "completed")))
        .as("an agent whose ids start over")
        .containsExactly(user("make b.txt"), call("c2", "pending"), call("c2", "completed"));
  }

  @Test
  void wordsThatAreSaidAgainAfterAWholeRepetitionAreNew() {
    twoTurns();
    LateHistory late = loaded();
    late.replayed(user("make b.txt"));
    late.replayed(call("c2", "completed"));
    late.replayed(agent("That is done, too, in the same folder as the first one."));
    late.prompted("make c.txt");

    RawJson again = agent("That is done, too, in the same folder as the first one.");
    assertThat(late.take(again)).as("at once").containsExactly(again);
  }

  @Test
  void newWordsAreHeldBackOnlyWhileTheyMayBeOld() {
    twoTurns();
    LateHistory late = loaded();
    late.prompted("make c.txt");

    assertThat(late.take(agent("That is done, too, in the"))).isEmpty();
    assertThat(late.take(agent(" other folder of yours")))
        .containsExactly(agent("That is done, too, in the"), agent(" other folder of yours"));
    assertThat(late.take(agent("Done."))).containsExactly(agent("Done."));
  }

  @Test
  void howThingsStandIsToldAtOnce() {
    twoTurns();
    LateHistory late = loaded();
    late.replayed(user("make a.txt"));
    late.prompted("make c.txt");
    RawJson mode =
        RawJson.of(
            JsonNodeFactory.instance
                .objectNode()
                .put("sessionUpdate", "current_mode_update")
                .put("currentModeId", "plan"));

    assertThat(late.take(agent("I make"))).isEmpty();
    assertThat(late.take(mode)).containsExactly(mode);
    assertThat(late.take(agent("it."))).isEmpty();
    assertThat(late.end()).isEmpty();
  }

  @Test
  void whatIsKeptOfALongSessionIsBounded() {
    for (int i = 0; i < 5000; i++) {
      history.prompted("prompt " + i);
      recorded(Voice.AGENT, "answer " + i);
      history.pause();
    }
    assertThat(history.kept().length()).isLessThan(10_000);
    assertThat(SessionHistory.of(history.kept()).entries()).isEqualTo(history.entries());
    assertThat(SessionHistory.of("no such thing!").entries()).isEmpty();
  }

  /** Wherever the prompt comes in, and in whatever pieces history is repeated. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void onlyWhatIsNewIsTold(int seed) {
    Random random = new Random(seed);
    List<RawJson> repeated = new ArrayList<>();
    for (int turn = 0; turn < 8; turn++) {
      history.prompted("prompt " + turn);
      repeated.add(user("prompt " + turn));
      for (int step = 0; step < 1 + random.nextInt(4); step++) {
        String words = random.nextBoolean() ? "Done." : "step " + turn + "." + step + " is done";
        if (random.nextInt(3) == 0) {
          recorded(Voice.THOUGHT, "hm " + words);
        }
        recorded(Voice.AGENT, words);
        int cut = random.nextInt(words.length());
        repeated.add(agent(words.substring(0, cut)));
        repeated.add(agent(words.substring(cut)));
        recordedCall("c" + turn + "." + step);
        repeated.add(call("c" + turn + "." + step, "completed"));
      }
      history.pause();
    }
    LateHistory late = loaded();
    int before = 1 + random.nextInt(repeated.size());
    repeated.subList(0, before).forEach(late::replayed);
    late.prompted("the next prompt");
    List<RawJson> all = new ArrayList<>(repeated.subList(before, repeated.size()));
    List<RawJson> fresh = List.of(agent("Done."), call("new", "completed"), agent("Done."));
    all.addAll(fresh);

    assertThat(turn(late, all.toArray(RawJson[]::new))).isEqualTo(fresh);
  }
}

package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.CallUpdate;
import dev.bridle.host.acp.Question;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.preset.RequestTraits;
import dev.bridle.host.rpc.RawJson;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that say more than people can be shown: all of it is bound, and takes no time. */
class LargeCallsTest {
  private static final Path FOLDER = Path.of("/project");
  private static final Duration SOON = Duration.ofSeconds(20);

  private static ObjectNode call(String kind) {
    return JsonNodeFactory.instance.objectNode().put("kind", kind);
  }

  private static ObjectNode withPlaces(ObjectNode call, int count) {
    for (int i = 0; i < count; i++) {
      call.withArray("locations").addObject().put("path", "/project/f" + i);
    }
    return call;
  }

  private static ObjectNode withChange(ObjectNode call, String path, String before, String after) {
    call.withArray("content")
        .addObject()
        .put("type", "diff")
        .put("path", path)
        .put("oldText", before)
        .put("newText", after);
    return call;
  }

  private static ToolCall said(String id, ObjectNode call) {
    Map<String, RawJson> members = new LinkedHashMap<>();
    call.properties()
        .forEach(member -> members.put(member.getKey(), RawJson.of(member.getValue())));
    return new ToolCall(id, members);
  }

  private static CallUpdate update(ToolCall call) {
    return new CallUpdate(call, call.members().keySet(), List.of());
  }

  private static Question.Permission question(String id, ObjectNode call) {
    ObjectNode whole = JsonNodeFactory.instance.objectNode();
    return new Question.Permission(
        said(id, call),
        Optional.empty(),
        List.of(new Question.Option("y", "Yes", Question.OptionKind.ALLOW_ONCE)),
        RawJson.of(whole.set("toolCall", call)),
        true);
  }

  private static void allow(AskedCalls calls, String id, ObjectNode call) {
    Question.Permission question = question(id, call);
    calls.asked(question);
    assertThat(calls.allow(question, Optional.empty())).isPresent();
    calls.closed(question);
  }

  private static Optional<ObjectNode> difference(ObjectNode asked, ObjectNode now) {
    AskedCalls calls = new AskedCalls(RequestTraits.NONE, FOLDER);
    allow(calls, "c1", asked);
    return calls.takeDifference(update(said("c1", now))).map(Difference::members);
  }

  @ParameterizedTest
  @ValueSource(strings = {"edit", "delete"})
  void allPlacesAreBoundAndTheSameOnesAreNoOtherAction(String kind) {
    ObjectNode asked = withPlaces(call(kind), 300);
    asked.putObject("rawInput").put("glob", "f*");
    ObjectNode more = asked.deepCopy();
    more.withArray("locations").addObject().put("path", "/etc/passwd");

    assertThat(difference(asked, asked)).isEmpty();
    assertThat(difference(asked, more)).isPresent();
    assertThat(content(more)).isNotEqualTo(content(asked));
  }

  private static ObjectNode content(ObjectNode call) {
    return AskedAction.of(question("c1", call), FOLDER, RequestTraits.NONE).content();
  }

  @Test
  void changesThatOneHashStandsForAreNoOtherActionWhenTheyAreRepeated() {
    ObjectNode edit = call("edit");
    for (int i = 0; i < 100; i++) {
      withChange(edit, "/project/f" + i, i + "x".repeat(2000), i + "y".repeat(2000));
    }

    assertThat(difference(edit, edit)).isEmpty();
    assertThat(difference(edit, withChange(edit.deepCopy(), "/project/g", "", "x"))).isPresent();
  }

  @Test
  void aPatchThatIsCutNamesAllOfItsFiles() {
    StringBuilder patch = new StringBuilder();
    ObjectNode now = call("edit");
    for (int i = 0; i < 80; i++) {
      patch.append("*** Update File: f").append(i).append("\n-").append("a".repeat(3000));
      patch.append("\n*** Delete File: g").append(i).append('\n');
    }
    ObjectNode asked = call("edit");
    asked.putObject("rawInput").put("patch", patch.toString());

    assertThat(difference(asked, withPlaces(now, 80))).isEmpty();
    assertThat(difference(asked, withPlaces(now.deepCopy(), 81))).isPresent();
  }

  /** An agent that never says that its calls have ended would fill the memory with its files. */
  @Test
  void theTextsThatAreComparedLaterAreCounted() {
    AskedCalls calls = new AskedCalls(RequestTraits.NONE, FOLDER);
    String file = "a file of one line ".repeat(100_000);
    int allowed = 0;
    while (!calls.isFull() && allowed < 100) {
      allow(calls, "c" + allowed, withChange(call("edit"), "a", file, file + allowed++));
    }

    assertThat(allowed).isLessThan(20);
  }

  @Test
  void manyChangesBesideALargeTextTakeNoTime() {
    ObjectNode edit = call("edit");
    edit.putObject("rawInput").put("text", "a\n".repeat(50_000));
    for (int i = 0; i < 5_000; i++) {
      withChange(edit, "f" + i, "b", "c");
    }

    assertThat(assertTimeout(SOON, () -> difference(edit, edit))).isEmpty();
  }

  @Test
  void manyHeadersAndManyPlacesTakeNoTime() {
    StringBuilder patch = new StringBuilder();
    for (int i = 0; i < 15_000; i++) {
      patch.append("+++ x").append(i).append('\n');
    }
    ObjectNode asked = call("edit");
    asked.putObject("rawInput").put("patch", patch.toString());

    assertThat(assertTimeout(SOON, () -> difference(asked, withPlaces(asked.deepCopy(), 40_000))))
        .isPresent();
  }

  @Test
  void manyDeclaredPathsTakeNoTime() {
    ObjectNode asked = call("edit");
    asked.putObject("rawInput").put("text", "a");
    for (int i = 0; i < 100_000; i++) {
      asked.withArray("declaredPaths").add("f" + i);
    }

    assertThat(assertTimeout(SOON, () -> content(asked).has("locations"))).isTrue();
  }

  @Test
  void manyCommandsOfWhichNoneWasAskedForTakeNoTime() {
    ObjectNode now = call("execute");
    for (int i = 0; i < 50_000; i++) {
      now.withObject("/rawInput").withArray("all").addObject().put("cmd", "ls " + i);
      now.withObject("/rawInput").withArray("args").add("a" + i);
    }
    now.withObject("/rawInput").put("command", "ls").put("cmd", "ls").put("program", "ls");
    ObjectNode asked = now.deepCopy();
    asked.withObject("/rawInput").remove("command");

    assertThat(assertTimeout(SOON, () -> difference(asked, asked))).isEmpty();
    assertThat(assertTimeout(SOON, () -> difference(call("execute"), now))).isPresent();
  }

  @Test
  void manyEditsThatAreAlmostTheSameTakeNoTime() {
    ObjectNode asked = call("edit");
    ObjectNode now = call("edit");
    String part = "a".repeat(20_000);
    for (int i = 0; i < 60; i++) {
      withChange(asked, "a", part + i % 10 + "z", part + i + (i < 10 ? "y" : ""));
      withChange(now, "a", part + part + "a", part + "b" + part);
    }

    assertThat(assertTimeout(SOON, () -> difference(asked, now))).isPresent();
  }
}

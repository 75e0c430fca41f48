package dev.bridle.core.work.permission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.permission.v1.PermissionQuestion;
import dev.bridle.permission.v1.PermissionRequest;
import dev.bridle.task.v1.Task;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class ModifiedActionTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Task TASK =
      Task.newBuilder().setWorkspaceId("w").setSessionId("s").setPersonaId("p").build();

  @Test
  void onlyTheNamedMemberIsReplacedAndAllElseKeepsItsSpelling() {
    PermissionRequest request =
        request("{ \"a\" : 1e5, \"in\":{ \"in\": {\"é\":[1.0]} } ,\"b\": [ {\"in\":{}} ] }", "in");

    assertThat(ModifiedAction.arguments(request.getAction().getContent(), "in"))
        .contains(utf8("{ \"in\": {\"é\":[1.0]} }"));
    assertThat(ModifiedAction.content(request, utf8("{\"x\":1.50}")))
        .isEqualTo(utf8("{ \"a\" : 1e5, \"in\":{\"x\":1.50} ,\"b\": [ {\"in\":{}} ] }"));
  }

  @Test
  void aMemberThatIsAbsentOrNoObjectHasNoArguments() {
    ByteString content = utf8("{\"a\":[{\"in\":{}}],\"b\":\"{}\",\"c\":null}");
    for (String member : new String[] {"a", "b", "c", "in", "d", ""}) {
      assertThat(ModifiedAction.arguments(content, member)).as(member).isEmpty();
    }
    assertThat(ModifiedAction.arguments(utf8("{}"), "a")).isEmpty();
  }

  @Property(tries = 300)
  void theFingerprintIsThatOfTheActionWithTheArgumentsOfTheAnswer(
      @ForAll("objects") ObjectNode content,
      @ForAll("objects") ObjectNode asked,
      @ForAll("objects") ObjectNode given)
      throws JsonProcessingException {
    content.set("arguments", asked);
    PermissionRequest request = request(MAPPER.writeValueAsString(content), "arguments");
    ObjectNode expected = content.deepCopy();
    expected.set("arguments", given);

    String fingerprint =
        ModifiedAction.fingerprint(request, utf8(MAPPER.writeValueAsString(given)), TASK);

    PermissionAction alone =
        PermissionAction.newBuilder()
            .setKind("command")
            .setContent(utf8(MAPPER.writeValueAsString(expected)))
            .build();
    assertThat(fingerprint).isEqualTo(ActionHashes.fingerprint(alone, TASK));
    assertThat(fingerprint.equals(ActionHashes.fingerprint(request.getAction(), TASK)))
        .isEqualTo(asked.equals(given));
  }

  @Provide
  Arbitrary<ObjectNode> objects() {
    Arbitrary<String> names =
        Arbitraries.strings().withChars("abé\"\\\n{}[]:, ").ofMinLength(1).ofMaxLength(3);
    Arbitrary<Object> values =
        Arbitraries.oneOf(
            names.map(name -> (Object) name),
            Arbitraries.integers().map(number -> (Object) number),
            Arbitraries.of(true, false).map(flag -> (Object) flag),
            Combinators.combine(names, Arbitraries.integers())
                .as((name, number) -> (Object) MAPPER.createObjectNode().put(name, number)));
    return Arbitraries.maps(names, values)
        .ofMaxSize(4)
        .map(members -> MAPPER.<ObjectNode>valueToTree(members));
  }

  private static PermissionRequest request(String content, String member) {
    return PermissionRequest.newBuilder()
        .setAction(PermissionAction.newBuilder().setKind("command").setContent(utf8(content)))
        .setRequest(
            PermissionQuestion.newBuilder().setAcceptsModified(true).setArgumentsMember(member))
        .build();
  }

  private static ByteString utf8(String text) {
    return ByteString.copyFromUtf8(text);
  }
}

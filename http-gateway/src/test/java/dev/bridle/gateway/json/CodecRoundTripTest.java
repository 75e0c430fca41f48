package dev.bridle.gateway.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.bridle.api.v1.Failure;
import dev.bridle.api.v1.Visibility;
import dev.bridle.gateway.kit.json.JsonTape;
import dev.bridle.json.JsonWriter;
import dev.bridle.json.MemberPolicy;
import dev.bridle.json.MessagePlans;
import dev.bridle.message.v1.Message;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.Role;
import dev.bridle.message.v1.TextPart;
import dev.bridle.message.v1.ToolCallPart;
import dev.bridle.task.v1.Task;
import dev.bridle.task.v1.TaskInput;
import dev.bridle.task.v1.TaskStatus;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What is written is read back as it was. */
final class CodecRoundTripTest {

  private static final MessagePlans PLANS = new MessagePlans();
  private static final JsonReader READER =
      new JsonReader(node -> fail("Node " + node + " is skipped."));
  private static final JsonWriter WRITER = new JsonWriter(PLANS, MemberPolicy.WHOLE);

  @Property(tries = 300)
  void aTaskThatIsWrittenIsReadBackTheSame(@ForAll("tasks") Task task) {
    byte[] json = WRITER.write(task);

    Task.Builder back = Task.newBuilder();
    READER.readObject(JsonTape.parse(json, 64), 0, PLANS.of(Task.getDescriptor()), back);

    assertThat(back.build()).isEqualTo(task);
  }

  @Provide
  Arbitrary<Task> tasks() {
    return Combinators.combine(
            texts(), freeForm(), times(), Arbitraries.of(TaskStatus.values()), inputs(), texts())
        .as(
            (text, json, time, status, input, other) -> {
              Task.Builder task =
                  Task.newBuilder()
                      .setId(text)
                      .setMetadata(json)
                      .setCreatedAt(time)
                      .setInput(input)
                      .setCreatedBy(other);
              if (status != TaskStatus.UNRECOGNIZED) {
                task.setStatus(status);
              }
              if (other.length() % 2 == 0) {
                task.setPersonaId(other)
                    .setFailure(
                        Failure.newBuilder().setCode(text).setMessage(other).setDetails(json));
              }
              return task.build();
            });
  }

  private static Arbitrary<TaskInput> inputs() {
    Arbitrary<TaskInput> messages =
        parts()
            .list()
            .ofMaxSize(3)
            .map(
                parts ->
                    TaskInput.newBuilder()
                        .setMessage(
                            Message.newBuilder()
                                .setMetadata(ByteString.copyFromUtf8("{}"))
                                .setRole(Role.ROLE_TOOL)
                                .setCreatedAt(Timestamp.getDefaultInstance())
                                .setUpdatedAt(Timestamp.getDefaultInstance())
                                .addAllParts(parts))
                        .build());
    return Arbitraries.oneOf(
        messages, freeForm().map(json -> TaskInput.newBuilder().setJson(json).build()));
  }

  private static Arbitrary<Part> parts() {
    Arbitrary<Part> text =
        texts()
            .map(
                words ->
                    Part.newBuilder()
                        .setText(
                            TextPart.newBuilder()
                                .setText(words)
                                .setVisibility(Visibility.VISIBILITY_RECEIPT_ONLY))
                        .build());
    Arbitrary<Part> call =
        freeForm()
            .map(
                json ->
                    Part.newBuilder()
                        .setToolCall(ToolCallPart.newBuilder().setName("n").setInput(json))
                        .build());
    return Arbitraries.oneOf(text, call);
  }

  private static Arbitrary<Timestamp> times() {
    return Arbitraries.longs()
        .between(-62_135_596_800L, 253_402_300_799L)
        .map(s -> Timestamp.newBuilder().setSeconds(s).setNanos(7_000_000).build());
  }

  private static Arbitrary<ByteString> freeForm() {
    return texts()
        .map(
            text ->
                ByteString.copyFromUtf8(
                    "{ \"k\" :"
                        + new String(quoted(text), StandardCharsets.UTF_8)
                        + ",\n\"n\": 12345678901234567890123 }"));
  }

  private static byte[] quoted(String text) {
    return JsonWriter.bytes(to -> to.writeString(text));
  }

  private static Arbitrary<String> texts() {
    return Arbitraries.strings()
        .withChars("aZ\"\\/\n\r\t\b\f\u0001\u007f\u2028é€ ")
        .ofMaxLength(30)
        .map(text -> text.length() % 3 == 0 ? text + "😀" : text);
  }
}

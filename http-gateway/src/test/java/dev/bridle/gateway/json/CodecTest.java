package dev.bridle.gateway.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import dev.bridle.api.v1.PageInfo;
import dev.bridle.artifact.v1.Artifact;
import dev.bridle.discovery.v1.A2aAgentCard;
import dev.bridle.discovery.v1.A2aSecurityRequirement;
import dev.bridle.discovery.v1.A2aSecurityScopes;
import dev.bridle.discovery.v1.HarnAgentInterface;
import dev.bridle.discovery.v1.Transport;
import dev.bridle.event.v1.Event;
import dev.bridle.gateway.kit.json.InvalidMemberException;
import dev.bridle.gateway.kit.json.JsonTape;
import dev.bridle.json.JsonWriter;
import dev.bridle.json.MemberPolicy;
import dev.bridle.json.MessagePlans;
import dev.bridle.json.Timestamps;
import dev.bridle.memory.v1.Memory;
import dev.bridle.message.v1.JsonPart;
import dev.bridle.message.v1.MessageInput;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.ToolResultPart;
import dev.bridle.message.v1.ToolResultStatus;
import dev.bridle.quota.v1.Quota;
import dev.bridle.session.v1.Transcript;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages and their JSON. */
final class CodecTest {

  private static final MessagePlans PLANS = new MessagePlans();
  private static final JsonReader READER =
      new JsonReader(node -> fail("Node " + node + " is skipped."));
  private static final JsonWriter WRITER = new JsonWriter(PLANS, MemberPolicy.WHOLE);

  @Test
  void a64BitNumberIsANumber() {
    Event event = Event.newBuilder().setSequence(Long.MAX_VALUE).build();

    assertThat(write(event)).contains("\"sequence\":9223372036854775807,");
    assertThat(((Event) read("{\"sequence\":-9223372036854775808}", event)).getSequence())
        .isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void freeFormJsonIsWrittenAsItIs() {
    String json = "{\"big\": 9007199254740993,\n\"a\":[1.0 ,\"\\u00e9\"]}";

    assertThat(write(Event.newBuilder().setPayload(ByteString.copyFromUtf8(json)).build()))
        .contains("\"payload\":" + json + ",");
  }

  @Test
  void freeFormJsonLongerThanTheWritersBufferIsWrittenWhole() {
    String json = "{\"a\":\"" + "é".repeat(50_000) + "\"}";

    assertThat(write(Event.newBuilder().setPayload(ByteString.copyFromUtf8(json)).build()))
        .contains(json);
  }

  @Test
  void absentMembersAreNullLeftOutOrEmptyAsTheirRulesSay() {
    assertThat(write(Artifact.getDefaultInstance()))
        .isEqualTo(
            "{\"object\":\"artifact\",\"id\":\"\",\"metadata\":{},\"mime_type\":\"\","
                + "\"uri\":null,\"sha256\":null,\"workspace_id\":null,\"session_id\":null,"
                + "\"task_id\":null,\"receipt_id\":null}");
    assertThat(write(PageInfo.getDefaultInstance()))
        .isEqualTo("{\"next_cursor\":null,\"has_more\":false}");
  }

  @Test
  void a2aMembersAreSpelledInCamelCase() {
    String json =
        write(
            A2aAgentCard.newBuilder()
                .setIconUrl("http://i")
                .addSecurity(
                    A2aSecurityRequirement.newBuilder()
                        .putSchemes(
                            "oauth", A2aSecurityScopes.newBuilder().addScopes("read").build()))
                .build());

    assertThat(json)
        .contains("\"supportedInterfaces\":[]", "\"iconUrl\":\"http://i\"")
        .contains("\"security\":[{\"oauth\":[\"read\"]}]")
        .contains("\"securitySchemes\":{}");
    A2aAgentCard back = (A2aAgentCard) read(json, A2aAgentCard.getDefaultInstance());
    assertThat(back.getSecurity(0).getSchemesOrThrow("oauth").getScopes(0)).isEqualTo("read");
  }

  @Test
  void enumsLoseTheirPrefixAndTakeTheCaseOfTheirOption() {
    assertThat(write(HarnAgentInterface.newBuilder().setTransport(Transport.TRANSPORT_SSE).build()))
        .isEqualTo("{\"transport\":\"sse\",\"url\":\"\"}");
    assertThat(
            write(
                Part.newBuilder()
                    .setToolResult(
                        ToolResultPart.newBuilder()
                            .setStatus(ToolResultStatus.TOOL_RESULT_STATUS_OK)
                            .setOutput(ByteString.copyFromUtf8("[1]")))
                    .build()))
        .isEqualTo(
            "{\"type\":\"tool_result\",\"tool_call_id\":\"\",\"output\":[1],\"status\":\"ok\"}");
  }

  @Test
  void mapsAndDecimalsKeepTheirValues() {
    Quota quota = Quota.newBuilder().putLimits("usd", 1.5).putLimits("tokens", 3).build();

    assertThat(write(quota)).contains("\"limits\":{\"usd\":1.5,\"tokens\":3.0},\"usage\":{}");
    Quota back = (Quota) read("{\"limits\":{\"usd\":1.5,\"tokens\":3}}", quota);
    assertThat(back.getLimitsMap()).isEqualTo(quota.getLimitsMap());
  }

  @Test
  void aUnionStandsForItsBranch() {
    assertThat(write(Transcript.newBuilder().setUri("/x").build())).isEqualTo("\"/x\"");
    assertThat(write(Transcript.newBuilder().setSummary(ByteString.copyFromUtf8("{}")).build()))
        .isEqualTo("{}");
    assertThat(write(Memory.getDefaultInstance())).doesNotContain("content");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"words\"|TEXT",
        "{\"type\":\"artifact_ref\",\"artifact_id\":\"a\",\"visibility\":\"public\"}|ARTIFACT_REF",
        "{\"type\":\"other\"}|JSON",
        "{}|JSON"
      })
  void aUnionsBranchIsFoundByTypeThenConstantThenWhatIsLeft(String json, String branch) {
    Memory memory = (Memory) read("{\"content\":" + json + "}", Memory.getDefaultInstance());

    assertThat(memory.getContent().getFormCase()).hasToString(branch);
  }

  @Test
  void aNullIsAValueWhereAnyJsonMayStand() {
    MessageInput input =
        (MessageInput)
            read(
                "{\"parts\":[{\"type\":\"json\",\"value\":null,\"visibility\":\"internal\"}]}",
                MessageInput.getDefaultInstance());

    JsonPart part = input.getParts(0).getJson();
    assertThat(part.getValue().toStringUtf8()).isEqualTo("null");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"sequence\":\"1\"}|sequence|The value must be a whole number, but is a string.",
        "{\"sequence\":1.0}|sequence|The value must be a whole number, but is a number with a"
            + " fraction or exponent.",
        "{\"sequence\":9223372036854775808}|sequence|The number is out of range; expected a"
            + " 64-bit whole number.",
        "{\"id\":null}|id|The member must not be null.",
        "{\"replayed\":\"true\"}|replayed|The value must be a boolean, but is a string.",
        "{\"payload\":[]}|payload|The value must be an object, but is an array.",
        "{\"replay\":{\"mode\":\"slow\"}}|replay.mode|The value \"slow\" is unknown; expected"
            + " one of exact, with_overrides, from_checkpoint.",
        "{\"created_at\":\"yesterday\"}|created_at|The value must be an RFC 3339 timestamp such"
            + " as 2026-04-25T19:00:00Z."
      })
  void aWrongValueIsBlamedByItsPath(String json, String param, String message) {
    assertThatThrownBy(() -> read(json, Event.getDefaultInstance()))
        .isInstanceOfSatisfying(
            InvalidMemberException.class,
            e -> {
              assertThat(e.param()).isEqualTo(param);
              assertThat(e.getMessage()).isEqualTo(message);
            });
  }

  @ParameterizedTest
  @CsvSource({
    "2026-04-25T19:00:00Z, 2026-04-25T19:00:00.000Z",
    "2026-04-25T21:00:00.123456789+02:00, 2026-04-25T19:00:00.123Z",
    "1969-12-31T23:59:59.999Z, 1969-12-31T23:59:59.999Z",
    "9999-12-31T23:59:59Z, 9999-12-31T23:59:59.000Z",
    "0001-01-01T00:00:00Z, 0001-01-01T00:00:00.000Z"
  })
  void timestampsAreReadWithAnyOffsetAndWrittenInUtc(String given, String written) {
    assertThat(Timestamps.parse(given).map(Timestamps::format)).hasValue(written);
  }

  @Test
  void aTimestampWithoutATimeIsNone() {
    assertThat(Timestamps.parse("2026-04-25")).isEmpty();
    assertThat(Timestamps.parse("")).isEmpty();
    assertThat(Timestamps.format(Timestamp.getDefaultInstance()))
        .isEqualTo("1970-01-01T00:00:00.000Z");
  }

  private static String write(Message message) {
    return new String(WRITER.write(message), StandardCharsets.UTF_8);
  }

  private static Message read(String json, Message kind) {
    Message.Builder builder = kind.newBuilderForType();
    JsonTape tape = JsonTape.parse(json.getBytes(StandardCharsets.UTF_8), 16);
    READER.readObject(tape, 0, PLANS.of(kind.getDescriptorForType()), builder);
    return builder.build();
  }
}

package dev.bridle.core.kernel.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.record.v1.EventRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events that earlier versions stored with parts of all visibilities. */
class EarlierPayloadsTest {
  private static final String PUBLIC =
      "{\"type\":\"json\",\"value\":{\"n\":1.50e+3,\"s\":\"\\u00e9\"},\"visibility\":\"public\"}";

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      textBlock =
          """
          {"type":"text","text":"MARKER","visibility":"internal"} | "type":"text","text":"","visibility":"internal","redacted":{"reason":"internal","size":
          {"type":"text","text":"MARKER","visibility":"receipt_only"} | "type":"text","text":"","visibility":"receipt_only","redacted":{"reason":"receipt_only","size":
          {"type":"json","value":["MARKER"],"visibility":"internal"} | "type":"json","value":null,"visibility":"internal"
          {"type":"tool_call","tool_call_id":"c","name":"MARKER","input":{"a":"MARKER"},"visibility":"internal"} | "type":"tool_call","tool_call_id":"c","name":"redacted","input":{},"visibility":"internal"
          {"type":"tool_result","tool_call_id":"c","output":"MARKER","status":"ok","visibility":"internal"} | "type":"tool_result","tool_call_id":"c","output":null,"status":"ok","visibility":"internal"
          {"type":"artifact_ref","artifact_id":"MARKER","visibility":"internal"} | "type":"artifact_ref","artifact_id":"redacted","visibility":"internal"
          {"type":"file_ref","uri":"MARKER","mime_type":"MARKER","visibility":"internal"} | "type":"file_ref","uri":"redacted","mime_type":"application/octet-stream","visibility":"internal"
          {"type":"image_ref","artifact_id":"MARKER","mime_type":"MARKER","visibility":"internal"} | "type":"image_ref","artifact_id":"redacted","mime_type":"application/octet-stream","visibility":"internal"
          {"type":"of later","more":"MARKER","visibility":"internal"} | "type":"of later","visibility":"internal"
          """)
  void aPartThatIsNotPublicIsADescriptor(String part, String left) {
    for (String kind :
        new String[] {
          EventKinds.USER_MESSAGE,
          EventKinds.AGENT_MESSAGE,
          EventKinds.SESSION_MESSAGE_APPENDED,
          EventKinds.USER_INPUT_SUBMITTED
        }) {
      String shown = shown(kind, payload(part));
      assertThat(shown)
          .startsWith("{\"message_id\":\"m\",\"parts\":[" + PUBLIC + ",{" + left)
          .endsWith("}," + PUBLIC + "],\"step_key\":\"ask\"}")
          .contains("\"size\":" + part.length())
          .doesNotContain("MARKER");
    }
  }

  @Test
  void aPayloadThatWasMadePublicIsNotTouched() {
    EventRecord record =
        EventRecord.newBuilder()
            .setEvent(EventKinds.USER_MESSAGE)
            .setPublicProjection(true)
            .setPayload(ByteString.copyFromUtf8("not even JSON \"internal\""))
            .build();

    assertThat(EarlierPayloads.shown(record)).isSameAs(record.getPayload());
  }

  @Test
  void whatOnlyTalksOfVisibilitiesKeepsItsBytes() {
    String talk =
        payload(
            "{\"type\":\"json\",\"value\":{\"parts\":[{\"visibility\":\"internal\"}]},"
                + "\"visibility\":\"public\"}");

    assertThat(shown(EventKinds.USER_MESSAGE, talk)).isEqualTo(talk);
    assertThat(shown("vendor.acme.note", "{\"parts\":[{\"visibility\":\"internal\"}]}"))
        .isEqualTo("{\"parts\":[{\"visibility\":\"internal\"}]}");
  }

  @Test
  void aPayloadThatCannotBeReadIsLeftOut() {
    assertThat(shown(EventKinds.USER_MESSAGE, "{\"parts\":[{\"visibility\":\"internal\""))
        .isEqualTo("{}");
  }

  private static String payload(String part) {
    return "{\"message_id\":\"m\",\"parts\":["
        + PUBLIC
        + ","
        + part
        + ","
        + PUBLIC
        + "],\"step_key\":\"ask\"}";
  }

  private static String shown(String kind, String payload) {
    return EarlierPayloads.shown(
            EventRecord.newBuilder()
                .setEvent(kind)
                .setPayload(ByteString.copyFromUtf8(payload))
                .build())
        .toStringUtf8();
  }
}

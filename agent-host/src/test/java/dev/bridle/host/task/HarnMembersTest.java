package dev.bridle.host.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bridle.host.acp.HarnMembers;
import dev.bridle.host.acp.ToolCall;
import dev.bridle.host.rpc.RawJson;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Harn's runtimes add is read where earlier versions write it, and where later ones do. */
final class HarnMembersTest {
  private static final String ADDED =
      "'toolName':'deploy','executor':{'kind':'mcp_server','serverName':'files'},'error':'no',"
          + "'errorCategory':'tool_error','durationMs':12,'audit':{'run_id':'r1'}";

  private static ToolCall call(String json) throws Exception {
    Map<String, RawJson> members = new LinkedHashMap<>();
    JsonNode object = new ObjectMapper().readTree(json.replace('\'', '"'));
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      members.put(member.getKey(), RawJson.of(member.getValue()));
    }
    return new ToolCall("t1", members);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'status':'failed','rawOutput':'x'," + ADDED + "}",
        "{'status':'failed','rawOutput':'x','_meta':{'harn':{" + ADDED + "}}}"
      })
  void theMembersOfAToolCallAreReadInBothPlaces(String json) throws Exception {
    ToolCall call = call(json);

    JsonNode result = ToolCallFacts.result(call, true);
    assertThat(result.get("tool_name").textValue()).isEqualTo("deploy");
    assertThat(result.get("error").textValue()).isEqualTo("no");
    assertThat(result.get("error_category").textValue()).isEqualTo("tool_error");
    assertThat(result.get("duration_ms").intValue()).isEqualTo(12);
    assertThat(result.at("/audit/run_id").textValue()).isEqualTo("r1");
    assertThat(ClaimedEffects.returned(call).orElseThrow().kind()).isEqualTo("mcp:files");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{'executor':'host_bridge'}", "{'_meta':{'harn':{'executor':'host_bridge'}}}"})
  void aCallOfAToolOfTheHostIsKnownByBoth(String json) throws Exception {
    assertThat(ClaimedEffects.isClaimedOfHost(call(json))).isTrue();
  }

  @Test
  void theOwnMemberCountsWhereItIsInBothPlaces() throws Exception {
    HarnMembers members =
        HarnMembers.of(call("{'error':'own','_meta':{'harn':{'error':'below','durationMs':1}}}"));

    assertThat(members.text("error")).isEqualTo("own");
    assertThat(members.json("durationMs").intValue()).isEqualTo(1);
    assertThat(members.raw("executor").isPresent()).isFalse();
  }
}

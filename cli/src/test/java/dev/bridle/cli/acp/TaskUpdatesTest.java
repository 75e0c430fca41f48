package dev.bridle.cli.acp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.rest.StreamEvent;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an editor is shown of the events of a task. */
final class TaskUpdatesTest {
  private final TaskUpdates updates =
      new TaskUpdates("task_1", new AnswerCommands(" --url U"), Set.of("message_own"));

  /** An event of each kind; single quotes stand for double ones, an empty update for none. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "task.started|{}|",
        "task.completed|{}|",
        "vendor.other|{'text':'x'}|",
        "user.message|{'message_id':'message_own','parts':[{'type':'text','text':'hi'}]}|",
        "user.message|{'message_id':'m','parts':[{'type':'text','text':'hi'}]}"
            + "|{'sessionUpdate':'user_message_chunk','messageId':'m','content':{'type':'text','text':'hi'}}",
        "task.submitted|{'input':{'text':'hi'}}"
            + "|{'sessionUpdate':'user_message_chunk','content':{'type':'text','text':'hi'}}",
        "task.submitted|{'message_id':'m'}|",
        "agent.message|{'message_id':'m','parts':[{'type':'text','text':'hi'}]}"
            + "|{'sessionUpdate':'agent_message_chunk','messageId':'m','content':{'type':'text','text':'hi'}}",
        "agent.message|{'message_id':'m','parts':[{'type':'text','redacted':{'size':3}}]}"
            + "|{'sessionUpdate':'agent_message_chunk','messageId':'m',"
            + "'content':{'type':'text','text':'[left out, since this key may not see it]'}}",
        "agent.message|{'message_id':'m','parts':[{'type':'file_ref','uri':'file:///a','mime_type':'text/plain'}]}"
            + "|{'sessionUpdate':'agent_message_chunk','messageId':'m',"
            + "'content':{'type':'resource_link','name':'file:///a','uri':'file:///a','mimeType':'text/plain'}}",
        "agent.message|{'message_id':'m','parts':[{'type':'artifact_ref','artifact_id':'artifact_1'}]}"
            + "|{'sessionUpdate':'agent_message_chunk','messageId':'m','content':{'type':'text','text':'[artifact_1]'}}",
        "vendor.agent_host.text|{'message_id':'a','offset':0,'text':'hi'}"
            + "|{'sessionUpdate':'agent_message_chunk','messageId':'task_1/a','content':{'type':'text','text':'hi'}}",
        "vendor.agent_host.text|{'message_id':'','offset':0,'text':'hi'}"
            + "|{'sessionUpdate':'agent_message_chunk','content':{'type':'text','text':'hi'}}",
        "agent.reasoning_summary|{'summary':'hm'}"
            + "|{'sessionUpdate':'agent_thought_chunk','content':{'type':'text','text':'hm\\n'}}",
        "vendor.bridle.progress|{'text':'half','fraction':0.5}"
            + "|{'sessionUpdate':'agent_thought_chunk','content':{'type':'text','text':'half\\n'}}",
        "vendor.agent_host.plan|{'plan':[{'content':'a','priority':'odd','status':'completed'}]}"
            + "|{'sessionUpdate':'plan','entries':[{'content':'a','priority':'medium','status':'completed'}]}",
        "agent.tool_use|{'tool_call_id':'c','tool_name':'read','title':'Read','status':'pending'}"
            + "|{'sessionUpdate':'tool_call','toolCallId':'task_1/c','title':'Read','kind':'read','status':'pending'}",
        "agent.tool_use|{'id':'c','name':'grep','input':{'a':1.50}}"
            + "|{'sessionUpdate':'tool_call','toolCallId':'task_1/c','title':'grep','kind':'other','rawInput':{'a':1.50}}",
        "tool.requested|{'tool_call_id':'c','name':'open','input':{}}"
            + "|{'sessionUpdate':'tool_call','toolCallId':'task_1/c','title':'open','kind':'other','status':'pending','rawInput':{}}",
        "tool.failed|{'tool_call_id':'c','name':'open'}"
            + "|{'sessionUpdate':'tool_call','toolCallId':'task_1/c','title':'open','kind':'other','status':'failed'}",
        "vendor.bridle.command_run|{'command':'make','status':'failed','exit_code':2}"
            + "|{'sessionUpdate':'tool_call','toolCallId':'task_1/event_1','title':'make','kind':'execute','status':'failed',"
            + "'content':[{'type':'content','content':{'type':'text','text':'exit code 2'}}]}",
        "vendor.bridle.file_written|{'path':'/a','operation':'delete'}"
            + "|{'sessionUpdate':'tool_call','toolCallId':'task_1/event_1','title':'delete /a','kind':'delete','status':'completed',"
            + "'locations':[{'path':'/a'}]}",
        "vendor.bridle.network_egress|{'destination':'example.org','purpose':'upload'}"
            + "|{'sessionUpdate':'tool_call','toolCallId':'task_1/event_1','title':'example.org: upload','kind':'fetch','status':'completed'}",
        "vendor.bridle.permission_used|{'grant_id':'grant_1','action':{'kind':'command','title':'Make'}}"
            + "|{'sessionUpdate':'agent_thought_chunk','content':{'type':'text','text':'Allowed by the standing grant grant_1: Make\\n'}}",
        "vendor.bridle.permission_used|{'permission_request_id':'permission_1'}|",
        "agent.tool_result|{'tool_call_id':'c','title':'Make','status':'completed',"
            + "'output':[{'type':'text','text':'built'},{'type':'raw','value':{'code':0}}]}"
            + "|{'sessionUpdate':'tool_call','toolCallId':'task_1/c','title':'Make','kind':'other','status':'completed',"
            + "'rawOutput':{'code':0},'content':[{'type':'content','content':{'type':'text','text':'built'}}]}",
        "agent.tool_result|{'tool_call_id':'c','title':'Make','output':[{'type':'text','text':'a','tail':'z',"
            + "'bytes':9000,'sha256':'ab'},{'type':'image','mime_type':'image/png','uri':'','bytes':7}]}"
            + "|{'sessionUpdate':'tool_call','toolCallId':'task_1/c','title':'Make','kind':'other','status':'completed',"
            + "'content':[{'type':'content','content':{'type':'text','text':'a\\n… cut, of 9000 bytes, ab …\\nz'}},"
            + "{'type':'content','content':{'type':'text','text':'[image image/png , 7 bytes]'}}]}",
        "vendor.agent_host.content|{'text':'[a](file:///a)','content':{'type':'resource_link','uri':'file:///a','name':'a'}}"
            + "|{'sessionUpdate':'agent_message_chunk','content':{'type':'resource_link','name':'a','uri':'file:///a'}}",
        "vendor.agent_host.commands|{'commands':[{'name':'plan','description':'Plans','input':{'hint':'what'}},{'name':7}]}"
            + "|{'sessionUpdate':'available_commands_update','availableCommands':"
            + "[{'name':'plan','description':'Plans','input':{'hint':'what'}}]}",
        "vendor.agent_host.content|{'redacted':{'reason':'internal','size':7}}|",
        "vendor.agent_host.commands|{}|",
        "vendor.agent_host.context|{'used':7,'size':100,'session_cost':0.50,'currency':'USD'}"
            + "|{'sessionUpdate':'usage_update','used':7,'size':100,'cost':{'currency':'USD','amount':0.50}}",
        "vendor.agent_host.context|{'redacted':{'reason':'redacted'}}|",
        "vendor.bridle.acted_differently|{'title':'make','difference':{'command':{'acted':'rm'}}}"
            + "|{'sessionUpdate':'agent_message_chunk','content':{'type':'text','text':"
            + "'\\n\\n*Bridle:* the agent has acted otherwise than was allowed: make {\\\"command\\\":{\\\"acted\\\":\\\"rm\\\"}}\\n\\n'}}",
      })
  void anEventBecomesTheUpdateThatSaysTheSame(String kind, String payload, String update) {
    List<ObjectNode> shown = updates.of(event(kind, payload));

    if (update == null) {
      assertThat(shown).isEmpty();
    } else {
      assertThat(shown).map(Object::toString).containsExactly(json(update).toString());
    }
  }

  private static StreamEvent event(String kind, String payload) {
    ObjectNode body = JsonLines.object().put("task_id", "task_1");
    return new StreamEvent("event_1", kind, body.set("payload", json(payload)));
  }

  private static JsonNode json(String quoted) {
    return JsonLines.parse(quoted.replace('\'', '"')).orElseThrow();
  }

  @Test
  void aToolCallIsAnnouncedOnceAndThenUpdated() {
    updates.of(event("agent.tool_use", "{'tool_call_id':'c','title':'Read','status':'pending'}"));

    ObjectNode update =
        updates
            .of(
                event(
                    "vendor.agent_host.tool_call",
                    "{'tool_call_id':'c','title':'','status':'completed'}"))
            .get(0);

    assertThat(update.toString())
        .isEqualTo(
            "{\"sessionUpdate\":\"tool_call_update\",\"toolCallId\":\"task_1/c\","
                + "\"status\":\"completed\"}");
  }

  @Test
  void whatAHostedAgentClaimsOfItsToolCallIsShownOnce() {
    updates.of(
        event(
            "agent.tool_use",
            "{'tool_call_id':'c','title':'Make','tool_name':'execute','status':'completed'}"));

    assertThat(updates.of(event("vendor.bridle.command_run", "{'command':'make'}"))).isEmpty();
    updates.of(event("vendor.agent_host.text", "{'text':'made'}"));
    assertThat(updates.of(event("vendor.bridle.command_run", "{'command':'make'}"))).isEmpty();
    updates.of(
        event("agent.tool_use", "{'tool_call_id':'d','title':'Test','status':'in_progress'}"));
    assertThat(updates.of(event("vendor.bridle.command_run", "{'command':'test'}"))).hasSize(1);
  }

  @Test
  void aMessageWithALinkThatWasShownIsNotShownAgain() {
    updates.of(event("vendor.agent_host.text", "{'message_id':'a','offset':0,'text':'See '}"));
    updates.of(
        event(
            "vendor.agent_host.content",
            "{'text':'[a](file:///a)','content':{'type':'resource_link','uri':'file:///a'}}"));

    assertThat(
            updates.of(
                event(
                    "agent.message",
                    "{'message_id':'m','parts':[{'type':'text','text':'See [a](file:///a)'}]}")))
        .isEmpty();
  }

  @Test
  void aMessageWhosePiecesWereShownIsNotShownAgain() {
    StreamEvent message =
        event("agent.message", "{'message_id':'m','parts':[{'type':'text','text':'hi'}]}");
    updates.of(event("vendor.agent_host.text", "{'message_id':'a','offset':0,'text':'h'}"));
    updates.of(event("vendor.agent_host.text", "{'message_id':'a','offset':1,'text':'i\\n'}"));

    assertThat(updates.of(message)).isEmpty();
    assertThat(updates.of(message)).as("another one").hasSize(1);
  }

  private static final String ASKED =
      "{'permission_request_id':'permission_1','action':{'kind':'command','title':'Make it',"
          + "'content':{'command':'make'}},'request':{'expires_at':'2026-11-25T00:00:00Z'}}";

  @Test
  void aQuestionIsShownInTheAgentsOwnToolCallWithTheSameTitle() {
    updates.of(
        event("agent.tool_use", "{'tool_call_id':'c','title':'Make it','status':'pending'}"));

    ObjectNode asked = updates.of(event("tool.approval_required", ASKED)).get(0);
    ObjectNode decided =
        updates
            .of(
                event(
                    "tool.approved",
                    "{'permission_request_id':'permission_1','decided_by':'ann',"
                        + "'grant_id':'grant_1'}"))
            .get(0);

    assertThat(asked.path("sessionUpdate").asText()).isEqualTo("tool_call_update");
    assertThat(asked.path("toolCallId").asText()).isEqualTo("task_1/c");
    assertThat(asked.path("title").asText()).isEqualTo("make");
    assertThat(decided.has("status")).as("the agent says how it ends").isFalse();
    assertThat(decided.at("/content/1/content/text").asText())
        .isEqualTo("Approved by ann, with the grant grant_1.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "tool.approved|{'decided_by':'ann'}|completed|Approved by ann.",
        "tool.denied|{'decided_by':'ann','reason':'no'}|failed|Denied by ann, with the reason: no",
        "vendor.bridle.permission_expired|{'reason':'timed_out'}|failed"
            + "|Nobody answered in time: it is not allowed.",
        "vendor.bridle.permission_expired|{'reason':'withdrawn'}|failed"
            + "|The agent has withdrawn the question.",
        "vendor.bridle.permission_expired|{'reason':'task_ended'}|failed"
            + "|The question is withdrawn: the task has ended."
      })
  void aQuestionWithoutAToolCallIsOneAndSaysHowItWasDecided(
      String kind, String payload, String status, String words) {
    ObjectNode asked = updates.of(event("tool.approval_required", ASKED)).get(0);
    ObjectNode said = (ObjectNode) json(payload);
    String decision = said.put("permission_request_id", "permission_1").toString();

    ObjectNode decided = updates.of(event(kind, decision)).get(0);

    assertThat(asked.path("sessionUpdate").asText()).isEqualTo("tool_call");
    assertThat(asked.path("status").asText()).isEqualTo("pending");
    assertThat(decided.path("toolCallId")).isEqualTo(asked.path("toolCallId"));
    assertThat(decided.path("status").asText()).isEqualTo(status);
    assertThat(decided.at("/content/0")).isEqualTo(asked.at("/content/0"));
    assertThat(decided.at("/content/1/content/text").asText()).isEqualTo(words);
    assertThat(updates.of(event(kind, decision))).as("said once").isEmpty();
  }
}

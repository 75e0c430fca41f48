package dev.bridle.host.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.host.acp.AcpException.Reason;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person chose for an agent's session, as the agent gets it. */
@Timeout(180)
final class SessionSetupTest {
  private static final String INITIALIZE =
      "> {'id':1,'method':'initialize','params':{'protocolVersion':1,"
          + "'clientCapabilities':{'fs':{'readTextFile':false,'writeTextFile':false},"
          + "'terminal':false,'elicitation':{'form':{}}},"
          + "'clientInfo':{'name':'bridle','version':'1.0'}}}";
  private static final String INTRODUCTION =
      "< {'id':1,'result':{'protocolVersion':1,'agentCapabilities':{},"
          + "'authMethods':[{'id':'key','name':'API key','description':'Set KEY'},{'id':'web'}]}}";
  private static final String OPEN =
      "> {'id':2,'method':'session/new','params':{'cwd':'/work','mcpServers':[]}}";
  private static final String MODEL =
      "{'id':'model','name':'Model','category':'model','type':'select','currentValue':'big',"
          + "'options':[{'group':'g','name':'G','options':[{'value':'big','name':'Big'}]},"
          + "{'value':'small','name':'Small'}]}";
  private static final String WEB =
      "{'id':'web','name':'Web','type':'boolean','currentValue':false}";
  private static final String OPENED =
      "< {'id':2,'result':{'sessionId':'s1','modes':{'currentModeId':'ask','availableModes':["
          + "{'id':'ask','name':'Ask'},{'id':'plan','name':'Plan'}]},"
          + "'configOptions':["
          + MODEL
          + ","
          + WEB
          + "]}}";

  private static ScriptedAgent agent(String... more) {
    List<String> script = new ArrayList<>(List.of(INITIALIZE, INTRODUCTION));
    script.addAll(List.of(more));
    return new ScriptedAgent(
        script.stream().map(line -> line.replace('\'', '"')).toList(), AcpOptions.of("1.0"));
  }

  private static OpenedSession open(ScriptedAgent agent) throws Exception {
    return agent.host.open(
        agent.host.initialize(),
        Path.of("/work"),
        Optional.empty(),
        JsonNodeFactory.instance.arrayNode(),
        new Diary());
  }

  private static SessionSettings mode(String mode) {
    return new SessionSettings(Optional.empty(), Optional.of(mode), Map.of());
  }

  private static SessionSettings option(String id, String value) {
    return new SessionSettings(Optional.empty(), Optional.empty(), Map.of(id, value));
  }

  private static SessionSettings login(String method) {
    return new SessionSettings(Optional.of(method), Optional.empty(), Map.of());
  }

  @Test
  void theModeAndTheOptionsAreSetInTheirOrder() throws Exception {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("web", "true");
    options.put("model", "small");
    try (ScriptedAgent agent =
        agent(
            OPEN,
            OPENED,
            "> {'id':3,'method':'session/set_mode','params':{'sessionId':'s1','modeId':'plan'}}",
            "< {'id':3,'result':{}}",
            "> {'id':4,'method':'session/set_config_option','params':{'sessionId':'s1',"
                + "'configId':'web','type':'boolean','value':true}}",
            "< {'id':4,'result':{'configOptions':["
                + MODEL.replace("'value':'small'", "'value':'tiny'")
                + "]}}")) {
      OpenedSession opened = open(agent);
      SessionSettings chosen = new SessionSettings(Optional.empty(), Optional.of("plan"), options);

      assertThatThrownBy(() -> SessionSetup.apply(opened, chosen, Optional.empty()))
          .as("what one option leaves of another")
          .hasMessage("The option 'model' has no 'small'. Its values: big, tiny");
      agent.assertPlayed();
    }
  }

  @Test
  void aModeThatIsAnOptionIsSetAsOne() throws Exception {
    String modes =
        "{'id':'style','category':'mode','type':'select','currentValue':'ask',"
            + "'options':[{'value':'ask'},{'value':'plan'}]}";
    try (ScriptedAgent agent =
        agent(
            OPEN,
            "< {'id':2,'result':{'sessionId':'s1','configOptions':[" + modes + "]}}",
            "> {'id':3,'method':'session/set_config_option','params':{'sessionId':'s1',"
                + "'configId':'style','value':'plan'}}",
            "< {'id':3,'result':{'configOptions':[" + modes + "]}}")) {
      OpenedSession opened = open(agent);
      assertThat(opened.offered().mode()).isEqualTo("ask");

      SessionSetup.apply(opened, mode("plan"), Optional.empty());
      agent.assertPlayed();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"'category':'mode',", ""})
  void aModeInWhichItMayNotAskIsNotSetByAnotherOptionEither(String category) throws Exception {
    String style =
        "{'id':'style',"
            + category
            + "'type':'select','currentValue':'ask','options':[{'value':'ask'},{'value':'plan'}]}";
    try (ScriptedAgent agent =
        agent(
            OPEN,
            OPENED.replace("'configOptions':[", "'configOptions':[" + style + ","),
            "> {'id':3,'method':'session/set_config_option','params':{'sessionId':'s1',"
                + "'configId':'model','value':'small'}}",
            "< {'id':3,'result':{'configOptions':[]}}")) {
      OpenedSession opened = open(agent);
      Optional<Set<String>> asking = Optional.of(Set.of("ask"));

      assertThatThrownBy(() -> SessionSetup.apply(opened, option("style", "plan"), asking))
          .isInstanceOfSatisfying(
              AcpException.class, e -> assertThat(e.reason()).isEqualTo(Reason.SETTING))
          .hasMessageStartingWith(
              "In the mode 'plan' it is not certain that the agent asks; choose");
      assertThatThrownBy(() -> SessionSetup.apply(opened, mode("plan"), asking))
          .hasMessageEndingWith("choose one of ask, or none");
      SessionSetup.apply(opened, option("model", "small"), asking);
      agent.assertPlayed();
    }
  }

  @Test
  void whatTheAgentDoesNotOfferIsNotSentToIt() throws Exception {
    try (ScriptedAgent agent = agent(OPEN, OPENED)) {
      OpenedSession opened = open(agent);

      assertNotSet(opened, mode("yolo"), "The agent has no mode 'yolo'. Its modes: ask, plan");
      assertNotSet(
          opened, option("size", "x"), "The agent has no option 'size'. Its options: model, web");
      assertNotSet(
          opened, option("model", "x"), "The option 'model' has no 'x'. Its values: big, small");
      assertNotSet(opened, option("web", "yes"), "The option 'web' is true or false, not 'yes'.");
      agent.assertPlayed();
    }
  }

  @Test
  void anAgentThatOffersNothingSaysSo() throws Exception {
    try (ScriptedAgent agent = agent(OPEN, "< {'id':2,'result':{'sessionId':'s1'}}")) {
      assertNotSet(open(agent), mode("plan"), "The agent has no mode 'plan'. Its modes: none");
    }
  }

  @Test
  void aSettingThatIsRefusedSaysWhy() throws Exception {
    try (ScriptedAgent agent =
        agent(
            OPEN,
            OPENED,
            "> {'id':3,'method':'session/set_mode','params':{'sessionId':'s1','modeId':'plan'}}",
            "< {'id':3,'error':{'code':-32603,'message':'no plan today'}}")) {
      OpenedSession opened = open(agent);

      assertThatThrownBy(() -> SessionSetup.apply(opened, mode("plan"), Optional.empty()))
          .hasMessageContaining("The mode 'plan' was not set: ")
          .hasMessageContaining("no plan today");
    }
  }

  @Test
  void aPersonLogsInWithAMethodThatTheAgentOffers() throws Exception {
    try (ScriptedAgent agent =
        agent(
            "> {'id':2,'method':'authenticate','params':{'methodId':'web'}}",
            "< {'id':2,'result':{}}")) {
      Initialized introduced = agent.host.initialize();
      SessionSetup.logIn(agent.host, introduced, SessionSettings.NONE);
      assertThatThrownBy(() -> SessionSetup.logIn(agent.host, introduced, login("other")))
          .isInstanceOfSatisfying(
              AcpException.class, e -> assertThat(e.reason()).isEqualTo(Reason.LOGIN))
          .hasMessage(
              "The agent has no login 'other'. Its logins: 'key' (API key: Set KEY), 'web'");

      SessionSetup.logIn(agent.host, introduced, login("web"));
      agent.assertPlayed();
    }
  }

  @ParameterizedTest
  @CsvSource({"-32000", "-32603"})
  void aLoginThatFailsIsStillALoginThatIsNeeded(int code) throws Exception {
    try (ScriptedAgent agent =
        agent(
            "> {'id':2,'method':'authenticate','params':{'methodId':'key'}}",
            "< {'id':2,'error':{'code':" + code + ",'message':'wrong key'}}")) {
      Initialized introduced = agent.host.initialize();

      assertThatThrownBy(() -> SessionSetup.logIn(agent.host, introduced, login("key")))
          .isInstanceOfSatisfying(
              AcpException.class, e -> assertThat(e.reason()).isEqualTo(Reason.LOGIN))
          .hasMessageContaining("The login 'key' failed: ")
          .hasMessageContaining("wrong key");
    }
  }

  @Test
  void anAgentThatNeedsALoginSaysWhichItOffers() throws Exception {
    try (ScriptedAgent agent =
        agent(OPEN, "< {'id':2,'error':{'code':-32000,'message':'Authentication required.'}}")) {
      assertThatThrownBy(() -> open(agent))
          .isInstanceOfSatisfying(
              AcpException.class, e -> assertThat(e.reason()).isEqualTo(Reason.LOGIN))
          .hasMessageContaining("Authentication required. Its logins: ")
          .hasMessageEndingWith("Its logins: 'key' (API key: Set KEY), 'web'");
    }
  }

  @Test
  void aTurnThatNeedsALoginSaysWhichTheAgentOffers() throws Exception {
    try (ScriptedAgent agent =
        agent(
            OPEN,
            OPENED,
            "> {'id':3,'method':'session/prompt','params':{'sessionId':'s1','prompt':[]}}",
            "< {'id':3,'error':{'code':-32000,'message':'Authentication required.'}}")) {
      AcpSession session = open(agent).session();

      assertThatThrownBy(() -> session.prompt(JsonNodeFactory.instance.arrayNode()).join())
          .cause()
          .hasMessageEndingWith("Its logins: 'key' (API key: Set KEY), 'web'");
    }
  }

  @Test
  void aListOfHundredsIsCut() throws Exception {
    StringBuilder values = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      values.append(i == 0 ? "" : ",").append("{'value':'model-").append(i).append("'}");
    }
    try (ScriptedAgent agent =
        agent(
            OPEN,
            "< {'id':2,'result':{'sessionId':'s1','configOptions':[{'id':'model','type':'select',"
                + "'options':["
                + values
                + "]}]}}")) {
      OpenedSession opened = open(agent);

      assertThatThrownBy(() -> SessionSetup.apply(opened, option("model", "x"), Optional.empty()))
          .hasMessageEndingWith("model-38, model-39 and 260 more");
    }
  }

  private static void assertNotSet(OpenedSession opened, SessionSettings chosen, String why) {
    assertThatThrownBy(() -> SessionSetup.apply(opened, chosen, Optional.empty()))
        .isInstanceOfSatisfying(
            AcpException.class, e -> assertThat(e.reason()).isEqualTo(Reason.SETTING))
        .hasMessage(why);
  }
}

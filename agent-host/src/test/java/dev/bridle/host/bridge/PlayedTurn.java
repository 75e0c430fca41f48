package dev.bridle.host.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.host.acp.AcpOptions;
import dev.bridle.host.acp.AcpSession;
import dev.bridle.host.acp.Diary;
import dev.bridle.host.acp.PromptEnd;
import dev.bridle.host.acp.ScriptedAgent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A conversation of {@code fixtures/bridge}, in its first turn. */
record PlayedTurn(
    ScriptedAgent agent, BridgeHandler bridge, AcpSession session, CompletableFuture<PromptEnd> end)
    implements AutoCloseable {
  static final Path FILES = Path.of("../fixtures/bridge");

  /**
   * Begins to play a transcript.
   *
   * @param skills a text that changes with the skills that the host offers
   */
  static PlayedTurn of(String name, Diary diary, Notes notes, Supplier<String> skills)
      throws Exception {
    return of(name, diary, notes, OfferedServices.make(skills));
  }

  /**
   * Begins to play a transcript.
   *
   * @param services what the host offers
   */
  static PlayedTurn of(String name, Diary diary, Notes notes, BridgeServices services)
      throws Exception {
    AcpOptions plain = AcpOptions.of("1.0");
    BridgeHandler bridge = new BridgeHandler(services, notes);
    AcpOptions options = plain.servedBy(bridge);
    ScriptedAgent agent =
        new ScriptedAgent(Files.readAllLines(FILES.resolve(name + ".txt")), options);
    AcpSession session =
        agent
            .host
            .open(
                agent.host.initialize(),
                Path.of("/work"),
                Optional.empty(),
                JsonNodeFactory.instance.arrayNode(),
                diary)
            .session();
    notes.whenIdle = session::idle;
    return new PlayedTurn(agent, bridge, session, session.prompt(text("hi")));
  }

  static ArrayNode text(String text) {
    ArrayNode content = JsonNodeFactory.instance.arrayNode();
    content.addObject().put("type", "text").put("text", text);
    return content;
  }

  /** Checks that all was said, and that the turn has ended by itself. */
  void over() throws Exception {
    agent.assertPlayed();
    assertThat(end.get(60, TimeUnit.SECONDS).reason()).isEqualTo(PromptEnd.Reason.END_TURN);
  }

  @Override
  public void close() {
    agent.close();
  }
}

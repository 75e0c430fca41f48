package dev.bridle.host.preset;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.SessionSettings;
import java.util.Map;
import java.util.Optional;

/**
 * How the sessions of an agent are opened so that it asks.
 *
 * @param mode the mode that a session is set to where nobody chose one: for agents whose sessions
 *     begin in a mode that does not ask; empty for none
 * @param meta what a session is opened with beside ACP, as its {@code _meta}; empty for nothing
 */
public record SessionPreset(String mode, ObjectNode meta) {
  /** Leaves everything as the agent has it. */
  public static final SessionPreset NONE =
      new SessionPreset("", JsonNodeFactory.instance.objectNode());

  /** Copies. */
  public SessionPreset {
    meta = meta.deepCopy();
  }

  /** Returns the settings of a session: what a person chose, else the mode that asks. */
  public SessionSettings settings(SessionSettings chosen) {
    Optional<String> asking = Optional.of(mode).filter(named -> !named.isEmpty());
    return chosen.or(new SessionSettings(Optional.empty(), asking, Map.of()));
  }
}

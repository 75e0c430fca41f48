package dev.bridle.host.acp;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a person chose for an agent and its sessions. Nothing of it is a secret.
 *
 * @param login the id of the agent's authentication method that each process logs in with
 * @param mode the id of the mode that each session is set to
 * @param options values of the agent's configuration options by their ids, which are set in this
 *     order
 */
public record SessionSettings(
    Optional<String> login, Optional<String> mode, Map<String, String> options) {
  /** Leaves everything as the agent has it. */
  public static final SessionSettings NONE =
      new SessionSettings(Optional.empty(), Optional.empty(), Map.of());

  /** Copies. */
  public SessionSettings {
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
  }

  /** Returns these settings, and those of others that are not set here. */
  public SessionSettings or(SessionSettings others) {
    Map<String, String> all = new LinkedHashMap<>(others.options);
    all.putAll(options);
    return new SessionSettings(login.or(others::login), mode.or(others::mode), all);
  }
}

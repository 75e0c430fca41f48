package dev.bridle.host.acp;

import dev.bridle.host.acp.AcpException.Reason;
import dev.bridle.host.rpc.RawJson;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Makes the settings that a person chose. What an agent does not offer is not sent to it: some
 * agents accept any text, and ignore it.
 */
public final class SessionSetup {
  private static final Set<String> SWITCH = Set.of("true", "false");

  private SessionSetup() {}

  /**
   * Logs in with the method that was chosen, if one was; before a session is opened.
   *
   * @throws AcpException with reason {@code LOGIN} if the agent does not offer the method, or the
   *     login fails
   */
  public static void logIn(AcpConnection connection, Initialized agent, SessionSettings settings)
      throws AcpException, InterruptedException {
    if (settings.login().isEmpty()) {
      return;
    }
    String method = settings.login().get();
    if (agent.authMethods().stream().noneMatch(offered -> offered.id().equals(method))) {
      throw new AcpException(
          Reason.LOGIN,
          "The agent has no login '"
              + method
              + "'. "
              + OfferedLogins.sentence(agent.authMethods()));
    }
    try {
      connection.authenticate(method);
    } catch (AcpException e) {
      if (e.reason() == Reason.NO_ANSWER) {
        throw e;
      }
      throw new AcpException(Reason.LOGIN, "The login '" + method + "' failed: " + e.getMessage());
    }
  }

  /**
   * Sets the mode and the options of a session that was opened; waits for the answers.
   *
   * @param askingModes the modes in which the agent asks, if it is made to: none of the others is
   *     set, by whichever option the agent has for its mode
   * @throws AcpException with reason {@code SETTING} if the agent does not offer one of them, or
   *     refuses it, or may act without asking then
   */
  public static void apply(
      OpenedSession opened, SessionSettings settings, Optional<Set<String>> askingModes)
      throws AcpException, InterruptedException {
    OfferedSettings offered = opened.offered();
    if (askingModes.isPresent()) {
      needAsking(offered, settings, askingModes.get());
    }
    if (settings.mode().isPresent()) {
      setMode(opened.session(), offered, settings.mode().get());
    }
    for (Map.Entry<String, String> option : settings.options().entrySet()) {
      RawJson now = setOption(opened.session(), offered, option.getKey(), option.getValue());
      offered = offered.withOptions(now);
    }
  }

  private static void needAsking(
      OfferedSettings offered, SessionSettings settings, Set<String> askingModes)
      throws AcpException {
    Stream<String> modes =
        Stream.concat(
            settings.mode().stream(),
            settings.options().entrySet().stream()
                .filter(option -> offered.setsMode(option.getKey()))
                .map(Map.Entry::getValue));
    Optional<String> other = modes.filter(mode -> !askingModes.contains(mode)).findFirst();
    if (other.isPresent()) {
      throw new AcpException(
          Reason.SETTING,
          "In the mode '"
              + other.get()
              + "' it is not certain that the agent asks; choose one of "
              + String.join(", ", askingModes.stream().sorted().toList())
              + ", or none");
    }
  }

  private static void setMode(AcpSession session, OfferedSettings offered, String mode)
      throws AcpException, InterruptedException {
    needOffered(offered.modes(), mode, "The agent has no mode '" + mode + "'. Its modes: ");
    Optional<OfferedSettings.Option> option = offered.modeOption();
    try {
      if (option.isPresent()) {
        var unused = session.setOption(option.get().id(), mode);
      } else {
        session.setMode(mode);
      }
    } catch (AcpException e) {
      throw notSet("mode '" + mode + "'", e);
    }
  }

  private static RawJson setOption(
      AcpSession session, OfferedSettings offered, String id, String value)
      throws AcpException, InterruptedException {
    Optional<OfferedSettings.Option> found = offered.option(id);
    if (found.isEmpty()) {
      throw new AcpException(
          Reason.SETTING,
          "The agent has no option '" + id + "'. Its options: " + Listed.of(offered.optionIds()));
    }
    OfferedSettings.Option option = found.get();
    boolean isSwitch = option.type().equals(OfferedSettings.BOOLEAN);
    if (isSwitch && !SWITCH.contains(value)) {
      throw new AcpException(
          Reason.SETTING, "The option '" + id + "' is true or false, not '" + value + "'.");
    }
    if (!isSwitch) {
      needOffered(
          option.values(), value, "The option '" + id + "' has no '" + value + "'. Its values: ");
    }
    try {
      return isSwitch
          ? session.setOption(id, Boolean.parseBoolean(value))
          : session.setOption(id, value);
    } catch (AcpException e) {
      throw notSet("option '" + id + "'", e);
    }
  }

  private static void needOffered(List<OfferedSettings.Value> values, String id, String otherwise)
      throws AcpException {
    Stream<String> ids = values.stream().map(OfferedSettings.Value::id);
    if (values.stream().noneMatch(value -> value.id().equals(id))) {
      throw new AcpException(Reason.SETTING, otherwise + Listed.of(ids));
    }
  }

  private static AcpException notSet(String what, AcpException why) {
    return why.reason() == Reason.NO_ANSWER
        ? why
        : new AcpException(Reason.SETTING, "The " + what + " was not set: " + why.getMessage());
  }
}

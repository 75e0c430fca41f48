package dev.bridle.host.acp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.rpc.PeerHandler;
import dev.bridle.host.rpc.PeerLimits;
import java.util.Objects;

/**
 * How an agent is spoken to.
 *
 * @param version the version of this program, which the agent is sent
 * @param capabilities what the agent is offered; what it asks beyond questions, {@code others}
 *     serves
 * @param others takes requests and notifications that are not of ACP's sessions, such as a
 *     vendor's; it is called as a {@link PeerHandler} is
 * @param limits what is held at most
 * @param timeouts how long the agent has for answers
 * @param completesInput whether the agent is known to say the rest of a tool call right after it
 *     asks about it, so that it is waited for
 * @param sessionMeta what each session is opened with beside ACP, as its {@code _meta}; empty for
 *     nothing
 */
public record AcpOptions(
    String version,
    ObjectNode capabilities,
    PeerHandler others,
    PeerLimits limits,
    AcpTimeouts timeouts,
    boolean completesInput,
    ObjectNode sessionMeta) {
  /** Checks and copies. */
  public AcpOptions {
    Objects.requireNonNull(version, "version");
    Objects.requireNonNull(others, "others");
    capabilities = capabilities.deepCopy();
    sessionMeta = sessionMeta.deepCopy();
  }

  /** No files, no terminal, forms only; other requests are answered that nobody serves them. */
  public static AcpOptions of(String version) {
    ObjectNode offered = JsonNodeFactory.instance.objectNode();
    offered.putObject("fs").put("readTextFile", false).put("writeTextFile", false);
    offered.put("terminal", false).putObject("elicitation").putObject("form");
    return new AcpOptions(
        version,
        offered,
        new PeerHandler() {},
        PeerLimits.DEFAULT,
        AcpTimeouts.DEFAULT,
        false,
        JsonNodeFactory.instance.objectNode());
  }

  /** Returns these options with another taker of what is not of sessions. */
  public AcpOptions servedBy(PeerHandler handler) {
    return new AcpOptions(
        version, capabilities, handler, limits, timeouts, completesInput, sessionMeta);
  }

  /** Returns these options for an agent that says the rest of a call after it asks about it. */
  public AcpOptions completingInput(boolean completes) {
    return new AcpOptions(version, capabilities, others, limits, timeouts, completes, sessionMeta);
  }

  /** Returns these options with what each session is opened with beside ACP. */
  public AcpOptions openingWith(ObjectNode meta) {
    return new AcpOptions(version, capabilities, others, limits, timeouts, completesInput, meta);
  }
}

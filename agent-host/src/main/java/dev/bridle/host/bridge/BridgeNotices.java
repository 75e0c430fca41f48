package dev.bridle.host.bridge;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.AcpConnection;
import dev.bridle.host.acp.AcpException;
import java.util.Locale;

/** What a host says to a runtime below ACP, without waiting for an answer. */
public final class BridgeNotices {
  private final AcpConnection runtime;

  /** Creates the notices of a connection. */
  public BridgeNotices(AcpConnection runtime) {
    this.runtime = runtime;
  }

  /** When a runtime takes a message of the user. */
  public enum Delivery {
    /** At once: what it does is interrupted. */
    INTERRUPT_IMMEDIATE,
    /** After the step that it is at. */
    FINISH_STEP,
    /** When it has nothing else to do. */
    WAIT_FOR_COMPLETION;

    /** Returns the word that the protocol has for it. */
    public String spelled() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Wakes an idle daemon, without a message that a user would see. */
  public void resume() throws AcpException {
    runtime.notify("agent/resume", object());
  }

  /** The host's skills are not what they were. */
  public void skillsChanged() throws AcpException {
    runtime.notify("skills/update", object());
  }

  /** Sends a message of the user, which also wakes an idle daemon. */
  public void userMessage(String content, Delivery mode) throws AcpException {
    runtime.notify("user_message", object().put("content", content).put("mode", mode.spelled()));
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}

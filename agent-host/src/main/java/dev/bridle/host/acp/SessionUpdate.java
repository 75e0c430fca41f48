package dev.bridle.host.acp;

import dev.bridle.host.rpc.RawJson;
import java.util.Optional;

/** What an agent reports of its session, outside of answers and questions. */
public sealed interface SessionUpdate {
  /** Whose words a chunk carries. */
  enum Voice {
    /** The agent's answer. */
    AGENT,
    /** The agent's reasoning. */
    THOUGHT,
    /** The user's own words, repeated. */
    USER
  }

  /**
   * Text that continues a message; several chunks of the agent in one.
   *
   * @param voice whose words
   * @param messageId the agent's id of the message, empty if it gives none
   * @param offset how many characters of the message came before
   * @param text what follows them
   */
  record Text(Voice voice, String messageId, long offset, String text) implements SessionUpdate {}

  /**
   * A part of a message that is no text.
   *
   * @param block the content block as it was spelled
   */
  record Content(Voice voice, String messageId, RawJson block) implements SessionUpdate {}

  /**
   * A tool call, or what is new of it.
   *
   * @param call all that is known now
   * @param first whether nothing was known before; not each agent announces its calls
   * @param statusChanged whether the status is another than before
   */
  record Tool(ToolCall call, boolean first, boolean statusChanged) implements SessionUpdate {}

  /** The plan, whole. */
  record Plan(RawJson entries) implements SessionUpdate {}

  /** The commands that the agent offers, whole. */
  record Commands(RawJson commands) implements SessionUpdate {}

  /** The mode the session is in. */
  record Mode(String modeId) implements SessionUpdate {}

  /** The options of the session, whole. */
  record ConfigOptions(RawJson options) implements SessionUpdate {}

  /**
   * How full the context is, and what the session has cost so far.
   *
   * @param used tokens in the context now, which is not consumption
   * @param size tokens that fit
   * @param cost of the session so far, where the agent reports it
   */
  record Usage(long used, long size, Optional<Cost> cost) implements SessionUpdate {}

  /** An amount of money, as it was spelled. */
  record Cost(RawJson amount, String currency) {}

  /**
   * A variant that this version does not know, such as those of vendors.
   *
   * @param variant its name
   * @param update the update as it was spelled
   */
  record Other(String variant, RawJson update) implements SessionUpdate {}
}

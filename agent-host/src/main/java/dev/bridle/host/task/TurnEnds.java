package dev.bridle.host.task;

import dev.bridle.host.acp.AcpException;
import dev.bridle.host.acp.PromptEnd;
import dev.bridle.worker.TaskFailure;

/** How a turn of an agent has ended. */
final class TurnEnds {
  private TurnEnds() {}

  /**
   * Returns how the agent ended it.
   *
   * @param keep called where the agent has answered the prompt with an error: it has the prompt
   * @throws AgentLost if there is no answer
   * @throws TurnFailed if the agent answers that it failed
   * @throws TaskFailure if a person has to log in first
   */
  static PromptEnd of(Happening.TurnOver over, Runnable keep)
      throws AgentLost, TurnFailed, TaskFailure {
    if (over.end().isPresent()) {
      return over.end().get();
    }
    Throwable failure = over.failure().orElseThrow();
    Throwable cause = failure.getCause() instanceof AcpException ? failure.getCause() : failure;
    if (cause instanceof AcpException said && said.reason() == AcpException.Reason.NO_ANSWER) {
      throw new AgentLost(said.getMessage());
    }
    if (cause instanceof AcpException said && said.reason() == AcpException.Reason.LOGIN) {
      throw failure("agent_login", "A person has to log in to the agent first: ", cause);
    }
    keep.run(); // An agent that answers has the prompt, whatever the answer says.
    throw new TurnFailed(failure("agent_error", "The agent failed: ", cause));
  }

  private static TaskFailure failure(String code, String what, Throwable cause) {
    return new TaskFailure(code, KeptText.of(what + cause.getMessage(), KeptText.MOST_FAILURE));
  }
}

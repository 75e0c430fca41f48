package dev.bridle.host.acp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.bridle.host.rpc.IncomingRequest;
import dev.bridle.host.rpc.RpcError;
import java.util.Set;

/** The requests of an agent that are questions to people. */
final class QuestionRequests {
  private static final String ELICITATION = "elicitation/create";
  private static final Set<String> METHODS = Set.of("session/request_permission", ELICITATION);

  private QuestionRequests() {}

  static boolean contain(String method) {
    return METHODS.contains(method);
  }

  /**
   * Answers what can't be asked: a page to visit, or a form outside of a session, is declined; the
   * rest is an error, which agents take for a denial.
   */
  static void refuse(IncomingRequest request) {
    if (request.method().equals(ELICITATION)) {
      request.respond(JsonNodeFactory.instance.objectNode().put("action", "decline"));
    } else {
      request.fail(
          RpcError.of(
              RpcError.INVALID_PARAMS, "sessionId must name an open session, and toolCall an id"));
    }
  }
}

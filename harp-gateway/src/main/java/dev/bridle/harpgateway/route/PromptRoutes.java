package dev.bridle.harpgateway.route;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpStatus;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.harp.error.HarpErrorCode;
import dev.bridle.harp.prompt.Prompt;
import dev.bridle.harpgateway.call.UnaryHandler;
import dev.bridle.harpgateway.envelope.HarpErrors;
import dev.bridle.relay.v1.PromptServiceGrpc;
import dev.bridle.relay.v1.SendPromptRequest;
import dev.bridle.relay.v1.SendPromptResponse;
import java.util.Set;

/** The endpoint of prompts, bare or in an envelope (HARP 0.2, "Prompt layer"). */
public final class PromptRoutes {
  private PromptRoutes() {}

  /** Adds the endpoint. */
  public static void addTo(HarpRoutes routes, CoreCalls core, Bodies bodies) {
    UnaryHandler handler =
        new UnaryHandler(
            core,
            routes.responses(),
            HttpStatus.OK,
            HarpErrors.ENVELOPE,
            (call, body) -> {
              var unused = call.takes(Set.of());
              return SendPromptRequest.newBuilder().setDocument(body).build();
            },
            response -> ((SendPromptResponse) response).getDocument());
    routes.addCommand(
        HttpMethod.POST,
        "/v1/prompt",
        PromptServiceGrpc.getSendPromptMethod(),
        handler.withBody(bodies, Prompt.MAX_BYTES, HarpErrorCode.PROMPT_TOO_LARGE));
  }
}

package dev.bridle.harpgateway.route;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import dev.bridle.gateway.kit.route.CallHandler;
import dev.bridle.harpgateway.call.HarpCall;
import java.util.Set;

/** Says what this gateway speaks (HARP 0.2, "Compliance"). Open, so that a new client can ask. */
final class StatusHandler implements CallHandler<HarpCall> {
  private final String declaration;

  StatusHandler(boolean tls) {
    ObjectNode said = new ObjectMapper().createObjectNode();
    said.put("harpVersion", "0.2").put("conformanceLevel", "gateway");
    said.putArray("algorithms")
        .add("SHA-256")
        .add("Ed25519")
        .add("X25519+HKDF-SHA256")
        .add("XChaCha20-Poly1305");
    said.putArray("layers").add("prompt").add("session");
    said.putArray("transport").add(tls ? "https" : "http").add("sse").add("websocket");
    this.declaration = said.put("mTLS", false).toString();
  }

  @Override
  public HttpResponse serve(HarpCall call) {
    var unused = call.takes(Set.of());
    return HttpResponse.of(HttpStatus.OK, MediaType.JSON, declaration);
  }
}

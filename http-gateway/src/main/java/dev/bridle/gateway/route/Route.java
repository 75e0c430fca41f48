package dev.bridle.gateway.route;

import com.google.protobuf.Descriptors;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpMethod;
import dev.bridle.api.v1.MethodRule;
import dev.bridle.gateway.kit.call.Target;
import dev.bridle.gateway.kit.route.PathTemplate;

/**
 * One operation of the public interface.
 *
 * @param httpMethod the HTTP method
 * @param path the path
 * @param hasBody whether the HTTP request's JSON body is the message
 * @param rule the method's requirements and response options
 * @param descriptor the rpc, with its options
 * @param target the rpc, as it is called
 * @param request an empty request message
 * @param response an empty response message
 */
public record Route(
    HttpMethod httpMethod,
    PathTemplate path,
    boolean hasBody,
    MethodRule rule,
    Descriptors.MethodDescriptor descriptor,
    Target target,
    Message request,
    Message response) {

  /** Returns the operation as frames of a WebSocket call it. */
  public Route ofFrames() {
    return new Route(
        httpMethod, path, hasBody, rule, descriptor, target.ofFrames(), request, response);
  }

  /** Returns the HTTP status of success. */
  public int status() {
    return rule.getStatus() == 0 ? 200 : rule.getStatus();
  }
}

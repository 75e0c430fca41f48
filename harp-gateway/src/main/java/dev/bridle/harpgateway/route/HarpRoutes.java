package dev.bridle.harpgateway.route;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpMethod;
import dev.bridle.discovery.v1.DiscoveryServiceGrpc;
import dev.bridle.gateway.kit.call.Bodies;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.Target;
import dev.bridle.gateway.kit.route.BodilessHandler;
import dev.bridle.gateway.kit.route.CallHandler;
import dev.bridle.gateway.kit.route.PathTemplate;
import dev.bridle.gateway.kit.route.PathTree;
import dev.bridle.gateway.kit.stream.WholeResponses;
import dev.bridle.harpgateway.call.HarpCall;
import dev.bridle.harpgateway.call.HarpRoute;
import io.grpc.MethodDescriptor;

/** The endpoints of HARP's HTTP binding that this gateway serves (HARP 0.2, "HTTP binding"). */
public final class HarpRoutes {
  private final PathTree<HarpRoute> paths = new PathTree<>();
  private final CoreCalls core;
  private final Bodies bodies;
  private final WholeResponses responses;

  /**
   * Creates the list with the gateway's declaration and its health in it.
   *
   * @param tls whether the listener speaks TLS, for the declaration
   * @param core is asked for the health
   * @param bodies reads bodies where none is taken, to reject them
   * @param responses makes the responses of handlers
   */
  public HarpRoutes(boolean tls, CoreCalls core, Bodies bodies, WholeResponses responses) {
    this.core = core;
    this.bodies = bodies;
    this.responses = responses;
    addOpen(
        HttpMethod.GET,
        "/v1/status",
        DiscoveryServiceGrpc.getGetServerIndexMethod(),
        new StatusHandler(tls));
    addOpen(
        HttpMethod.GET,
        "/health",
        DiscoveryServiceGrpc.getGetHealthMethod(),
        new HealthHandler(core));
  }

  WholeResponses responses() {
    return responses;
  }

  /** Returns the endpoints by their paths. */
  public PathTree<HarpRoute> paths() {
    return paths;
  }

  /**
   * Adds an endpoint that needs credentials.
   *
   * @param served the method of the core that serves it
   */
  void add(
      HttpMethod method,
      String path,
      MethodDescriptor<?, ?> served,
      CallHandler<HarpCall> handler) {
    put(method, path, route(method, target(served, false, path), handler));
  }

  /** Adds a {@code POST} that needs credentials and takes no body. */
  void addBodilessPost(String path, MethodDescriptor<?, ?> served, CallHandler<HarpCall> handler) {
    put(
        HttpMethod.POST,
        path,
        new HarpRoute(target(served, false, path), false, withoutBody(handler)));
  }

  /** Adds an endpoint that needs no credentials. */
  void addOpen(
      HttpMethod method,
      String path,
      MethodDescriptor<?, ?> served,
      CallHandler<HarpCall> handler) {
    put(method, path, route(method, target(served, true, path), handler));
  }

  /** Adds an endpoint that needs credentials, and takes an idempotency key. */
  void addCommand(
      HttpMethod method,
      String path,
      MethodDescriptor<?, ?> served,
      CallHandler<HarpCall> handler) {
    put(method, path, route(method, target(served, false, true, path), handler));
  }

  /**
   * Adds an endpoint that needs no credentials, and that a client may repeat with the same
   * idempotency key.
   */
  void addOpenCommand(
      HttpMethod method,
      String path,
      MethodDescriptor<?, ?> served,
      CallHandler<HarpCall> handler) {
    put(method, path, route(method, target(served, true, true, path), handler));
  }

  /** Adds a WebSocket, which needs credentials. */
  void addSocket(String path, MethodDescriptor<?, ?> served, CallHandler<HarpCall> handler) {
    put(HttpMethod.GET, path, new HarpRoute(target(served, false, path), true, handler));
  }

  /** Only a {@code POST} takes a body. */
  private HarpRoute route(HttpMethod method, Target target, CallHandler<HarpCall> handler) {
    return new HarpRoute(target, false, method == HttpMethod.POST ? handler : withoutBody(handler));
  }

  private CallHandler<HarpCall> withoutBody(CallHandler<HarpCall> handler) {
    return new BodilessHandler<>(handler, core, bodies);
  }

  private void put(HttpMethod method, String path, HarpRoute route) {
    if (paths.add(method, PathTemplate.parse(path), route).isPresent()) {
      throw new IllegalStateException(method + " " + path + " is served twice");
    }
  }

  static Target target(MethodDescriptor<?, ?> method, boolean open, String label) {
    return target(method, open, false, label);
  }

  @SuppressWarnings("unchecked") // Each message of the contract is a Message.
  private static Target target(
      MethodDescriptor<?, ?> method, boolean open, boolean command, String label) {
    return new Target((MethodDescriptor<Message, Message>) method, open, command, label);
  }
}

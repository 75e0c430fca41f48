package dev.bridle.harpgateway.route;

import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpMethod;
import dev.bridle.discovery.v1.DiscoveryServiceGrpc;
import dev.bridle.gateway.kit.call.CoreCalls;
import dev.bridle.gateway.kit.call.Target;
import dev.bridle.gateway.kit.route.CallHandler;
import dev.bridle.gateway.kit.route.PathTemplate;
import dev.bridle.gateway.kit.route.PathTree;
import dev.bridle.harpgateway.call.HarpCall;
import dev.bridle.harpgateway.call.HarpRoute;
import io.grpc.MethodDescriptor;

/** The endpoints of HARP's HTTP binding that this gateway serves (HARP 0.2, "HTTP binding"). */
public final class HarpRoutes {
  private final PathTree<HarpRoute> paths = new PathTree<>();

  /**
   * Creates the list with the gateway's declaration and its health in it.
   *
   * @param tls whether the listener speaks TLS, for the declaration
   * @param core is asked for the health
   */
  public HarpRoutes(boolean tls, CoreCalls core) {
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

  /** Returns the endpoints by their paths. */
  public PathTree<HarpRoute> paths() {
    return paths;
  }

  /**
   * Adds an endpoint that needs credentials.
   *
   * @param core the method of the core that serves it
   */
  void add(
      HttpMethod method, String path, MethodDescriptor<?, ?> core, CallHandler<HarpCall> handler) {
    put(method, path, new HarpRoute(target(core, false, path), false, handler));
  }

  /** Adds an endpoint that needs no credentials. */
  void addOpen(
      HttpMethod method, String path, MethodDescriptor<?, ?> core, CallHandler<HarpCall> handler) {
    put(method, path, new HarpRoute(target(core, true, path), false, handler));
  }

  /** Adds an endpoint that needs credentials, and takes an idempotency key. */
  void addCommand(
      HttpMethod method, String path, MethodDescriptor<?, ?> core, CallHandler<HarpCall> handler) {
    put(method, path, new HarpRoute(target(core, false, true, path), false, handler));
  }

  /**
   * Adds an endpoint that needs no credentials, and that a client may repeat with the same
   * idempotency key.
   */
  void addOpenCommand(
      HttpMethod method, String path, MethodDescriptor<?, ?> core, CallHandler<HarpCall> handler) {
    put(method, path, new HarpRoute(target(core, true, true, path), false, handler));
  }

  /** Adds a WebSocket, which needs credentials. */
  void addSocket(String path, MethodDescriptor<?, ?> core, CallHandler<HarpCall> handler) {
    put(HttpMethod.GET, path, new HarpRoute(target(core, false, path), true, handler));
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

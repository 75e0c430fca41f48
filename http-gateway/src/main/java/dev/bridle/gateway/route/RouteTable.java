package dev.bridle.gateway.route;

import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import com.google.protobuf.Descriptors;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpMethod;
import dev.bridle.api.v1.MethodRule;
import dev.bridle.api.v1.Options;
import dev.bridle.gateway.kit.call.Target;
import dev.bridle.gateway.kit.route.PathTemplate;
import dev.bridle.gateway.kit.route.PathTree;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServiceDescriptor;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** All operations of the public interface: every rpc with a {@code google.api.http} option. */
public final class RouteTable {

  private final List<Route> routes = new ArrayList<>();
  private final PathTree<Route> paths = new PathTree<>();

  private RouteTable() {}

  /**
   * Creates the table from the options of these services.
   *
   * @throws IllegalArgumentException if two rpcs have the same method and path, or an option is not
   *     supported
   */
  public static RouteTable of(Collection<ServiceDescriptor> services) {
    RouteTable table = new RouteTable();
    for (ServiceDescriptor service : services) {
      for (MethodDescriptor<?, ?> method : service.getMethods()) {
        Descriptors.MethodDescriptor descriptor =
            ((ProtoMethodDescriptorSupplier) method.getSchemaDescriptor()).getMethodDescriptor();
        if (descriptor.getOptions().hasExtension(AnnotationsProto.http)) {
          table.add(route(descriptor, method));
        }
      }
    }
    return table;
  }

  /** Returns all routes in the order of the services. */
  public List<Route> routes() {
    return List.copyOf(routes);
  }

  /** Returns all routes by their paths. */
  public PathTree<Route> paths() {
    return paths;
  }

  private void add(Route route) {
    routes.add(route);
    paths
        .add(route.httpMethod(), route.path(), route)
        .ifPresent(
            other -> {
              throw new IllegalArgumentException(
                  route.descriptor().getFullName()
                      + " and "
                      + other.descriptor().getFullName()
                      + " both have "
                      + route.httpMethod()
                      + " "
                      + route.path().text()
                      + ".");
            });
  }

  @SuppressWarnings("unchecked")
  private static Route route(
      Descriptors.MethodDescriptor descriptor, MethodDescriptor<?, ?> method) {
    HttpRule http = descriptor.getOptions().getExtension(AnnotationsProto.http);
    MethodRule rule = descriptor.getOptions().getExtension(Options.method);
    PathTemplate path = PathTemplate.parse(path(http, descriptor));
    if (!http.getBody().isEmpty() && !http.getBody().equals("*")) {
      throw new IllegalArgumentException(
          descriptor.getFullName()
              + " has the body \""
              + http.getBody()
              + "\"; expected \"*\" or none.");
    }
    for (String variable : path.variables()) {
      if (descriptor.getInputType().findFieldByName(variable) == null) {
        throw new IllegalArgumentException(
            descriptor.getFullName()
                + " has the path variable \""
                + variable
                + "\", which is not a field of its request.");
      }
    }
    return new Route(
        HttpMethod.valueOf(http.getPatternCase().name()),
        path,
        http.getBody().equals("*"),
        rule,
        descriptor,
        new Target(
            (MethodDescriptor<Message, Message>) method,
            rule.getOpen(),
            rule.getCommand(),
            path.text()),
        prototype(method.getRequestMarshaller()),
        prototype(method.getResponseMarshaller()));
  }

  private static String path(HttpRule http, Descriptors.MethodDescriptor descriptor) {
    return switch (http.getPatternCase()) {
      case GET -> http.getGet();
      case PUT -> http.getPut();
      case POST -> http.getPost();
      case DELETE -> http.getDelete();
      case PATCH -> http.getPatch();
      default ->
          throw new IllegalArgumentException(
              descriptor.getFullName()
                  + " has an http option without a method; expected get, put, post, delete or"
                  + " patch.");
    };
  }

  private static Message prototype(MethodDescriptor.Marshaller<?> marshaller) {
    return (Message) ((PrototypeMarshaller<?>) marshaller).getMessagePrototype();
  }
}

package dev.bridle.gateway.call;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.FieldMask;
import dev.bridle.api.v1.Delivery;
import dev.bridle.gateway.route.Route;
import dev.bridle.json.FieldPlan;
import dev.bridle.json.FieldPlan.Shape;
import dev.bridle.json.MessagePlan;
import dev.bridle.json.MessagePlans;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Maps each field of a route's request message to its source. Created once per route. */
public final class RequestPlan {

  private static final String PUBLIC_URL = "public_url";

  private static final String HEADERS = "headers";

  private final MessagePlan message;
  private final MessagePlan resource;
  private final boolean rejectsUnknown;
  private final boolean takesBody;
  private final List<FieldPlan> path = new ArrayList<>();
  private final Map<String, FieldPlan> query = new LinkedHashMap<>();
  private final Map<String, FieldPlan> headers = new LinkedHashMap<>();
  private final List<FieldPlan> body = new ArrayList<>();
  private Optional<FieldDescriptor> mask = Optional.empty();
  private Optional<FieldDescriptor> publicUrl = Optional.empty();
  private Optional<FieldDescriptor> data = Optional.empty();
  private Optional<FieldDescriptor> requestHeaders = Optional.empty();

  /** Creates the plan from the fields of a route's request. */
  public RequestPlan(Route route, MessagePlans plans) {
    this.message = plans.of(route.request().getDescriptorForType());
    this.resource = plans.of(route.response().getDescriptorForType());
    this.rejectsUnknown = rejectsUnknown(route.rule().getDelivery());
    this.takesBody = route.hasBody();
    for (String variable : route.path().variables()) {
      path.add(
          message.fields().stream()
              .filter(field -> field.descriptor().getName().equals(variable))
              .findFirst()
              .orElseThrow());
    }
    for (FieldPlan field : message.fields()) {
      if (!path.contains(field)) {
        sort(field, route.hasBody());
      }
    }
  }

  private void sort(FieldPlan field, boolean hasBody) {
    FieldDescriptor descriptor = field.descriptor();
    if (field.rule().getHidden()) {
      if (field.shape() == Shape.MESSAGE
          && descriptor
              .getMessageType()
              .getFullName()
              .equals(FieldMask.getDescriptor().getFullName())) {
        mask = Optional.of(descriptor);
      } else if (descriptor.getName().equals(PUBLIC_URL)) {
        publicUrl = Optional.of(descriptor);
      } else if (descriptor.getName().equals(HEADERS)) {
        requestHeaders = Optional.of(descriptor);
      }
    } else if (!field.rule().getHeader().isEmpty()) {
      headers.put(field.rule().getHeader(), field);
    } else if (hasBody) {
      body.add(field);
      if (field.rule().getQuery()) {
        query.put(descriptor.getName(), field);
      }
    } else if (field.shape() == Shape.BASE64) {
      data = Optional.of(descriptor);
    } else if (!descriptor.isRepeated() && field.shape() != Shape.MESSAGE) {
      query.put(descriptor.getName(), field);
    }
  }

  /**
   * Libraries add parameters to the URLs of streams, and other sites to those of pages. The others
   * take bytes or forms of foreign programs, which other specifications describe.
   */
  private static boolean rejectsUnknown(Delivery delivery) {
    return switch (delivery) {
      case DELIVERY_EVENT_STREAM,
          DELIVERY_PAGE,
          DELIVERY_UPLOAD,
          DELIVERY_INGRESS,
          DELIVERY_TOKEN ->
          false;
      default -> true;
    };
  }

  /** Returns whether unknown members and query parameters are rejected. */
  public boolean rejectsUnknown() {
    return rejectsUnknown;
  }

  /** Returns whether the operation takes a JSON body, whose members it knows. */
  boolean takesBody() {
    return takesBody;
  }

  /** Returns whether the response has a member of that name. */
  boolean isResourceMember(String name) {
    return resource.isConstant(name) || resource.field(name).isPresent();
  }

  /** Returns the plan of the request message. */
  public MessagePlan message() {
    return message;
  }

  /** Returns the fields of the path variables, from left to right. */
  public List<FieldPlan> path() {
    return path;
  }

  /** Returns the fields of query parameters, by name. */
  public Map<String, FieldPlan> query() {
    return query;
  }

  /** Returns the fields of headers, by name. */
  public Map<String, FieldPlan> headers() {
    return headers;
  }

  /** Returns the fields of the JSON body. */
  public List<FieldPlan> body() {
    return body;
  }

  /** Returns the field that lists the members present in the body (the update mask). */
  public Optional<FieldDescriptor> mask() {
    return mask;
  }

  /** Returns the field for the gateway's public URL. */
  public Optional<FieldDescriptor> publicUrl() {
    return publicUrl;
  }

  /** Returns the field for all headers of the request. */
  public Optional<FieldDescriptor> requestHeaders() {
    return requestHeaders;
  }

  /** Returns the field for the bytes of a body that is not JSON. */
  public Optional<FieldDescriptor> data() {
    return data;
  }
}

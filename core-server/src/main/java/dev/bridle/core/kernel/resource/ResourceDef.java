package dev.bridle.core.kernel.resource;

import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.record.RecordDef;
import io.grpc.ServiceDescriptor;
import java.util.Map;
import java.util.function.Function;

/**
 * The definition of a resource that clients create, get, list, update or delete. {@link
 * ResourceService} serves it: a new resource needs its service in the contract, its definition, and
 * rules where it has some.
 *
 * @param record how it is stored
 * @param service its service; its methods begin with {@code Create}, {@code Get}, {@code List},
 *     {@code Update} or {@code Delete}, or are among {@code actions}
 * @param prototype the resource
 * @param resource returns the resource of a record
 * @param rules what is particular to it
 * @param actions methods that change the state of one resource, by their names
 * @param <M> the record
 * @param <R> the resource
 */
public record ResourceDef<M extends MessageLite, R extends Message>(
    RecordDef<M> record,
    ServiceDescriptor service,
    R prototype,
    Function<M, R> resource,
    ResourceRules<M, R> rules,
    Map<String, ResourceAction<M>> actions) {

  /** Copies the actions. */
  public ResourceDef {
    actions = Map.copyOf(actions);
  }

  /** Defines a resource that is stored as it is. */
  public static <R extends Message> ResourceDef<R, R> of(
      RecordDef<R> record, ServiceDescriptor service, R prototype, ResourceRules<R, R> rules) {
    return new ResourceDef<>(record, service, prototype, stored -> stored, rules, Map.of());
  }

  /** Returns the kind of event of a resource that was created, updated or deleted. */
  String event(String change) {
    return EventKinds.ofResource(record.name(), change);
  }
}

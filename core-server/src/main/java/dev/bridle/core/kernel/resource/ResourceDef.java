package dev.bridle.core.kernel.resource;

import com.google.protobuf.Descriptors.FieldDescriptor;
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
 *     {@code Update} or {@code Delete}, or are among {@code actions} or {@code calls}
 * @param prototype the resource
 * @param resource returns the resource of a record
 * @param rules what is particular to it
 * @param actions methods that change the state of one resource, by their names
 * @param calls methods that are served by code of their own
 * @param <M> the record
 * @param <R> the resource
 */
public record ResourceDef<M extends MessageLite, R extends Message>(
    RecordDef<M> record,
    ServiceDescriptor service,
    R prototype,
    Function<M, R> resource,
    ResourceRules<M, R> rules,
    Map<String, ResourceAction<M>> actions,
    SpecialCalls calls) {

  /** Copies the actions. */
  public ResourceDef {
    actions = Map.copyOf(actions);
  }

  /** Defines a resource that is stored as it is. */
  public static <R extends Message> ResourceDef<R, R> of(
      RecordDef<R> record, ServiceDescriptor service, R prototype, ResourceRules<R, R> rules) {
    return of(record, service, prototype, stored -> stored, rules);
  }

  /** Defines a resource that is stored with what only the server knows of it. */
  public static <M extends MessageLite, R extends Message> ResourceDef<M, R> of(
      RecordDef<M> record,
      ServiceDescriptor service,
      R prototype,
      Function<M, R> resource,
      ResourceRules<M, R> rules) {
    return new ResourceDef<>(
        record, service, prototype, resource, rules, Map.of(), new SpecialCalls());
  }

  /** Returns the definition with methods that change the state of one resource. */
  public ResourceDef<M, R> with(Map<String, ResourceAction<M>> stateActions) {
    return new ResourceDef<>(record, service, prototype, resource, rules, stateActions, calls);
  }

  /** Returns the definition with methods that are served by code of their own. */
  public ResourceDef<M, R> with(SpecialCalls others) {
    return new ResourceDef<>(record, service, prototype, resource, rules, actions, others);
  }

  /** Returns the member that has the id of a resource. */
  FieldDescriptor id() {
    return prototype.getDescriptorForType().findFieldByName("id");
  }

  /** Returns the kind of event of a resource that was created, updated or deleted. */
  String event(String change) {
    return EventKinds.ofResource(record.name(), change);
  }
}

package dev.bridle.core.kernel.resource;

import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.record.RecordDef;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Makes and changes resources that all workspaces of a tenant share, and tells it as events of
 * theirs. Only a caller that reaches the whole tenant may.
 *
 * @param <M> the resource
 */
public final class TenantResources<M extends Message> {
  private final Commands commands;
  private final TenantRecords<M> records;
  private final Events events;
  private final RecordDef<M> kind;
  private final M prototype;
  private final Told told;

  /**
   * The events that tell it.
   *
   * @param made the kind of event for a new resource
   * @param changed the kind of event for a changed one
   */
  public record Told(String made, String changed) {}

  /** Makes and changes resources of {@code kind}, which {@code records} keeps. */
  public TenantResources(
      Commands commands,
      TenantRecords<M> records,
      Events events,
      RecordDef<M> kind,
      M prototype,
      Told told) {
    this.commands = commands;
    this.records = records;
    this.events = events;
    this.kind = kind;
    this.prototype = prototype;
    this.told = told;
  }

  /** Makes a resource as {@code work} says, which stores it by {@link #insert}. */
  public M make(Message request, Function<Write, M> work) {
    Caller.current().needWholeTenant();
    return commands.run(request, "", write -> "", work, prototype);
  }

  /** Stores a new resource and tells it. */
  public M insert(Write write, M made) {
    records.insert(write, made);
    tell(write, made, told.made(), Members.told(made));
    return made;
  }

  /** Changes a resource as {@code work} says. */
  public M change(Message request, String id, BiFunction<Write, M, M> work) {
    Caller caller = Caller.current();
    caller.needWholeTenant();
    return commands.run(
        request,
        id,
        write -> {
          var unused = records.need(write.tr(), caller, id);
          return "";
        },
        write -> work.apply(write, records.need(write.tr(), caller, id)),
        prototype);
  }

  /** Changes the members that a mask names, and tells those; as it was where nothing changes. */
  public M update(Write write, M before, Message request, FieldMask mask) {
    return update(write, before, before, request, mask);
  }

  /**
   * Changes the members that a mask names, and tells those; as it was where nothing changes.
   *
   * @param stored the resource as it is stored
   * @param before the same with what time has done to it
   */
  public M update(Write write, M stored, M before, Message request, FieldMask mask) {
    return Members.changed(write, before, request, mask)
        .map(
            change -> {
              records.update(write, stored, change.resource());
              tell(write, change.resource(), told.changed(), change.told());
              return change.resource();
            })
        .orElse(stored);
  }

  private void tell(Write write, M resource, String event, Payload facts) {
    events.ofTenant(
        write, kind.name(), kind.idOf(resource).orElseThrow(), EventDraft.of(event, facts));
  }
}

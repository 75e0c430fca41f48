package dev.bridle.core.kernel.resource;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.FieldMask;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.resource.ResourceAction.Change;
import dev.bridle.storage.ReadTransaction;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Serves the methods of a resource from its definition: each is a command or a read as all
 * resources have it, with the resource's own rules inside.
 *
 * @param <M> the record
 * @param <R> the resource
 */
public final class ResourceService<M extends MessageLite, R extends Message>
    implements BindableService {
  private final CoreContext context;
  private final ResourceDef<M, R> def;
  private final ResourceRules<M, R> rules;
  private final TenantRecords<M> records;

  /** Serves a resource over a core's storage. */
  public ResourceService(CoreContext context, ResourceDef<M, R> def) {
    this(context, def, new TenantRecords<>(context.layout(), def.record()));
  }

  /** Serves a resource whose store keeps more than its records. */
  public ResourceService(CoreContext context, ResourceDef<M, R> def, TenantRecords<M> records) {
    this.context = context;
    this.def = def;
    this.rules = def.rules();
    this.records = records;
  }

  @Override
  public ServerServiceDefinition bindService() {
    ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(def.service());
    def.service().getMethods().forEach(method -> bind(service, method));
    return service.build();
  }

  @SuppressWarnings("unchecked") // A method's own marshallers make what its handler is given.
  private void bind(ServerServiceDefinition.Builder service, MethodDescriptor<?, ?> method) {
    UnaryOperator<Message> handler = handler(method);
    service.addMethod(
        (MethodDescriptor<Message, Message>) method,
        ServerCalls.asyncUnaryCall(
            (request, response) -> Replies.send(response, handler.apply(request))));
  }

  private UnaryOperator<Message> handler(MethodDescriptor<?, ?> method) {
    String name = method.getBareMethodName();
    ResourceAction<M> action = def.actions().get(name);
    return action != null
        ? request -> act(request, action)
        : def.calls().find(name).orElseGet(() -> handler(name, answer(method)));
  }

  private UnaryOperator<Message> handler(String name, Message answer) {
    if (name.startsWith("Create")) {
      return this::create;
    } else if (name.startsWith("Get")) {
      return this::get;
    } else if (name.startsWith("List")) {
      return request -> list(request, answer);
    } else if (name.startsWith("Update") && rules instanceof UpdateRules<M, R> updates) {
      return request -> update(request, updates);
    } else if (name.startsWith("Delete") && rules instanceof DeleteRules<M, R> deletions) {
      return request -> delete(request, deletions, answer);
    }
    throw new IllegalArgumentException(
        "The definition of " + def.record() + " does not say what " + name + " does");
  }

  private static Message answer(MethodDescriptor<?, ?> method) {
    return (Message)
        ((MethodDescriptor.PrototypeMarshaller<?>) method.getResponseMarshaller())
            .getMessagePrototype();
  }

  private Message list(Message request, Message answer) {
    Caller caller = Caller.current();
    long now = context.clock().millis();
    return context.store().read(tr -> list(tr, caller, request, answer.newBuilderForType(), now));
  }

  private Message list(
      ReadTransaction tr, Caller caller, Message request, Message.Builder answer, long now) {
    Optional<Pages.Ask> ask = rules.list(tr, caller, request);
    var visible = rules.visible(tr, caller);
    Pages.Page<M> page =
        ask.map(
                of ->
                    context
                        .pages()
                        .read(
                            tr,
                            records.records(),
                            of,
                            record -> lives(record, now) && visible.test(record)))
            .orElseGet(Pages.Page::none);
    FieldDescriptor rows = answer.getDescriptorForType().findFieldByName("data");
    page.rows()
        .forEach(
            record ->
                answer.addRepeatedField(
                    rows, rules.listed(shown(tr, caller.tenant(), record, now))));
    return answer
        .setField(answer.getDescriptorForType().findFieldByName("page"), page.info())
        .build();
  }

  private Message get(Message request) {
    Caller caller = Caller.current();
    long now = context.clock().millis();
    return context
        .store()
        .read(tr -> shown(tr, caller.tenant(), living(tr, caller, id(request), now), now));
  }

  private Message create(Message request) {
    Caller caller = Caller.current();
    rules.admit(caller);
    R made =
        context
            .commands()
            .run(
                request,
                "",
                write -> rules.workspaceOfNew(write.tr(), caller, request),
                write -> create(write, caller, request),
                rules::kept,
                def.prototype());
    rules.committed(caller, (String) made.getField(def.id()));
    return made;
  }

  /**
   * Creates a resource in the transaction of another command.
   *
   * @param caller for whom, whose rights were checked
   * @param request the request that would create it
   */
  public R create(Write write, Caller caller, Message request) {
    R resource = Members.create(write, write.id(def.record().name()), request, def.prototype());
    M record = rules.create(write, caller, request, resource);
    records.insert(write, record);
    emit(write, record, "created", rules.created(def.resource().apply(record)));
    return shown(write, record);
  }

  private Message update(Message request, UpdateRules<M, R> updates) {
    Caller caller = Caller.current();
    rules.admit(caller);
    Message applied = updates.applied(request);
    return change(request, (write, before) -> update(write, caller, before, applied, updates));
  }

  private R update(
      Write write, Caller caller, M before, Message request, UpdateRules<M, R> updates) {
    updates.checkUpdate(write, caller, before, request);
    R current = updates.current(write, before, def.resource().apply(before));
    M after =
        Members.applyMask(write, current, request, mask(request))
            .map(
                change -> {
                  M changed = updates.update(write, caller, before, change.resource());
                  Payload facts = updates.updatedFacts(write, before, request, change);
                  store(write, before, changed, facts);
                  return changed;
                })
            .orElse(before);
    updates.updated(write, after);
    return shown(write, after);
  }

  private Message act(Message request, ResourceAction<M> action) {
    action.admit(Caller.current());
    return change(
        request,
        (write, before) -> {
          Optional<Change<M>> change = action.apply(write, before, request);
          change.ifPresent(to -> store(write, before, to.after(), to.facts()));
          return shown(write, change.map(Change::after).orElse(before));
        });
  }

  private Message delete(Message request, DeleteRules<M, R> deletions, Message answer) {
    Caller caller = Caller.current();
    return run(
        request,
        answer,
        UnaryOperator.identity(),
        write -> {
          M before = ever(write.tr(), caller, id(request));
          if (rules.deleted(before)) {
            deletions.deleteAgain(caller, before, absent(id(request)));
            return answer;
          }
          records.update(write, before, deletions.delete(write, caller, before));
          emit(write, before, "deleted", deletions.deletedFacts(def.resource().apply(before)));
          return answer;
        });
  }

  /** Changes a resource that is there. */
  private R change(Message request, BiFunction<Write, M, R> work) {
    Caller caller = Caller.current();
    return run(
        request,
        def.prototype(),
        rules::kept,
        write -> work.apply(write, living(write.tr(), caller, id(request), write.nowMillis())));
  }

  /** Runs a command on a resource, which may be deleted by now where the command is repeated. */
  private <T extends Message> T run(
      Message request, T prototype, UnaryOperator<T> kept, Function<Write, T> work) {
    Caller caller = Caller.current();
    String id = id(request);
    T answer =
        context
            .commands()
            .run(
                request,
                id,
                write -> rules.workspaceOf(ever(write.tr(), caller, id)),
                work,
                kept,
                prototype);
    rules.committed(caller, id);
    return answer;
  }

  private M ever(ReadTransaction tr, Caller caller, String id) {
    return records
        .find(tr, caller, id)
        .filter(rules.visible(tr, caller))
        .orElseThrow(() -> absent(id));
  }

  private M living(ReadTransaction tr, Caller caller, String id, long now) {
    M record = ever(tr, caller, id);
    if (!lives(record, now)) {
      throw absent(id);
    }
    return record;
  }

  private boolean lives(M record, long now) {
    return !rules.deleted(record) && rules.lives(record, now);
  }

  private ProtocolException absent(String id) {
    return ProtocolException.notFound(def.record().name(), id);
  }

  private void store(Write write, M before, M after, Payload facts) {
    records.update(write, before, after);
    emit(write, after, "updated", facts);
  }

  private void emit(Write write, M record, String change, Payload facts) {
    String id = def.record().idOf(record).orElseThrow();
    EventDraft draft = EventDraft.of(def.event(change), facts);
    context.events().ofResource(write, rules.workspaceOf(record), def.record().name(), id, draft);
  }

  private R shown(Write write, M record) {
    return shown(write.tr(), write.tenant(), record, write.nowMillis());
  }

  private R shown(ReadTransaction tr, String tenant, M record, long now) {
    return rules.shown(tr, tenant, record, def.resource().apply(record), now);
  }

  private String id(Message request) {
    String member = def.record().name() + "_id";
    return (String) request.getField(request.getDescriptorForType().findFieldByName(member));
  }

  private static FieldMask mask(Message request) {
    return (FieldMask)
        request.getField(request.getDescriptorForType().findFieldByName("update_mask"));
  }
}

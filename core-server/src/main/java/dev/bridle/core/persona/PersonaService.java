package dev.bridle.core.persona;

import dev.bridle.core.auth.Caller;
import dev.bridle.core.command.Commands;
import dev.bridle.core.command.Replies;
import dev.bridle.core.command.Write;
import dev.bridle.core.event.EventDraft;
import dev.bridle.core.event.EventKinds;
import dev.bridle.core.event.Events;
import dev.bridle.core.page.Pages;
import dev.bridle.core.quota.QuotaStore;
import dev.bridle.core.record.RecordKind;
import dev.bridle.core.resource.Members;
import dev.bridle.core.resource.TenantRecords;
import dev.bridle.persona.v1.CreatePersonaRequest;
import dev.bridle.persona.v1.GetPersonaRequest;
import dev.bridle.persona.v1.ListPersonasRequest;
import dev.bridle.persona.v1.ListPersonasResponse;
import dev.bridle.persona.v1.Persona;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.persona.v1.UpdatePersonaRequest;
import dev.bridle.quota.v1.QuotaScope;
import dev.bridle.storage.KeyValueStore;
import io.grpc.stub.StreamObserver;

/** Personas (protocol section "Persona"). */
public final class PersonaService extends PersonaServiceGrpc.PersonaServiceImplBase {
  private final KeyValueStore store;
  private final Commands commands;
  private final TenantRecords<Persona> personas;
  private final QuotaStore quotas;
  private final Events events;
  private final Pages pages;

  public PersonaService(
      KeyValueStore store,
      Commands commands,
      TenantRecords<Persona> personas,
      QuotaStore quotas,
      Events events,
      Pages pages) {
    this.store = store;
    this.commands = commands;
    this.personas = personas;
    this.quotas = quotas;
    this.events = events;
    this.pages = pages;
  }

  @Override
  public void listPersonas(
      ListPersonasRequest request, StreamObserver<ListPersonasResponse> response) {
    Pages.Page<Persona> page =
        store.read(
            tr ->
                pages.read(
                    tr,
                    personas.records(),
                    Pages.Ask.of(request, RecordKind.ALL, "", true),
                    persona -> true));
    Replies.send(
        response,
        ListPersonasResponse.newBuilder().addAllData(page.rows()).setPage(page.info()).build());
  }

  @Override
  public void createPersona(CreatePersonaRequest request, StreamObserver<Persona> response) {
    Caller.current().needWholeTenant();
    Persona made =
        commands.run(
            request,
            "",
            write -> "",
            write -> create(write, request),
            Persona.getDefaultInstance());
    Replies.send(response, made);
  }

  private Persona create(Write write, CreatePersonaRequest request) {
    checkQuota(write, request.getQuotaId());
    Persona persona =
        Members.made(write, write.id("persona"), request, Persona.getDefaultInstance());
    personas.insert(write, persona);
    events.ofTenant(
        write,
        RecordKind.PERSONA.name(),
        persona.getId(),
        EventDraft.of(EventKinds.PERSONA_CREATED, Members.told(persona)));
    return persona;
  }

  @Override
  public void getPersona(GetPersonaRequest request, StreamObserver<Persona> response) {
    Caller caller = Caller.current();
    Replies.send(response, store.read(tr -> personas.need(tr, caller, request.getPersonaId())));
  }

  @Override
  public void updatePersona(UpdatePersonaRequest request, StreamObserver<Persona> response) {
    Caller caller = Caller.current();
    caller.needWholeTenant();
    String id = request.getPersonaId();
    Persona changed =
        commands.run(
            request,
            id,
            write -> {
              var unused = personas.need(write.tr(), caller, id);
              return "";
            },
            write -> update(write, personas.need(write.tr(), caller, id), request),
            Persona.getDefaultInstance());
    Replies.send(response, changed);
  }

  private Persona update(Write write, Persona before, UpdatePersonaRequest request) {
    checkQuota(write, request.getQuotaId());
    return Members.changed(write, before, request, request.getUpdateMask())
        .map(change -> changed(write, before, change))
        .orElse(before);
  }

  private Persona changed(Write write, Persona before, Members.Change<Persona> change) {
    personas.update(write, before, change.resource());
    events.ofTenant(
        write,
        RecordKind.PERSONA.name(),
        before.getId(),
        EventDraft.of(EventKinds.PERSONA_UPDATED, change.told()));
    return change.resource();
  }

  private void checkQuota(Write write, String id) {
    if (!id.isEmpty()) {
      quotas.needBinding(write.tr(), Caller.current(), id, QuotaScope.QUOTA_SCOPE_PERSONA);
    }
  }
}

package dev.bridle.core.work.persona;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.resource.Members;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.kernel.resource.TenantResources;
import dev.bridle.core.work.quota.QuotaStore;
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
  private final TenantRecords<Persona> personas;
  private final TenantResources<Persona> resources;
  private final QuotaStore quotas;
  private final Pages pages;

  public PersonaService(
      KeyValueStore store,
      Commands commands,
      TenantRecords<Persona> personas,
      QuotaStore quotas,
      Events events,
      Pages pages) {
    this.store = store;
    this.personas = personas;
    this.resources =
        new TenantResources<>(
            commands,
            personas,
            events,
            Personas.PERSONA,
            Persona.getDefaultInstance(),
            new TenantResources.Told(EventKinds.PERSONA_CREATED, EventKinds.PERSONA_UPDATED));
    this.quotas = quotas;
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
                    Pages.Ask.of(request, RecordDef.ALL, "", true),
                    persona -> true));
    Replies.send(
        response,
        ListPersonasResponse.newBuilder().addAllData(page.rows()).setPage(page.info()).build());
  }

  @Override
  public void createPersona(CreatePersonaRequest request, StreamObserver<Persona> response) {
    Replies.send(
        response,
        resources.make(
            request,
            write -> {
              checkQuota(write, request.getQuotaId());
              return resources.insert(
                  write,
                  Members.made(write, write.id("persona"), request, Persona.getDefaultInstance()));
            }));
  }

  @Override
  public void getPersona(GetPersonaRequest request, StreamObserver<Persona> response) {
    Caller caller = Caller.current();
    Replies.send(response, store.read(tr -> personas.need(tr, caller, request.getPersonaId())));
  }

  @Override
  public void updatePersona(UpdatePersonaRequest request, StreamObserver<Persona> response) {
    Replies.send(
        response,
        resources.change(
            request,
            request.getPersonaId(),
            (write, before) -> {
              checkQuota(write, request.getQuotaId());
              return resources.update(write, before, request, request.getUpdateMask());
            }));
  }

  private void checkQuota(Write write, String id) {
    if (!id.isEmpty()) {
      quotas.needBinding(write.tr(), Caller.current(), id, QuotaScope.QUOTA_SCOPE_PERSONA);
    }
  }
}

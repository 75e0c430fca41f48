package dev.bridle.core.api.persona;

import com.google.protobuf.Message;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.resource.ResourceDef;
import dev.bridle.core.kernel.resource.TenantLimits;
import dev.bridle.core.kernel.resource.TenantSharedRules;
import dev.bridle.core.work.persona.Personas;
import dev.bridle.core.work.quota.QuotaStore;
import dev.bridle.persona.v1.CreatePersonaRequest;
import dev.bridle.persona.v1.Persona;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.persona.v1.UpdatePersonaRequest;
import dev.bridle.quota.v1.QuotaScope;
import dev.bridle.storage.layer.RecordStore;

/** The rules of personas as a resource (protocol section "Persona"). */
public final class PersonaRules extends TenantSharedRules<Persona> {
  private final QuotaStore quotas;
  private final RecordStore<Persona> personas;
  private final int most;

  private PersonaRules(CoreContext context) {
    this.quotas = new QuotaStore(context.layout());
    this.personas = Personas.PERSONA.store(context.layout());
    this.most = context.settings(TenantLimits.class).personas();
  }

  /** Returns the definition of the resource. */
  public static ResourceDef<Persona, Persona> resource(CoreContext context) {
    return ResourceDef.of(
        Personas.PERSONA,
        PersonaServiceGrpc.getServiceDescriptor(),
        Persona.getDefaultInstance(),
        new PersonaRules(context));
  }

  @Override
  public Persona create(Write write, Caller caller, Message request, Persona persona) {
    checkQuota(write, caller, ((CreatePersonaRequest) request).getQuotaId());
    TenantLimits.needRoom(write, personas, Personas.PERSONA, most);
    return persona;
  }

  @Override
  public void checkUpdate(Write write, Caller caller, Persona before, Message request) {
    checkQuota(write, caller, ((UpdatePersonaRequest) request).getQuotaId());
  }

  /** Checks that a persona's quota exists and is one for personas. */
  private void checkQuota(Write write, Caller caller, String id) {
    if (!id.isEmpty()) {
      quotas.needBinding(write.tr(), caller, id, QuotaScope.QUOTA_SCOPE_PERSONA);
    }
  }
}

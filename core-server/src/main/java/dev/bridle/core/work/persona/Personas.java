package dev.bridle.core.work.persona;

import com.google.protobuf.Message;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.resource.ResourceDef;
import dev.bridle.core.kernel.resource.TenantShared;
import dev.bridle.core.work.quota.QuotaStore;
import dev.bridle.persona.v1.CreatePersonaRequest;
import dev.bridle.persona.v1.Persona;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.persona.v1.UpdatePersonaRequest;
import dev.bridle.quota.v1.QuotaScope;

/** Personas (protocol section "Persona"): stored and served. */
public final class Personas {
  /** The definition of their records. */
  public static final RecordDef<Persona> PERSONA =
      RecordDef.of(13, "persona", Persona.parser())
          .id(Persona::getId)
          .listed()
          .refersTo("quota", Persona::getQuotaId)
          .withStream()
          .exported(export -> export.inPhase("PERSONAS").takenAlong())
          .build();

  private Personas() {}

  /** Returns the definition of the resource; a persona's quota must be one for personas. */
  public static ResourceDef<Persona, Persona> resource(QuotaStore quotas) {
    return ResourceDef.of(
        PERSONA,
        PersonaServiceGrpc.getServiceDescriptor(),
        Persona.getDefaultInstance(),
        new Rules(quotas));
  }

  private static final class Rules extends TenantShared<Persona> {
    private final QuotaStore quotas;

    Rules(QuotaStore quotas) {
      this.quotas = quotas;
    }

    @Override
    public Persona create(Write write, Caller caller, Message request, Persona persona) {
      checkQuota(write, caller, ((CreatePersonaRequest) request).getQuotaId());
      return persona;
    }

    @Override
    public void checkUpdate(Write write, Caller caller, Message request) {
      checkQuota(write, caller, ((UpdatePersonaRequest) request).getQuotaId());
    }

    private void checkQuota(Write write, Caller caller, String id) {
      if (!id.isEmpty()) {
        quotas.needBinding(write.tr(), caller, id, QuotaScope.QUOTA_SCOPE_PERSONA);
      }
    }
  }
}

package dev.bridle.core.work.policy;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.work.persona.Personas;
import dev.bridle.core.work.vault.SecretPolicy;
import dev.bridle.persona.v1.Persona;
import dev.bridle.storage.ReadTransaction;
import dev.bridle.storage.layer.KeyLayout;

/**
 * Allows secrets to tasks whose persona has the capability {@code secrets}, or lists no
 * capabilities.
 */
public final class PersonaSecrets implements SecretPolicy {
  private static final String CAPABILITY = "secrets";

  private final TenantRecords<Persona> personas;

  public PersonaSecrets(KeyLayout layout) {
    this.personas = new TenantRecords<>(layout, Personas.PERSONA);
  }

  @Override
  public void check(ReadTransaction tr, Use use) {
    String id = use.task().getTask().getPersonaId();
    boolean refused =
        !id.isEmpty()
            && personas
                .records()
                .get(tr, use.tenant(), id)
                .filter(persona -> persona.getCapabilitiesCount() > 0)
                .filter(persona -> !persona.getCapabilitiesList().contains(CAPABILITY))
                .isPresent();
    if (refused) {
      throw ProtocolException.of(
              ErrorCode.ERROR_CODE_POLICY_VIOLATION,
              "The task's persona may not use secrets of vaults.")
          .with("persona_id", id)
          .with("capability", CAPABILITY);
    }
  }
}

package dev.bridle.core.work.session;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.work.memory.MemoryStore;
import dev.bridle.core.work.persona.Personas;
import dev.bridle.core.work.skill.Skills;
import dev.bridle.core.work.vault.VaultStore;
import dev.bridle.persona.v1.Persona;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.Session;
import dev.bridle.skill.v1.Skill;
import dev.bridle.storage.layer.KeyLayout;

/** Resolves the persona, vaults, memories and skills of a new session; all must exist. */
public final class SessionGrants {
  private final TenantRecords<Persona> personas;
  private final MemoryStore memories;
  private final TenantRecords<Skill> skills;
  private final VaultStore vaults;

  SessionGrants(KeyLayout layout) {
    this.personas = new TenantRecords<>(layout, Personas.PERSONA);
    this.memories = new MemoryStore(layout);
    this.skills = new TenantRecords<>(layout, Skills.SKILL);
    this.vaults = new VaultStore(layout);
  }

  /**
   * Sets what the request names on the session; rejects the member that names a missing resource.
   */
  void give(Write write, CreateSessionRequest request, Session.Builder session) {
    Caller caller = Caller.current();
    if (request.hasPersonaId()) {
      session.setPersonaId(
          personas.referenced(write.tr(), caller, request.getPersonaId(), "persona_id").getId());
    }
    for (int i = 0; i < request.getVaultIdsCount(); i++) {
      session.addVaultIds(
          vaults.givenTo(
              write.tr(),
              caller,
              request.getWorkspaceId(),
              request.getVaultIds(i),
              "vault_ids[" + i + "]"));
    }
    for (int i = 0; i < request.getMemoryIdsCount(); i++) {
      session.addMemoryIds(
          memories.givenTo(
              write,
              caller,
              request.getWorkspaceId(),
              request.getMemoryIds(i),
              "memory_ids[" + i + "]"));
    }
    for (int i = 0; i < request.getSkillIdsCount(); i++) {
      session.addSkillIds(
          skills
              .referenced(write.tr(), caller, request.getSkillIds(i), "skill_ids[" + i + "]")
              .getId());
    }
  }
}

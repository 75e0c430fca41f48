package dev.bridle.core.session;

import dev.bridle.core.auth.Caller;
import dev.bridle.core.command.Write;
import dev.bridle.core.error.ProtocolException;
import dev.bridle.core.memory.MemoryStore;
import dev.bridle.core.resource.TenantRecords;
import dev.bridle.persona.v1.Persona;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.Session;
import dev.bridle.skill.v1.Skill;
import java.util.List;

/** What a new session's tasks run as and may use: all of it must be there. */
public final class SessionGrants {
  private final TenantRecords<Persona> personas;
  private final MemoryStore memories;
  private final TenantRecords<Skill> skills;

  public SessionGrants(
      TenantRecords<Persona> personas, MemoryStore memories, TenantRecords<Skill> skills) {
    this.personas = personas;
    this.memories = memories;
    this.skills = skills;
  }

  /** Gives a session what its request names; blames the member that names what is absent. */
  void give(Write write, CreateSessionRequest request, Session.Builder session) {
    Caller caller = Caller.current();
    if (request.hasPersonaId()) {
      session.setPersonaId(
          personas.referenced(write.tr(), caller, request.getPersonaId(), "persona_id").getId());
    }
    needNone("vault", request.getVaultIdsList(), "vault_ids");
    for (int i = 0; i < request.getMemoryIdsCount(); i++) {
      session.addMemoryIds(
          memories.givenTo(
              write.tr(),
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

  /** A later level brings these resources; until then none of them is there. */
  private static void needNone(String object, List<String> ids, String param) {
    if (!ids.isEmpty()) {
      throw ProtocolException.notFound(object, ids.get(0)).blaming(param + "[0]");
    }
  }
}

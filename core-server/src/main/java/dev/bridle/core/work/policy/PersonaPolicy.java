package dev.bridle.core.work.policy;

import dev.bridle.core.kernel.event.EventDraft;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Payload;
import dev.bridle.core.kernel.event.ResourceJson;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.work.permission.PermissionPolicy;
import dev.bridle.core.work.persona.Personas;
import dev.bridle.core.work.task.TaskChange;
import dev.bridle.permission.v1.PermissionAction;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.persona.v1.Persona;
import dev.bridle.storage.layer.KeyLayout;
import dev.bridle.worker.v1.PermissionVerdict;
import dev.bridle.worker.v1.RequestPermissionRequest;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides by the task's persona. The persona is read for each request, so that a change applies to
 * running tasks.
 */
public final class PersonaPolicy implements PermissionPolicy {
  private final TenantRecords<Persona> personas;

  public PersonaPolicy(KeyLayout layout) {
    this.personas = new TenantRecords<>(layout, Personas.PERSONA);
  }

  @Override
  public Optional<Ruling> decide(
      TaskChange change, RequestPermissionRequest request, PermissionAction action) {
    String id = change.task().getPersonaId();
    if (id.isEmpty()) {
      return Optional.empty();
    }
    return personas
        .records()
        .get(change.write().tr(), change.write().tenant(), id)
        .flatMap(
            persona -> {
              change.ruledUnder(persona.getAutonomyTier());
              return decide(persona, request, action);
            });
  }

  private static Optional<Ruling> decide(
      Persona persona, RequestPermissionRequest request, PermissionAction action) {
    Autonomy autonomy = Autonomy.of(persona, request);
    return switch (autonomy) {
      case ASK -> Optional.empty();
      case ALLOW ->
          ruling(
              PermissionVerdict.PERMISSION_VERDICT_ALLOWED,
              autonomy.reason(),
              EventKinds.ACTION_ALLOWED,
              persona,
              request,
              action);
      case SHADOW ->
          ruling(
              PermissionVerdict.PERMISSION_VERDICT_SHADOWED,
              autonomy.reason(),
              EventKinds.ACTION_SHADOWED,
              persona,
              request,
              action);
      case PROPOSE ->
          ruling(
              PermissionVerdict.PERMISSION_VERDICT_PROPOSED,
              autonomy.reason(),
              EventKinds.ACTION_PROPOSED,
              persona,
              request,
              action);
      case DENY_TOOL, DENY_CAPABILITY -> denial(autonomy.reason(), persona, request, action);
    };
  }

  private static Optional<Ruling> denial(
      String reason, Persona persona, RequestPermissionRequest request, PermissionAction action) {
    return ruling(
        PermissionVerdict.PERMISSION_VERDICT_DENIED,
        reason,
        EventKinds.TOOL_DENIED,
        persona,
        request,
        action);
  }

  private static Optional<Ruling> ruling(
      PermissionVerdict verdict,
      String reason,
      String event,
      Persona persona,
      RequestPermissionRequest request,
      PermissionAction action) {
    return Optional.of(
        new Ruling(
            verdict,
            reason,
            EventDraft.of(
                event,
                Payload.of()
                    .text("persona_id", persona.getId())
                    .text("persona_version", persona.getVersion())
                    .text("autonomy_tier", spelled(persona.getAutonomyTier()))
                    .text("reason", reason)
                    .text("step_key", request.getStepKey())
                    .text("fingerprint", action.getFingerprint())
                    .json("action", ResourceJson.of(action)))));
  }

  private static String spelled(AutonomyTier tier) {
    return tier.name().substring("AUTONOMY_TIER_".length()).toLowerCase(Locale.ROOT);
  }
}

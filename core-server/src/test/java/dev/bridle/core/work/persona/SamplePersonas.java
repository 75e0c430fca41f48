package dev.bridle.core.work.persona;

import com.google.protobuf.FieldMask;
import dev.bridle.core.kernel.resource.SharedResources;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.persona.v1.UpdatePersonaRequest;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import io.grpc.Channel;

/** Personas that differ in their autonomy, and sessions with them. */
public final class SamplePersonas {
  private SamplePersonas() {}

  /** Makes a persona, and returns its id. */
  public static String made(Channel caller, AutonomyTier tier) {
    return PersonaServiceGrpc.newBlockingStub(caller)
        .createPersona(SharedResources.aPersona().setAutonomyTier(tier).build())
        .getId();
  }

  /** Gives a persona another tier. */
  public static void change(Channel caller, String persona, AutonomyTier tier) {
    var unused =
        PersonaServiceGrpc.newBlockingStub(caller)
            .updatePersona(
                UpdatePersonaRequest.newBuilder()
                    .setPersonaId(persona)
                    .setAutonomyTier(tier)
                    .setUpdateMask(FieldMask.newBuilder().addPaths("autonomy_tier"))
                    .build());
  }

  /** Makes a session of the workspace {@code default} with a persona, and returns its id. */
  public static String session(Channel caller, String persona) {
    return SessionServiceGrpc.newBlockingStub(caller)
        .createSession(
            CreateSessionRequest.newBuilder()
                .setWorkspaceId("default")
                .setPersonaId(persona)
                .build())
        .getId();
  }
}

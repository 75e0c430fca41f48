package dev.bridle.host.runtime;

import dev.bridle.persona.v1.ListPersonasRequest;
import dev.bridle.persona.v1.ListPersonasResponse;
import dev.bridle.persona.v1.Persona;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.skill.v1.GetSkillRequest;
import dev.bridle.skill.v1.ListSkillsRequest;
import dev.bridle.skill.v1.ListSkillsResponse;
import dev.bridle.skill.v1.Skill;
import dev.bridle.skill.v1.SkillServiceGrpc;
import dev.bridle.workspace.v1.GetWorkspaceRequest;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a runtime looks up in the core. */
final class CoreReads {
  private static final int PAGE = 200;
  private static final int SECONDS = 10;
  private static final String PERSONA_ID = "persona_";

  private final Channel channel;

  CoreReads(Channel channel, String secret) {
    this.channel = with(secret, channel);
  }

  /** Returns a channel whose calls have a bearer secret. */
  static Channel with(String secret, Channel channel) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + secret);
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /** Returns the root of a workspace. */
  String workspaceRoot(String workspace) {
    return WorkspaceServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(SECONDS, TimeUnit.SECONDS)
        .getWorkspace(GetWorkspaceRequest.newBuilder().setWorkspaceId(workspace).build())
        .getRoot();
  }

  /**
   * Returns the id of a persona by its id or name.
   *
   * @throws IllegalArgumentException if there is none with that name, or several
   */
  String persona(String named) {
    if (named.startsWith(PERSONA_ID)) {
      return named;
    }
    String found = "";
    String cursor = "";
    do {
      ListPersonasRequest.Builder request = ListPersonasRequest.newBuilder().setLimit(PAGE);
      if (!cursor.isEmpty()) {
        request.setCursor(cursor);
      }
      ListPersonasResponse page =
          PersonaServiceGrpc.newBlockingStub(channel)
              .withDeadlineAfter(SECONDS, TimeUnit.SECONDS)
              .listPersonas(request.build());
      for (Persona persona : page.getDataList()) {
        if (persona.getName().equals(named)) {
          if (!found.isEmpty()) {
            throw new IllegalArgumentException(
                "there are several personas named '" + named + "'; name one by its id");
          }
          found = persona.getId();
        }
      }
      cursor = page.getPage().getNextCursor();
    } while (!cursor.isEmpty());
    if (found.isEmpty()) {
      throw new IllegalArgumentException("there is no persona named '" + named + "' yet");
    }
    return found;
  }

  /** Returns all skills, without their bodies. */
  List<Skill> skills() {
    List<Skill> all = new ArrayList<>();
    String cursor = "";
    do {
      ListSkillsRequest.Builder request = ListSkillsRequest.newBuilder().setLimit(PAGE);
      if (!cursor.isEmpty()) {
        request.setCursor(cursor);
      }
      ListSkillsResponse page =
          SkillServiceGrpc.newBlockingStub(channel)
              .withDeadlineAfter(SECONDS, TimeUnit.SECONDS)
              .listSkills(request.build());
      all.addAll(page.getDataList());
      cursor = page.getPage().getNextCursor();
    } while (!cursor.isEmpty());
    return all;
  }

  /** Returns a skill with its body; the status {@code NOT_FOUND} if there is none. */
  Skill skill(String id) {
    return SkillServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(SECONDS, TimeUnit.SECONDS)
        .getSkill(GetSkillRequest.newBuilder().setSkillId(id).build());
  }
}

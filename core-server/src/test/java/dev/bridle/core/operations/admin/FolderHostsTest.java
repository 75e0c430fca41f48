package dev.bridle.core.operations.admin;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.HostFolderRequest;
import dev.bridle.admin.v1.HostFolderResponse;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.auth.v1.Caller;
import dev.bridle.auth.v1.GetCallerRequest;
import dev.bridle.core.CoreFixture;
import dev.bridle.persona.v1.AutonomyTier;
import dev.bridle.persona.v1.GetPersonaRequest;
import dev.bridle.persona.v1.Persona;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.GetWorkspaceRequest;
import dev.bridle.workspace.v1.ReadWorkspaceFileRequest;
import dev.bridle.workspace.v1.Workspace;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import dev.bridle.workspace.v1.WriteWorkspaceFileRequest;
import io.grpc.Context;
import java.util.Iterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that host agents in folders of the machine. */
class FolderHostsTest {
  private static final String PERSON = "person-secret-".repeat(3);
  private static final String WORKER = "worker-secret-".repeat(3);

  @RegisterExtension final CoreFixture core = new CoreFixture();

  @BeforeEach
  void aTenant() {
    core.tenants().ensure("default");
  }

  private static HostFolderRequest.Builder request(String folder) {
    return HostFolderRequest.newBuilder()
        .setFolder(folder)
        .setActor("terminal-1")
        .setPersonSecret(PERSON)
        .setWorkerSecret(WORKER);
  }

  private Iterator<HostFolderResponse> call(HostFolderRequest request) {
    return AdminServiceGrpc.newBlockingStub(core.operator()).hostFolder(request);
  }

  /** Opens a call that lasts as long as the context, and returns the workspace. */
  private String host(Context.CancellableContext open, HostFolderRequest.Builder request)
      throws Exception {
    return open.call(() -> call(request.build()).next().getWorkspaceId());
  }

  private Caller whoIs(String secret) {
    return AuthServiceGrpc.newBlockingStub(core.with(secret))
        .getCaller(GetCallerRequest.getDefaultInstance());
  }

  @Test
  void theSecretsReachTheFoldersWorkspaceWhileTheCallIsOpen() throws Exception {
    String workspace;
    try (Context.CancellableContext open = Context.current().withCancellation()) {
      workspace = host(open, request("/home/ada/project"));

      Caller person = whoIs(PERSON);
      assertThat(person.getActor()).isEqualTo("terminal-1");
      assertThat(person.getScopesList()).containsExactly("*");
      assertThat(person.getWorkspaceIdsList()).containsExactly(workspace);
      Caller worker = whoIs(WORKER);
      assertThat(worker.getScopesList()).containsExactlyInAnyOrder("workers:lease", "skills:read");
      assertThat(worker.getWorkspaceIdsList()).containsExactly(workspace);
      Workspace made =
          WorkspaceServiceGrpc.newBlockingStub(core.with(PERSON))
              .getWorkspace(GetWorkspaceRequest.newBuilder().setWorkspaceId(workspace).build());
      assertThat(made.getRoot()).isEqualTo("dir:/home/ada/project");
      assertThat(made.getName()).isEqualTo("project");
    }
    await()
        .untilAsserted(
            () -> {
              assertRefused(ErrorCode.ERROR_CODE_UNAUTHENTICATED, "", () -> whoIs(PERSON));
              assertRefused(ErrorCode.ERROR_CODE_UNAUTHENTICATED, "", () -> whoIs(WORKER));
            });

    try (Context.CancellableContext open = Context.current().withCancellation()) {
      assertThat(host(open, request("/home/ada/project"))).isEqualTo(workspace);
    }
  }

  @Test
  void eachAgentHasOnePersonaThatActsAfterApproval() throws Exception {
    String first = personaOf(request("/a").setAgent("/usr/bin/one"));
    Persona made =
        PersonaServiceGrpc.newBlockingStub(core.owner())
            .getPersona(GetPersonaRequest.newBuilder().setPersonaId(first).build());
    assertThat(made.getName()).isEqualTo("/usr/bin/one");
    assertThat(made.getAutonomyTier()).isEqualTo(AutonomyTier.AUTONOMY_TIER_ACT_WITH_APPROVAL);
    assertThat(core.events(first))
        .extracting(EventRecord::getEvent)
        .containsExactly("persona.created");

    assertThat(personaOf(request("/b").setAgent("/usr/bin/one"))).isEqualTo(first);
    assertThat(personaOf(request("/a").setAgent("/usr/bin/two"))).isNotIn(first, "");
    assertThat(personaOf(request("/a"))).as("of no agent").isEmpty();
  }

  private String personaOf(HostFolderRequest.Builder request) throws Exception {
    String persona;
    try (Context.CancellableContext open = Context.current().withCancellation()) {
      persona = open.call(() -> call(request.build()).next().getPersonaId());
    }
    await()
        .untilAsserted(
            () -> assertRefused(ErrorCode.ERROR_CODE_UNAUTHENTICATED, "", () -> whoIs(PERSON)));
    return persona;
  }

  @Test
  void aSecretThatIsInUseIsRefusedAndStaysWhoseItIs() throws Exception {
    try (Context.CancellableContext open = Context.current().withCancellation()) {
      String workspace = host(open, request("/a"));
      HostFolderRequest second = request("/b").setPersonSecret("another-secret-".repeat(3)).build();

      assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> call(second).next());

      assertThat(whoIs(WORKER).getWorkspaceIdsList()).containsExactly(workspace);
      assertRefused(
          ErrorCode.ERROR_CODE_UNAUTHENTICATED, "", () -> whoIs(second.getPersonSecret()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"project", "./a", "/a/../b", "/a/./b", "/a//b", "/a/", "/..", "/a\nb"})
  void aPathIsAbsoluteAndPlain(String folder) {
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST, "folder", () -> call(request(folder).build()).next());
    assertRefused(ErrorCode.ERROR_CODE_UNAUTHENTICATED, "", () -> whoIs(PERSON));
  }

  @Test
  void onlyTheOperatorOpensFolders() {
    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "",
        () ->
            AdminServiceGrpc.newBlockingStub(core.owner())
                .hostFolder(request("/a").build())
                .next());
    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "root",
        () ->
            WorkspaceServiceGrpc.newBlockingStub(core.owner())
                .createWorkspace(
                    CreateWorkspaceRequest.newBuilder().setName("a").setRoot("dir:/a").build()));
  }

  @Test
  void theServerDoesNotServeTheFilesOfSuchAFolder() throws Exception {
    try (Context.CancellableContext open = Context.current().withCancellation()) {
      String workspace = host(open, request("/etc"));
      WorkspaceServiceGrpc.WorkspaceServiceBlockingStub files =
          WorkspaceServiceGrpc.newBlockingStub(core.with(PERSON));

      assertRefused(
          ErrorCode.ERROR_CODE_POLICY_VIOLATION,
          "",
          () ->
              files.readWorkspaceFile(
                  ReadWorkspaceFileRequest.newBuilder()
                      .setWorkspaceId(workspace)
                      .setPath("passwd")
                      .build()));
      assertRefused(
          ErrorCode.ERROR_CODE_POLICY_VIOLATION,
          "",
          () ->
              files.writeWorkspaceFile(
                  WriteWorkspaceFileRequest.newBuilder()
                      .setWorkspaceId(workspace)
                      .setPath("motd")
                      .setContent("x")
                      .build()));
    }
  }
}

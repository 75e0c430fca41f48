package dev.bridle.core.work.workspace;

import static dev.bridle.core.Refusal.assertUnsupported;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.bridle.core.CoreFixture;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.ListWorkspacesRequest;
import dev.bridle.workspace.v1.Workspace;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc.WorkspaceServiceBlockingStub;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SandboxMembersTest {
  private static final CreateWorkspaceRequest PLAIN =
      CreateWorkspaceRequest.newBuilder().setName("w").setRoot("w").build();

  @RegisterExtension final CoreFixture core = new CoreFixture();

  private WorkspaceServiceBlockingStub workspaces;

  @BeforeEach
  void start() {
    workspaces = WorkspaceServiceGrpc.newBlockingStub(core.owner());
  }

  @Test
  void anEnvironmentThatIsNotCreatedIsRefused() {
    assertUnsupported(
        "image", () -> workspaces.createWorkspace(PLAIN.toBuilder().setImage("debian:12").build()));
    assertUnsupported(
        "packages", () -> workspaces.createWorkspace(PLAIN.toBuilder().addPackages("git").build()));

    Workspace made = workspaces.createWorkspace(PLAIN.toBuilder().setImage("").build());
    assertThat(made.hasImage()).isFalse();
  }

  @Test
  void aProtectionThatIsNotEnforcedIsRefusedAndNothingIsMade() {
    assertUnsupported(
        "network_policy",
        () ->
            workspaces.createWorkspace(
                PLAIN.toBuilder()
                    .setNetworkPolicy(ByteString.copyFromUtf8("{\"egress\":\"none\"}"))
                    .build()));
    assertUnsupported(
        "sandbox_backend",
        () -> workspaces.createWorkspace(PLAIN.toBuilder().setSandboxBackend("gvisor").build()));
    assertThat(workspaces.listWorkspaces(ListWorkspacesRequest.getDefaultInstance()).getDataList())
        .hasSize(1);
  }

  @Test
  void aNetworkPolicyThatSaysNothingPromisesNothing() {
    assertThat(
            workspaces
                .createWorkspace(
                    PLAIN.toBuilder().setNetworkPolicy(ByteString.copyFromUtf8(" { } ")).build())
                .getName())
        .isEqualTo("w");
  }
}

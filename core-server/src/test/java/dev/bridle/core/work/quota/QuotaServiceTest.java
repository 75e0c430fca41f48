package dev.bridle.core.work.quota;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.FieldMask;
import com.google.protobuf.util.Timestamps;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.CoreFixture;
import dev.bridle.core.kernel.resource.SharedResources;
import dev.bridle.quota.v1.CreateQuotaRequest;
import dev.bridle.quota.v1.GetQuotaRequest;
import dev.bridle.quota.v1.ListQuotasRequest;
import dev.bridle.quota.v1.Quota;
import dev.bridle.quota.v1.QuotaScope;
import dev.bridle.quota.v1.QuotaServiceGrpc;
import dev.bridle.quota.v1.QuotaServiceGrpc.QuotaServiceBlockingStub;
import dev.bridle.quota.v1.UpdateQuotaRequest;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.GetWorkspaceRequest;
import dev.bridle.workspace.v1.UpdateWorkspaceRequest;
import dev.bridle.workspace.v1.Workspace;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc.WorkspaceServiceBlockingStub;
import io.grpc.Channel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class QuotaServiceTest {
  @RegisterExtension final CoreFixture core = new CoreFixture();

  private Channel owner;
  private QuotaServiceBlockingStub quotas;

  @BeforeEach
  void aCaller() {
    owner = core.owner();
    quotas = QuotaServiceGrpc.newBlockingStub(owner);
  }

  @Test
  void aQuotaStatesEveryKindOfCeilingAndIsHardUnlessItSaysOtherwise() {
    Quota made =
        quotas.createQuota(
            CreateQuotaRequest.newBuilder()
                .setScope(QuotaScope.QUOTA_SCOPE_TENANT)
                .putLimits("tasks", 1000)
                .putLimits("concurrency", 4)
                .putLimits("tokens", 2e9)
                .putLimits("money", 12.5)
                .putLimits("tool_calls", 50)
                .putLimits("wall_time_seconds", 3600)
                .putLimits("requests_per_minute", 60)
                .setResetAt(Timestamps.fromMillis(1_800_000_000_000L))
                .build());

    assertThat(made.getHardLimit()).isTrue();
    assertThat(made.getSoftLimit()).isFalse();
    assertThat(made.getUsageMap().keySet()).isEqualTo(made.getLimitsMap().keySet());
    assertThat(made.getUsageMap().values()).containsOnly(0.0);
    assertThat(get(quotas, made.getId())).isEqualTo(made);
    assertThat(quotas.listQuotas(ListQuotasRequest.getDefaultInstance()).getDataList())
        .containsExactly(made);
    assertThat(core.lastEvent(made.getId()).getPayload().toStringUtf8())
        .contains(
            "\"scope\":\"tenant\"", "\"money\":12.5", "\"reset_at\":\"2027-01-15T08:00:00.000Z\"")
        .doesNotContain("usage");
  }

  @Test
  void aCeilingThatNothingIsKnownOfIsRefused() {
    CreateQuotaRequest.Builder request = SharedResources.quota(QuotaScope.QUOTA_SCOPE_TENANT);

    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "limits",
        () -> quotas.createQuota(request.putLimits("coffee", 3).build()));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "limits",
        () -> quotas.createQuota(request.clearLimits().putLimits("tasks", -1).build()));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "limits",
        () -> quotas.createQuota(request.putLimits("tasks", Double.POSITIVE_INFINITY).build()));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "limits",
        () -> quotas.createQuota(request.clearLimits().build()));
  }

  @Test
  void limitsAreReplacedWholeAndNeverTakenAway() {
    Quota made = quotas.createQuota(SharedResources.quota(QuotaScope.QUOTA_SCOPE_TENANT).build());

    Quota changed =
        quotas.updateQuota(update(made, "limits", "hard_limit").putLimits("tokens", 5).build());
    assertThat(changed.getLimitsMap()).containsOnlyKeys("tokens");
    assertThat(changed.getUsageMap()).containsOnlyKeys("tokens");
    assertThat(changed.getHardLimit()).isFalse();
    assertThat(get(quotas, made.getId())).isEqualTo(changed);
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "limits",
        () -> quotas.updateQuota(update(made, "limits").build()));
    assertThat(core.lastEvent(made.getId()).getPayload().toStringUtf8())
        .isEqualTo("{\"limits\":{\"tokens\":5.0},\"hard_limit\":false}");
  }

  @Test
  void aWorkspaceNamesAQuotaOfWorkspacesOrNone() {
    WorkspaceServiceBlockingStub workspaces = WorkspaceServiceGrpc.newBlockingStub(owner);
    String quota = ofWorkspaces();
    String other =
        quotas.createQuota(SharedResources.quota(QuotaScope.QUOTA_SCOPE_TENANT).build()).getId();

    assertThat(workspaces.updateWorkspace(binding(quota)).getQuotaId()).isEqualTo(quota);
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "quota_id",
        () -> workspaces.updateWorkspace(binding(other)));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "quota_id",
        () -> workspaces.updateWorkspace(binding("quota_none")));
    assertThat(
            workspaces.updateWorkspace(binding("").toBuilder().clearQuotaId().build()).hasQuotaId())
        .isFalse();
  }

  @Test
  void aNewWorkspaceMayNameAQuotaOfWorkspaces() {
    WorkspaceServiceBlockingStub workspaces = WorkspaceServiceGrpc.newBlockingStub(owner);
    CreateWorkspaceRequest plain =
        CreateWorkspaceRequest.newBuilder().setName("w").setRoot("w").build();
    String quota = ofWorkspaces();
    String other =
        quotas.createQuota(SharedResources.quota(QuotaScope.QUOTA_SCOPE_TENANT).build()).getId();

    Workspace made = workspaces.createWorkspace(plain.toBuilder().setQuotaId(quota).build());

    assertThat(made.getQuotaId()).isEqualTo(quota);
    assertThat(
            workspaces.getWorkspace(
                GetWorkspaceRequest.newBuilder().setWorkspaceId(made.getId()).build()))
        .isEqualTo(made);
    assertThat(core.lastEvent(made.getId()).getPayload().toStringUtf8())
        .contains("\"quota_id\":\"" + quota + "\"");
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "quota_id",
        () -> workspaces.createWorkspace(plain.toBuilder().setQuotaId(other).build()));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "quota_id",
        () -> workspaces.createWorkspace(plain.toBuilder().setQuotaId("quota_none").build()));
  }

  @Test
  void aQuotaOfWorkspacesIsSeenByThoseWhoReachOneThatNamesIt() {
    String quota = ofWorkspaces();
    Channel narrow = core.of(CoreFixture.TENANT, CoreFixture.WORKSPACE);
    QuotaServiceBlockingStub seen = QuotaServiceGrpc.newBlockingStub(narrow);

    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> get(seen, quota));
    assertThat(seen.listQuotas(ListQuotasRequest.getDefaultInstance()).getDataList()).isEmpty();
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "quota_id",
        () -> WorkspaceServiceGrpc.newBlockingStub(narrow).updateWorkspace(binding(quota)));

    var unused = WorkspaceServiceGrpc.newBlockingStub(owner).updateWorkspace(binding(quota));
    assertThat(get(seen, quota).getId()).isEqualTo(quota);
    assertThat(seen.listQuotas(ListQuotasRequest.getDefaultInstance()).getDataList()).hasSize(1);
    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "",
        () -> seen.createQuota(SharedResources.quota(QuotaScope.QUOTA_SCOPE_TENANT).build()));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "",
        () -> get(QuotaServiceGrpc.newBlockingStub(core.of("another")), quota));
  }

  private String ofWorkspaces() {
    return quotas
        .createQuota(SharedResources.quota(QuotaScope.QUOTA_SCOPE_WORKSPACE).build())
        .getId();
  }

  private static UpdateWorkspaceRequest binding(String quota) {
    return UpdateWorkspaceRequest.newBuilder()
        .setWorkspaceId(CoreFixture.WORKSPACE)
        .setQuotaId(quota)
        .setUpdateMask(FieldMask.newBuilder().addPaths("quota_id"))
        .build();
  }

  private static UpdateQuotaRequest.Builder update(Quota quota, String... members) {
    FieldMask.Builder mask = FieldMask.newBuilder();
    for (String member : members) {
      mask.addPaths(member);
    }
    return UpdateQuotaRequest.newBuilder().setQuotaId(quota.getId()).setUpdateMask(mask);
  }

  private static Quota get(QuotaServiceBlockingStub quotas, String id) {
    return quotas.getQuota(GetQuotaRequest.newBuilder().setQuotaId(id).build());
  }
}

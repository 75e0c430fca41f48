package dev.bridle.core.operations.admin;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.bridle.admin.v1.AdminServiceGrpc;
import dev.bridle.admin.v1.ApiKey;
import dev.bridle.admin.v1.CreateApiKeyRequest;
import dev.bridle.admin.v1.CreateApiKeyResponse;
import dev.bridle.admin.v1.ListApiKeysRequest;
import dev.bridle.admin.v1.ListApiKeysResponse;
import dev.bridle.admin.v1.RevokeApiKeyRequest;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.auth.v1.AuthServiceGrpc;
import dev.bridle.auth.v1.Caller;
import dev.bridle.auth.v1.GetCallerRequest;
import dev.bridle.core.CoreFixture;
import dev.bridle.workspace.v1.ListWorkspacesRequest;
import dev.bridle.workspace.v1.Workspace;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdminServiceTest {
  @RegisterExtension final CoreFixture core = new CoreFixture();

  private AdminServiceGrpc.AdminServiceBlockingStub admin;

  @BeforeEach
  void anOperator() {
    admin = AdminServiceGrpc.newBlockingStub(core.operator());
  }

  @Test
  void theFirstKeyOfATenantMakesItWithAWorkspace() {
    CreateApiKeyResponse made = create(CreateApiKeyRequest.newBuilder().setTenantId("acme"));

    assertThat(core.tenantsTold).containsExactly("acme");
    Caller caller = whoIs(made.getSecret());
    assertThat(caller.getTenantId()).isEqualTo("acme");
    assertThat(caller.getActor()).isEqualTo("owner");
    assertThat(caller.getScopesList()).containsExactly("*");
    assertThat(
            WorkspaceServiceGrpc.newBlockingStub(core.with(made.getSecret()))
                .listWorkspaces(ListWorkspacesRequest.getDefaultInstance())
                .getDataList())
        .extracting(Workspace::getId, Workspace::getName, Workspace::getRoot)
        .containsExactly(tuple("default", "default", "workspace://default"));
  }

  @Test
  void laterKeysLeaveTheTenantAsItIs() {
    create(CreateApiKeyRequest.newBuilder().setTenantId("acme"));
    CreateApiKeyResponse second =
        create(
            CreateApiKeyRequest.newBuilder()
                .setTenantId("acme")
                .setActor("bob")
                .addScopes("tasks:read")
                .addWorkspaceIds("default"));

    assertThat(core.tenantsTold).containsExactly("acme");
    Caller bob = whoIs(second.getSecret());
    assertThat(bob.getActor()).isEqualTo("bob");
    assertThat(bob.getScopesList()).containsExactly("tasks:read");
    assertThat(bob.getWorkspaceIdsList()).containsExactly("default");
  }

  @Test
  void aKeyForAWorkspaceThatIsNotThereLeavesNothing() {
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "workspace_ids[1]",
        () ->
            create(
                CreateApiKeyRequest.newBuilder()
                    .setTenantId("acme")
                    .addWorkspaceIds("default")
                    .addWorkspaceIds("nowhere")));

    assertThat(core.tenantsTold).isEmpty();
    assertThat(list("").getKeysList()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "tasks", "tasks:", ":read", "Tasks:read", "tasks:read ", "tasks:*", "**"})
  void aScopeIsAResourceAndAnAction(String scope) {
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "scopes[0]",
        () -> create(CreateApiKeyRequest.newBuilder().addScopes(scope)));
  }

  @Test
  void keysAreListedOldestFirstWithoutTheirSecrets() {
    ApiKey first = create(CreateApiKeyRequest.newBuilder().setTenantId("b")).getKey();
    ApiKey second = create(CreateApiKeyRequest.newBuilder().setTenantId("b")).getKey();
    ApiKey other = create(CreateApiKeyRequest.newBuilder().setTenantId("a")).getKey();

    assertThat(list("b").getKeysList()).containsExactly(first, second);
    assertThat(list("").getKeysList()).containsExactly(other, first, second);
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "tenant_id", () -> list("none"));
  }

  @Test
  void aRevokedKeyOpensNothing() {
    CreateApiKeyResponse made = create(CreateApiKeyRequest.newBuilder());
    CreateApiKeyResponse kept = create(CreateApiKeyRequest.newBuilder());
    whoIs(made.getSecret());

    ApiKey revoked = revoke("", made.getKey().getId());

    assertThat(revoked.hasRevokedAt()).isTrue();
    assertRefused(ErrorCode.ERROR_CODE_UNAUTHENTICATED, "", () -> whoIs(made.getSecret()));
    assertThat(whoIs(kept.getSecret()).getTenantId()).isEqualTo("default");
    assertThat(revoke("default", made.getKey().getId())).isEqualTo(revoked);
    assertThat(list("").getKeysList()).containsExactly(revoked, kept.getKey());
  }

  @Test
  void aKeyThatIsNotThereIsNotRevoked() {
    String id = create(CreateApiKeyRequest.newBuilder().setTenantId("acme")).getKey().getId();
    create(CreateApiKeyRequest.newBuilder());

    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "key_id", () -> revoke("default", id));
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "tenant_id", () -> revoke("none", id));
  }

  @Test
  void allScopesAreNotThoseOfAdministration() {
    String secret = create(CreateApiKeyRequest.newBuilder().addScopes("*")).getSecret();

    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "",
        () ->
            AdminServiceGrpc.newBlockingStub(core.with(secret))
                .listApiKeys(ListApiKeysRequest.getDefaultInstance()));
  }

  @Test
  void theVeryFirstStartMakesAnOwner() {
    String secret = core.tenants().ensureDefault().orElseThrow();

    assertThat(whoIs(secret).getTenantId()).isEqualTo("default");
    assertThat(whoIs(secret).getActor()).isEqualTo("owner");
    assertThat(core.tenants().ensureDefault()).isEmpty();
    assertThat(core.tenantsTold).containsExactly("default");
  }

  @Test
  void aStartWithTenantsButNoKeyMakesAnOwnerOfTheDefaultOne() {
    core.tenants().ensure("acme");
    core.tenants().ensure("default");

    String secret = core.tenants().ensureDefault().orElseThrow();

    assertThat(whoIs(secret).getTenantId()).isEqualTo("default");
    assertThat(core.tenants().ensureDefault()).isEmpty();
  }

  @Test
  void aStartWithAKeyMakesNobody() {
    create(CreateApiKeyRequest.newBuilder().setTenantId("acme"));

    assertThat(core.tenants().ensureDefault()).isEmpty();
  }

  private CreateApiKeyResponse create(CreateApiKeyRequest.Builder request) {
    return admin.createApiKey(request.build());
  }

  private ListApiKeysResponse list(String tenant) {
    return admin.listApiKeys(ListApiKeysRequest.newBuilder().setTenantId(tenant).build());
  }

  private ApiKey revoke(String tenant, String id) {
    return admin
        .revokeApiKey(RevokeApiKeyRequest.newBuilder().setTenantId(tenant).setKeyId(id).build())
        .getKey();
  }

  private Caller whoIs(String secret) {
    return AuthServiceGrpc.newBlockingStub(core.with(secret))
        .getCaller(GetCallerRequest.getDefaultInstance());
  }
}

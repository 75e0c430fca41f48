package dev.bridle.core.work.vault;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.FieldMask;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.api.v1.PageInfo;
import dev.bridle.core.CoreFixture;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.session.v1.CreateSessionRequest;
import dev.bridle.session.v1.ForkSessionRequest;
import dev.bridle.session.v1.SessionServiceGrpc;
import dev.bridle.storage.KeyRange;
import dev.bridle.storage.KeyValue;
import dev.bridle.vault.v1.DeleteVaultSecretRequest;
import dev.bridle.vault.v1.GetVaultRequest;
import dev.bridle.vault.v1.ListVaultSecretsRequest;
import dev.bridle.vault.v1.ListVaultSecretsResponse;
import dev.bridle.vault.v1.ListVaultsRequest;
import dev.bridle.vault.v1.RotateVaultSecretRequest;
import dev.bridle.vault.v1.UpdateVaultRequest;
import dev.bridle.vault.v1.Vault;
import dev.bridle.vault.v1.VaultSecret;
import dev.bridle.vault.v1.VaultServiceGrpc;
import dev.bridle.vault.v1.VaultServiceGrpc.VaultServiceBlockingStub;
import dev.bridle.workspace.v1.CreateWorkspaceRequest;
import dev.bridle.workspace.v1.WorkspaceServiceGrpc;
import io.grpc.Channel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VaultServiceTest {
  private static final String VALUE = "a value that nobody reads";
  private static final KeyRange ALL = new KeyRange(new byte[0], new byte[] {(byte) 0xFF});

  @RegisterExtension final CoreFixture core = new CoreFixture();

  private Channel owner;
  private VaultServiceBlockingStub vaults;
  private String other;
  private Vault ofWorkspace;
  private Vault ofTenant;

  @BeforeEach
  void someVaults() {
    owner = core.owner();
    vaults = VaultServiceGrpc.newBlockingStub(owner);
    other =
        WorkspaceServiceGrpc.newBlockingStub(owner)
            .createWorkspace(
                CreateWorkspaceRequest.newBuilder().setName("other").setRoot("other").build())
            .getId();
    ofWorkspace = SampleVaults.made(owner, other);
    ofTenant = SampleVaults.made(owner, "");
  }

  @Test
  void aVaultIsReadAsItWasMade() {
    assertThat(ofWorkspace.getWorkspaceId()).isEqualTo(other);
    assertThat(ofTenant.hasWorkspaceId()).isFalse();
    assertThat(get(vaults, ofTenant)).isEqualTo(ofTenant);
    assertThat(vaults.listVaults(ListVaultsRequest.getDefaultInstance()).getDataList())
        .containsExactly(ofTenant, ofWorkspace);
    assertThat(
            vaults
                .listVaults(ListVaultsRequest.newBuilder().setWorkspaceId(other).build())
                .getDataList())
        .containsExactly(ofWorkspace);
  }

  @Test
  void aNewValueRaisesTheVersionAndDeletingEndsTheSecret() {
    VaultSecret first = put(ofTenant, "token");
    assertThat(first.getVersion()).isEqualTo(1);
    VaultSecret second = rotate(ofTenant, "token");
    assertThat(second.getVersion()).isEqualTo(2);
    assertThat(second.getCreatedAt()).isEqualTo(first.getCreatedAt());
    assertThat(put(ofTenant, "token").getVersion()).isEqualTo(3);
    assertThat(list(ofTenant)).extracting(VaultSecret::getVersion).containsExactly(3L);

    delete(vaults, ofTenant, "token");
    delete(vaults, ofTenant, "token");

    assertThat(list(ofTenant)).isEmpty();
    assertThat(put(ofTenant, "token").getVersion())
        .as("no version is given twice under one name")
        .isEqualTo(4);
    assertThat(core.events(ofTenant.getId()))
        .extracting(EventRecord::getEvent)
        .containsExactly(
            "vendor.bridle.vault_created",
            "vendor.bridle.vault_secret_set",
            "vendor.bridle.vault_secret_rotated",
            "vendor.bridle.vault_secret_rotated",
            "vendor.bridle.vault_secret_deleted",
            "vendor.bridle.vault_secret_set");
    assertThat(core.lastEvent(ofTenant.getId()).getPayload().toStringUtf8())
        .isEqualTo("{\"name\":\"token\",\"version\":4}");
  }

  @Test
  void onlyASecretThatIsThereIsRotated() {
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> rotate(ofTenant, "not-there"));
  }

  @Test
  void secretsAreListedByNameAndPageByPage() {
    for (String name : List.of("c", "a", "B", "b")) {
      put(ofTenant, name);
    }
    assertThat(list(ofTenant)).extracting(VaultSecret::getName).containsExactly("B", "a", "b", "c");

    ListVaultSecretsRequest.Builder ask =
        ListVaultSecretsRequest.newBuilder().setVaultId(ofTenant.getId()).setLimit(3);
    ListVaultSecretsResponse page = vaults.listVaultSecrets(ask.build());
    assertThat(page.getDataList()).extracting(VaultSecret::getName).containsExactly("B", "a", "b");
    ask.setCursor(page.getPage().getNextCursor());
    ListVaultSecretsResponse last = vaults.listVaultSecrets(ask.build());
    assertThat(last.getDataList()).extracting(VaultSecret::getName).containsExactly("c");
    assertThat(last.getPage()).isEqualTo(PageInfo.newBuilder().setHasMore(false).build());
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "cursor",
        () -> vaults.listVaultSecrets(ask.setVaultId(ofWorkspace.getId()).build()));
  }

  @Test
  void aVaultTakesAHundredSecrets() {
    for (int i = 0; i < SecretStore.MOST; i++) {
      put(ofTenant, "s" + i);
    }
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> put(ofTenant, "one-more"));
    assertThat(put(ofTenant, "s7").getVersion()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".hidden", "a b", "a/b", "..", "a\u0000"})
  void aNameIsLettersDigitsDotsAndDashes(String name) {
    assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "secret_name", () -> put(ofTenant, name));
  }

  @Test
  void aValueIsThereAndHasAtMost64Kib() {
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "value",
        () -> SampleVaults.put(owner, ofTenant.getId(), "empty", ""));
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "value",
        () -> SampleVaults.put(owner, ofTenant.getId(), "long", "é".repeat(32 * 1024) + "x"));
    SampleVaults.put(owner, ofTenant.getId(), "long", "é".repeat(32 * 1024));
  }

  @Test
  void aVaultThatIsNotWritableOrOfAnotherProviderTakesNoSecret() {
    Vault changed =
        vaults.updateVault(
            UpdateVaultRequest.newBuilder()
                .setVaultId(ofTenant.getId())
                .setUpdateMask(FieldMask.newBuilder().addPaths("capabilities"))
                .build());
    assertThat(changed.getCapabilitiesList()).isEmpty();
    assertRefused(ErrorCode.ERROR_CODE_POLICY_VIOLATION, "", () -> put(ofTenant, "a"));
    assertRefused(ErrorCode.ERROR_CODE_POLICY_VIOLATION, "", () -> delete(vaults, ofTenant, "a"));
    Vault elsewhere = vaults.createVault(SampleVaults.described().setProvider("somewhere").build());
    assertRefused(ErrorCode.ERROR_CODE_INVALID_REQUEST, "vault_id", () -> put(elsewhere, "a"));
  }

  @Test
  void whoReachesOneWorkspaceSeesItsVaultsAndWhatAllShareAndChangesItsOwn() {
    VaultServiceBlockingStub narrow =
        VaultServiceGrpc.newBlockingStub(core.of(CoreFixture.TENANT, CoreFixture.WORKSPACE));

    assertThat(narrow.listVaults(ListVaultsRequest.getDefaultInstance()).getDataList())
        .containsExactly(ofTenant);
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> get(narrow, ofWorkspace));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> delete(narrow, ofWorkspace, "a"));
    assertRefused(ErrorCode.ERROR_CODE_PERMISSION_DENIED, "", () -> delete(narrow, ofTenant, "a"));
    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "",
        () -> narrow.createVault(SampleVaults.described().build()));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "workspace_id",
        () -> narrow.createVault(SampleVaults.described().setWorkspaceId(other).build()));
    Channel own = core.of(CoreFixture.TENANT, other);
    SampleVaults.put(own, ofWorkspace.getId(), "mine", VALUE);
  }

  @Test
  void anotherTenantSeesNoneOfThem() {
    VaultServiceBlockingStub stranger = VaultServiceGrpc.newBlockingStub(core.of("another"));

    assertThat(stranger.listVaults(ListVaultsRequest.getDefaultInstance()).getDataList()).isEmpty();
    assertRefused(ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> get(stranger, ofTenant));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> delete(stranger, ofTenant, "a"));
  }

  @Test
  void aSessionIsGivenVaultsOfItsOwnWorkspaceOrOfAll() {
    var sessions = SessionServiceGrpc.newBlockingStub(owner);
    CreateSessionRequest given =
        CreateSessionRequest.newBuilder()
            .setWorkspaceId(other)
            .addVaultIds(ofWorkspace.getId())
            .addVaultIds(ofTenant.getId())
            .build();
    String[] both = {ofWorkspace.getId(), ofTenant.getId()};

    String session = sessions.createSession(given).getId();
    assertThat(
            sessions
                .forkSession(ForkSessionRequest.newBuilder().setSessionId(session).build())
                .getVaultIdsList())
        .containsExactly(both);
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "vault_ids[0]",
        () ->
            sessions.createSession(
                given.toBuilder().setWorkspaceId(CoreFixture.WORKSPACE).build()));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "vault_ids[2]",
        () -> sessions.createSession(given.toBuilder().addVaultIds("vault_none").build()));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND,
        "vault_ids[0]",
        () ->
            SessionServiceGrpc.newBlockingStub(core.scoped(Set.of("sessions:write")))
                .createSession(given));
  }

  @Test
  void noRowAndNoAnswerHoldsAValueAndTheSameOneNeverLooksTheSame() {
    VaultSecret told = put(ofTenant, "token");
    byte[] first = row("token");
    VaultSecret again = put(ofTenant, "token");

    assertThat(told.toString() + again).doesNotContain(VALUE);
    assertThat(row("token")).isNotEqualTo(first);
    List<KeyValue> rows = core.store().read(tr -> tr.getRange(ALL, 100_000));
    assertThat(rows)
        .allSatisfy(
            row ->
                assertThat(new String(row.value(), StandardCharsets.ISO_8859_1))
                    .doesNotContain(VALUE));
  }

  @Test
  void anOpenedSecretIsPrintedWithoutItsValue() {
    assertThat(new OpenedSecret("vault_1", "token", 1, VALUE).toString())
        .contains("vault_1/token")
        .doesNotContain(VALUE);
  }

  private byte[] row(String name) {
    byte[] wanted = (ofTenant.getId() + "/" + name).getBytes(StandardCharsets.UTF_8);
    return core.store().read(tr -> tr.getRange(ALL, 100_000)).stream()
        .filter(row -> contains(row.key(), wanted))
        .findFirst()
        .orElseThrow()
        .value();
  }

  private static boolean contains(byte[] key, byte[] wanted) {
    return new String(key, StandardCharsets.ISO_8859_1)
        .contains(new String(wanted, StandardCharsets.ISO_8859_1));
  }

  private VaultSecret put(Vault vault, String name) {
    return SampleVaults.put(owner, vault.getId(), name, VALUE);
  }

  private VaultSecret rotate(Vault vault, String name) {
    return vaults.rotateVaultSecret(
        RotateVaultSecretRequest.newBuilder()
            .setVaultId(vault.getId())
            .setSecretName(name)
            .setValue(VALUE)
            .build());
  }

  private List<VaultSecret> list(Vault vault) {
    return vaults
        .listVaultSecrets(ListVaultSecretsRequest.newBuilder().setVaultId(vault.getId()).build())
        .getDataList();
  }

  private static Vault get(VaultServiceBlockingStub vaults, Vault vault) {
    return vaults.getVault(GetVaultRequest.newBuilder().setVaultId(vault.getId()).build());
  }

  private static void delete(VaultServiceBlockingStub vaults, Vault vault, String name) {
    var unused =
        vaults.deleteVaultSecret(
            DeleteVaultSecretRequest.newBuilder()
                .setVaultId(vault.getId())
                .setSecretName(name)
                .build());
  }
}

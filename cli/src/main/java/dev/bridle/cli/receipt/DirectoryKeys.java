package dev.bridle.cli.receipt;

import dev.bridle.admin.v1.ImportedReceiptKey;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc;
import dev.bridle.admin.v1.TrustReceiptKeyRequest;
import dev.bridle.cli.admin.AdminAccess;
import dev.bridle.cli.console.Timeouts;
import dev.bridle.receipt.v1.GetReceiptKeysRequest;
import dev.bridle.receipt.v1.ReceiptServiceGrpc;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The keys of receipts as the operator of a data directory sees them, server or not. */
final class DirectoryKeys {
  private final AdminAccess access;

  DirectoryKeys(AdminAccess access) {
    this.access = access;
  }

  /** Returns the JWK set that the directory's server publishes. */
  byte[] published() {
    return access.withChannel(
        channel ->
            ReceiptServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(Timeouts.OPERATOR_CALL.toSeconds(), TimeUnit.SECONDS)
                .getReceiptKeys(GetReceiptKeysRequest.getDefaultInstance())
                .getDocument()
                .toByteArray());
  }

  /** Confirms a key that came with imports. Returns it once for each tenant that has it. */
  List<ImportedReceiptKey> trust(String key) {
    return access.withChannel(
        channel ->
            OAuthAdminServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(Timeouts.OPERATOR_CALL.toSeconds(), TimeUnit.SECONDS)
                .trustReceiptKey(TrustReceiptKeyRequest.newBuilder().setKeyId(key).build())
                .getKeysList());
  }
}

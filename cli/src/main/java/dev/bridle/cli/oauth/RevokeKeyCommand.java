package dev.bridle.cli.oauth;

import com.google.protobuf.Timestamp;
import dev.bridle.admin.v1.RevokeSigningKeyRequest;
import dev.bridle.admin.v1.RevokeSigningKeyResponse;
import java.io.PrintWriter;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Declares that others may have had a key that signs receipts, or has signed imported ones. */
@Command(
    name = "revoke",
    description = {
      "Declare that others may have had a key that signs receipts, since a time.",
      "Whoever verifies with the keys that are published from now on finds invalid what the key"
          + " signed since then. What seems older counts only in a chain whose end a sound key has"
          + " signed. If the key signs now, a new one takes its place at once. The time may only move"
          + " back later."
    },
    footer = {
      "%nExample:",
      "  bridle oauth key revoke 8q6pWyQ1 --compromised-since 2026-11-01T00:00:00Z"
    })
final class RevokeKeyCommand implements Runnable {
  @Spec private CommandSpec spec;
  @Mixin private OAuthAccess access;

  @Parameters(paramLabel = "KEY", description = "The id of the key, see 'bridle receipt keys'.")
  private String key;

  @Option(
      names = "--compromised-since",
      required = true,
      paramLabel = "TIME",
      description = "Since when others may have had it, such as 2026-11-01T00:00:00Z.")
  private Instant since;

  @Override
  public void run() {
    RevokeSigningKeyRequest request =
        RevokeSigningKeyRequest.newBuilder()
            .setKeyId(key)
            .setCompromisedSince(
                Timestamp.newBuilder().setSeconds(since.getEpochSecond()).setNanos(since.getNano()))
            .build();
    RevokeSigningKeyResponse revoked = access.with(admin -> admin.revokeSigningKey(request));
    PrintWriter out = spec.commandLine().getOut();
    if (revoked.hasKey()) {
      out.println(access.shown(revoked.getKey()));
    }
    if (revoked.hasNewKey()) {
      out.println(access.shown(revoked.getNewKey()));
    }
    revoked.getImportedKeysList().forEach(key -> out.println(access.shown(key)));
  }
}

package dev.bridle.cli.oauth;

import dev.bridle.admin.v1.ImportedReceiptKey;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc;
import dev.bridle.admin.v1.OAuthAdminServiceGrpc.OAuthAdminServiceBlockingStub;
import dev.bridle.admin.v1.SigningKey;
import dev.bridle.cli.admin.DataDirectory;
import dev.bridle.cli.console.Timeouts;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the data directory and the output format of a command. */
final class OAuthAccess {
  @Mixin private DataDirectory directory;

  @Option(names = "--json", description = "Print each as a line of JSON.")
  private boolean json;

  boolean json() {
    return json;
  }

  /** Returns a key as a line of the chosen format. */
  String shown(SigningKey key) {
    return json ? OAuthOutput.json(key).toString() : OAuthOutput.text(key);
  }

  /** Returns a key as a line of the chosen format. */
  String shown(ImportedReceiptKey key) {
    return json ? OAuthOutput.json(key).toString() : String.join("  ", OAuthOutput.cells(key));
  }

  <T> T with(Function<OAuthAdminServiceBlockingStub, T> work) {
    return directory
        .access()
        .withChannel(
            channel ->
                work.apply(
                    OAuthAdminServiceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(Timeouts.OPERATOR_CALL.toSeconds(), TimeUnit.SECONDS)));
  }
}

package dev.bridle.cli.admin;

import dev.bridle.cli.console.PrivateFile;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * The operator's credential: a random secret in a file of the data directory, readable by its owner
 * only. Anyone who can read it may use the admin service.
 */
public final class OperatorKey {
  private static final String FILE = "operator.key";
  private static final int BYTES = 32;
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private OperatorKey() {}

  /** Returns the directory's secret and creates it if it is missing. */
  public static String of(Path dataDir) throws IOException {
    Path file = dataDir.resolve(FILE);
    if (!Files.exists(file)) {
      byte[] random = new byte[BYTES];
      new SecureRandom().nextBytes(random);
      PrivateFile.write(
          file,
          "bridle_operator_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random));
    }
    return PrivateFile.read(file);
  }

  /** Returns a channel that sends the directory's secret as bearer token. */
  public static Channel on(Channel channel, Path dataDir) throws IOException {
    return withBearer(channel, of(dataDir));
  }

  /** Returns a channel that sends a secret as bearer token. */
  public static Channel withBearer(Channel channel, String secret) {
    Metadata headers = new Metadata();
    headers.put(AUTHORIZATION, "Bearer " + secret);
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }
}

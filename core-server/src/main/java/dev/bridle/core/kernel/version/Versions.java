package dev.bridle.core.kernel.version;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The versions of this server and of the protocol that it speaks. */
public final class Versions {
  /** The version of the protocol. */
  public static final String PROTOCOL = "agents-protocol-2026-04-25";

  /** The version of this server. */
  public static final String SERVER = server();

  private Versions() {}

  private static String server() {
    try (InputStream in = Versions.class.getResourceAsStream("version.properties")) {
      if (in == null) {
        throw new IllegalStateException("version.properties is missing beside Versions.class");
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

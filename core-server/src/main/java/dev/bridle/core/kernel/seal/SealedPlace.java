package dev.bridle.core.kernel.seal;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Where a sealed value belongs. It opens at its own place only, so that a value which is moved to
 * another name or tenant is refused.
 *
 * @param tenant the tenant; empty for what belongs to the installation
 * @param names what the value is called, from the outside in, such as {@code vault, vault_01j9,
 *     secret, github}
 */
public record SealedPlace(String tenant, List<String> names) {
  private static final String DOMAIN = "bridle sealed value 1";

  /** Copies the names. */
  public SealedPlace {
    names = List.copyOf(names);
  }

  /** Returns the place of a value of a tenant. */
  public static SealedPlace of(String tenant, String... names) {
    return new SealedPlace(tenant, List.of(names));
  }

  /** Returns the place of a value of the installation. */
  public static SealedPlace ofInstallation(String... names) {
    return new SealedPlace("", List.of(names));
  }

  /** Each part has its length before it, so that no two places spell alike. */
  byte[] associatedData() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    add(bytes, DOMAIN);
    add(bytes, tenant);
    names.forEach(name -> add(bytes, name));
    return bytes.toByteArray();
  }

  private static void add(ByteArrayOutputStream to, String part) {
    byte[] utf8 = part.getBytes(StandardCharsets.UTF_8);
    to.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(utf8.length).array());
    to.writeBytes(utf8);
  }
}

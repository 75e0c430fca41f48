package dev.bridle.core.kernel.seal;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The identity of a sealed value, bound to it as associated data (AEAD). A value that is moved to
 * another name or tenant can't be opened there.
 *
 * @param tenant the tenant; empty for what belongs to the installation
 * @param names the value's path, outermost name first, such as {@code vault, vault_01j9, secret,
 *     github}
 */
public record EncryptionContext(String tenant, List<String> names) {
  private static final String DOMAIN = "bridle sealed value 1";

  /** Copies the names. */
  public EncryptionContext {
    names = List.copyOf(names);
  }

  /** Returns the context of a value of a tenant. */
  public static EncryptionContext of(String tenant, String... names) {
    return new EncryptionContext(tenant, List.of(names));
  }

  /** Returns the context of a value of the installation. */
  public static EncryptionContext ofInstallation(String... names) {
    return new EncryptionContext("", List.of(names));
  }

  /** Each part is prefixed with its length, so that different contexts never have equal bytes. */
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

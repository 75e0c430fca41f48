package dev.bridle.cli.up;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.bridle.cli.console.PrivateFile;
import dev.bridle.cli.tls.CertificateFileException;
import dev.bridle.cli.tls.Trust;
import dev.bridle.core.integrations.enforcer.remote.RelayCredential;
import dev.bridle.core.integrations.enforcer.remote.RelayTarget;
import dev.bridle.core.integrations.enforcer.remote.RelayTargets;
import dev.bridle.core.work.tenant.Tenants;
import dev.bridle.proof.hash.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.TrustManager;

/**
 * The file of the relays elsewhere: a JSON object with one member, {@code relays}, which has an
 * object for each relay by its name. What is not known is refused, so that a mistyped pin does not
 * leave a relay without one.
 */
final class HarpRelayFile {
  private static final Set<String> MEMBERS =
      Set.of("url", "token_file", "ca_file", "key_pin", "enforcer", "tenants");

  private static final int MOST_RELAYS = 100;
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(JsonParser.Feature.ALLOW_COMMENTS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final String name;
  private final JsonNode json;
  private final Path folder;

  private HarpRelayFile(String name, JsonNode json, Path folder) {
    this.name = name;
    this.json = json;
    this.folder = folder;
  }

  /**
   * Reads a file. Files that it names are relative to its folder.
   *
   * @throws IllegalArgumentException with a clause that follows the file's name
   */
  static RelayTargets read(Path file) {
    Path absolute = file.toAbsolutePath();
    try {
      return parse(Files.readString(absolute), absolute.getParent());
    } catch (IOException e) {
      throw new IllegalArgumentException("it can't be read: " + e, e);
    }
  }

  /** Returns the files of credentials that a file names, which {@link #read} has accepted. */
  static List<Path> tokenFiles(Path file) {
    Path absolute = file.toAbsolutePath();
    try {
      List<Path> files = new ArrayList<>();
      for (JsonNode relay : MAPPER.readTree(Files.readString(absolute)).path("relays")) {
        files.add(absolute.resolveSibling(relay.path("token_file").asText()));
      }
      return files;
    } catch (IOException e) {
      throw new IllegalArgumentException("it can't be read: " + e, e);
    }
  }

  private static RelayTargets parse(String text, Path folder) {
    JsonNode whole;
    try {
      whole = MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      // Not the cause, which quotes the line: somebody may have put a token there.
      throw new IllegalArgumentException("no JSON at line " + e.getLocation().getLineNr());
    }
    if (!whole.isObject() || whole.size() != 1 || !whole.path("relays").isObject()) {
      throw new IllegalArgumentException("expected an object with one member, 'relays'");
    }
    if (whole.path("relays").size() > MOST_RELAYS) {
      throw new IllegalArgumentException("expected at most " + MOST_RELAYS + " relays");
    }
    List<RelayTarget> read = new ArrayList<>();
    whole
        .path("relays")
        .properties()
        .forEach(
            each -> read.add(new HarpRelayFile(each.getKey(), each.getValue(), folder).target()));
    return new RelayTargets(read);
  }

  private RelayTarget target() {
    if (!json.isObject()) {
      throw wrong("must be an object");
    }
    json.fieldNames()
        .forEachRemaining(
            member -> {
              if (!MEMBERS.contains(member)) {
                throw wrong("has an unknown member '" + member + "'");
              }
            });
    String url = need("url");
    String enforcer = text("enforcer").orElse(RelayTarget.DEFAULT_ENFORCER);
    RelayCredential credential = credential();
    Optional<TrustManager> trust = trust();
    Set<String> tenants = tenants();
    try {
      return new RelayTarget(name, RelayTarget.url(url), enforcer, credential, trust, tenants);
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage());
    }
  }

  private RelayCredential credential() {
    Path file = folder.resolve(need("token_file"));
    try {
      var unused = PrivateFile.read(file);
    } catch (IOException e) {
      throw wrong("has a token_file that can't be read: " + e.getMessage());
    }
    return () -> PrivateFile.read(file);
  }

  private Optional<TrustManager> trust() {
    Optional<String> ca = text("ca_file");
    Optional<String> pin = text("key_pin");
    if (ca.isPresent() && pin.isPresent()) {
      throw wrong("has both a ca_file and a key_pin; one of them decides");
    }
    if (pin.isPresent()) {
      return Optional.of(
          Trust.ofOnePublicKey(
              Sha256.parse(pin.get())
                  .orElseThrow(() -> wrong("needs sha256: and 64 hexadecimal digits as key_pin"))));
    }
    try {
      return ca.isPresent()
          ? Optional.of(Trust.managerOfCa(folder.resolve(ca.get())))
          : Optional.empty();
    } catch (CertificateFileException e) {
      throw wrong("has a ca_file that can't be used: " + e.getMessage());
    }
  }

  private Set<String> tenants() {
    if (!json.has("tenants")) {
      return Set.of(Tenants.DEFAULT);
    }
    Set<String> read = new HashSet<>();
    for (JsonNode each : json.get("tenants")) {
      if (!each.isTextual()) {
        throw wrong("needs a list of names as tenants");
      }
      read.add(each.textValue());
    }
    if (read.isEmpty()) {
      throw wrong("needs a list of names as tenants");
    }
    return read;
  }

  private String need(String member) {
    return text(member).orElseThrow(() -> wrong("needs a text as " + member));
  }

  private Optional<String> text(String member) {
    JsonNode given = json.path(member);
    if (given.isMissingNode()) {
      return Optional.empty();
    }
    if (!given.isTextual() || given.textValue().isBlank()) {
      throw wrong("needs a text as " + member);
    }
    return Optional.of(given.textValue());
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException("the relay '" + name + "' " + what);
  }
}

package dev.bridle.host.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.host.acp.OfferedSettings;
import dev.bridle.host.acp.OpenedSession;
import dev.bridle.host.rpc.BadJson;
import dev.bridle.host.rpc.RawJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers what modes and options runtimes have offered when they opened a session last, in a file
 * beside each one's home.
 */
public final class KnownOffers {
  private static final Logger log = LoggerFactory.getLogger(KnownOffers.class);
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final List<String> MEMBERS = List.of("modes", "configOptions");
  private static final int MOST_BYTES = 256 << 10;

  private final Path homes;

  /** Creates the memory of runtimes whose homes are in a folder. */
  public KnownOffers(Path homes) {
    this.homes = homes;
  }

  private Path file(String runtime) {
    return homes.resolve(runtime + ".offers.json");
  }

  /** Remembers what a runtime offers; one that offers too much, or nothing, is not remembered. */
  public void remember(String runtime, OpenedSession opened) {
    try {
      JsonNode whole = opened.whole().json();
      ObjectNode offered = JsonNodeFactory.instance.objectNode();
      MEMBERS.stream().filter(whole::has).forEach(name -> offered.set(name, whole.get(name)));
      byte[] bytes = MAPPER.writeValueAsBytes(offered);
      if (offered.isEmpty() || bytes.length > MOST_BYTES) {
        Files.deleteIfExists(file(runtime));
        return;
      }
      Path fresh = Files.createTempFile(homes, "offers", ".json");
      Files.write(fresh, bytes);
      // Replaces a link that an agent may have put there, and follows none.
      Files.move(fresh, file(runtime), StandardCopyOption.ATOMIC_MOVE);
    } catch (BadJson | IOException e) {
      log.warn("What the runtime {} offers is not remembered: {}", runtime, e.getMessage());
    }
  }

  /** Returns what a runtime has offered last; empty if that is not known. All texts are its own. */
  public Optional<OfferedSettings> of(String runtime) {
    Path file = file(runtime);
    try {
      if (!Files.isRegularFile(file) || Files.size(file) > MOST_BYTES) {
        return Optional.empty();
      }
      return Optional.of(OfferedSettings.of(RawJson.of(MAPPER.readTree(Files.readAllBytes(file)))));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}

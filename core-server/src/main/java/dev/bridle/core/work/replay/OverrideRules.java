package dev.bridle.core.work.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.proof.hash.Sha256;
import dev.bridle.proof.json.CanonicalJson;
import dev.bridle.proof.json.InvalidJsonException;
import dev.bridle.proof.json.StrictJson;
import dev.bridle.replay.v1.ReplayOverride;
import dev.bridle.replay.v1.ReplayOverrideKind;
import java.util.Optional;

/** Decides whether an override can replace a recorded value. */
final class OverrideRules {
  private OverrideRules() {}

  /** Returns the name of a member of an override, for errors. */
  static String member(String key, String name) {
    return "override[" + key + "]." + name;
  }

  /**
   * Checks all of an override that needs no record, unless it is one of a secret.
   *
   * @param key the key of the recorded value
   */
  static void check(String key, ReplayOverride override) {
    if (key.startsWith(RunSteps.RESERVED)) {
      throw ProtocolException.invalid(
          "override", "names `" + key + "`, and keys that begin so are those of replays");
    }
    if (!fits(override.getKind(), prefix(key))) {
      throw ProtocolException.invalid(
          member(key, "kind"), "does not fit the key, whose prefix says what was recorded");
    }
    if (override.hasTarget() && !names(key, override.getTarget())) {
      throw ProtocolException.invalid(
          member(key, "target"), "must be the key, or what follows the prefix in it");
    }
    boolean hasArtifact = override.hasArtifactId();
    if (override.getValue().isEmpty() != hasArtifact) {
      throw ProtocolException.invalid(
          member(key, "value"), "must be given, or else an `artifact_id`; not both");
    }
  }

  private static boolean fits(ReplayOverrideKind kind, String prefix) {
    return switch (kind) {
      case REPLAY_OVERRIDE_KIND_LLM_PROVIDER_RESPONSE -> prefix.equals("llm");
      case REPLAY_OVERRIDE_KIND_MCP_TOOL_RETURN -> prefix.equals("mcp");
      case REPLAY_OVERRIDE_KIND_TIME -> prefix.equals("time");
      case REPLAY_OVERRIDE_KIND_HOST_FACT ->
          !(prefix.equals("llm") || prefix.equals("mcp") || prefix.equals("time"));
      default -> true;
    };
  }

  /** Returns what a key begins with that says what was recorded; may be empty. */
  static String prefix(String key) {
    int colon = key.indexOf(':');
    return colon < 0 ? "" : key.substring(0, colon);
  }

  /** A target may leave out the prefix, and what comes after a further colon. */
  static boolean names(String key, String target) {
    String rest = key.substring(key.indexOf(':') + 1);
    return key.equals(target) || rest.equals(target) || rest.startsWith(target + ":");
  }

  /**
   * Checks what replaces a value.
   *
   * @param bytes as it was given
   * @return the SHA-256 of its canonical form
   */
  static Sha256 hash(String key, ReplayOverride override, byte[] bytes) {
    Sha256 canonical = Sha256.of(CanonicalJson.bytes(parsed(key, override, bytes)));
    if (override.hasSha256()) {
      Sha256 given = override.hasArtifactId() ? Sha256.of(bytes) : canonical;
      if (!Optional.of(given).equals(Sha256.parse(override.getSha256()))) {
        throw ProtocolException.invalid(
            member(key, "sha256"),
            override.hasArtifactId()
                ? "is not the SHA-256 of the artifact's content"
                : "is not the SHA-256 of the value's canonical form (RFC 8785)");
      }
    }
    return canonical;
  }

  private static JsonNode parsed(String key, ReplayOverride override, byte[] bytes) {
    try {
      return StrictJson.parse(bytes);
    } catch (InvalidJsonException e) {
      throw ProtocolException.invalid(
          member(key, override.hasArtifactId() ? "artifact_id" : "value"),
          "has no canonical form (RFC 8785): " + e.getMessage());
    }
  }
}

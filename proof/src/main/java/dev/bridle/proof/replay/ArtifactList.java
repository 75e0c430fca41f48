package dev.bridle.proof.replay;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Compares the hashes of the final artifacts with the newest event of each. */
final class ArtifactList implements ListFold {
  private static final String CHECK = "final_artifacts";
  private static final String POINTER = "/final_artifacts";
  private static final String ID = "artifact_id";
  private static final String HASH = "sha256";

  private final List<JsonNode> listed;
  private final Map<String, Optional<JsonNode>> newest = new LinkedHashMap<>();
  private long hidden;

  ArtifactList(SourceReceipt source) {
    this.listed = source.list(POINTER);
    listed.forEach(artifact -> newest.put(artifact.path(ID).asText(), Optional.empty()));
  }

  @Override
  public void add(LogLine line) {
    if (!line.event().equals("artifact.created") && !line.event().equals("artifact.updated")) {
      return;
    }
    Optional<JsonNode> payload = line.json();
    if (payload.isEmpty()) {
      hidden++;
    } else {
      newest.computeIfPresent(payload.get().path(ID).asText(), (id, before) -> payload);
    }
  }

  @Override
  public ReplayCheck finish() throws ReplayException {
    long hashed = 0;
    for (int i = 0; i < listed.size(); i++) {
      JsonNode artifact = listed.get(i);
      Optional<JsonNode> event = newest.get(artifact.path(ID).asText());
      String pointer = POINTER + "/" + i;
      if (event.isPresent()) {
        demand(
            pointer + "/kind", artifact.path("kind").asText(), event.get().path("kind").asText());
        if (artifact.has(HASH)) {
          String found = event.get().path(HASH).asText().toLowerCase(Locale.ROOT);
          demand(pointer + "/" + HASH, artifact.path(HASH).asText(), "sha256:" + found);
          hashed++;
        }
      } else if (hidden == 0) {
        throw new ReplayException(
            ReplayFault.diverged(pointer, "an event of " + artifact.path(ID).asText(), "none"));
      }
    }
    String detail =
        listed.isEmpty() ? "none" : hashed + " of " + listed.size() + " hashes are as in the log";
    return hidden > 0 && hashed < listed.size()
        ? ReplayCheck.notChecked(CHECK, detail + "; the events of others are not disclosed")
        : ReplayCheck.passed(
            CHECK, hashed < listed.size() ? detail + "; the receipt has no others" : detail);
  }

  private static void demand(String what, String expected, String found) throws ReplayException {
    if (!expected.equals(found)) {
      throw new ReplayException(ReplayFault.diverged(what, expected, found));
    }
  }
}

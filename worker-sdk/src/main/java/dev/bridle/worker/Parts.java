package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.message.v1.ArtifactRefPart;
import dev.bridle.message.v1.JsonPart;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.TextPart;

/** Makes the parts of a message, visible to everybody who may read it. */
public final class Parts {
  private Parts() {}

  /** Returns a part of plain text. */
  public static Part text(String text) {
    return Part.newBuilder()
        .setText(TextPart.newBuilder().setText(text).setVisibility(Visibility.VISIBILITY_PUBLIC))
        .build();
  }

  /** Returns a part that holds any JSON value. */
  public static Part json(JsonNode value) {
    return Part.newBuilder()
        .setJson(
            JsonPart.newBuilder()
                .setValue(Json.bytes(value))
                .setVisibility(Visibility.VISIBILITY_PUBLIC))
        .build();
  }

  /** Returns a part that points at a stored artifact. */
  public static Part artifact(String artifactId) {
    return Part.newBuilder()
        .setArtifactRef(
            ArtifactRefPart.newBuilder()
                .setArtifactId(artifactId)
                .setVisibility(Visibility.VISIBILITY_PUBLIC))
        .build();
  }
}

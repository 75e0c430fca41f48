package dev.bridle.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.api.v1.Visibility;
import dev.bridle.message.v1.ArtifactRefPart;
import dev.bridle.message.v1.JsonPart;
import dev.bridle.message.v1.Part;
import dev.bridle.message.v1.TextPart;

/** Creates message parts that are visible to all readers of the message. */
public final class Parts {
  private Parts() {}

  /** Returns a text part. */
  public static Part text(String text) {
    return Part.newBuilder()
        .setText(TextPart.newBuilder().setText(text).setVisibility(Visibility.VISIBILITY_PUBLIC))
        .build();
  }

  /** Returns a part with a JSON value. */
  public static Part json(JsonNode value) {
    return Part.newBuilder()
        .setJson(
            JsonPart.newBuilder()
                .setValue(Json.bytes(value))
                .setVisibility(Visibility.VISIBILITY_PUBLIC))
        .build();
  }

  /** Returns a part that refers to a stored artifact. */
  public static Part artifact(String artifactId) {
    return Part.newBuilder()
        .setArtifactRef(
            ArtifactRefPart.newBuilder()
                .setArtifactId(artifactId)
                .setVisibility(Visibility.VISIBILITY_PUBLIC))
        .build();
  }
}

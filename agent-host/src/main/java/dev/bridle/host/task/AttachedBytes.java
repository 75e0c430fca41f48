package dev.bridle.host.task;

/** The bytes of an image, of audio or of a resource, with what the agent says that they are. */
final class AttachedBytes {
  private final String mimeType;
  private final byte[] content;

  AttachedBytes(String mimeType, byte[] content) {
    this.mimeType = mimeType;
    this.content = content.clone();
  }

  String mimeType() {
    return mimeType;
  }

  byte[] content() {
    return content.clone();
  }

  int length() {
    return content.length;
  }
}

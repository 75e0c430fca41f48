package dev.bridle.core.work.artifact;

import com.google.protobuf.ByteString;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Computes the SHA-256 of content that arrives in chunks. */
final class ContentHash {
  private final MessageDigest digest;

  ContentHash() {
    try {
      this.digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  void add(ByteString piece) {
    piece.asReadOnlyByteBufferList().forEach(digest::update);
  }

  /** Returns the hash in lower-case hex; nothing may be added afterwards. */
  String hex() {
    return HexFormat.of().formatHex(digest.digest());
  }
}

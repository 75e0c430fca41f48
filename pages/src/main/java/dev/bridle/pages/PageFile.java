package dev.bridle.pages;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** A file of a page. Immutable. */
public final class PageFile {
  private final String name;
  private final String type;
  private final byte[] bytes;
  private final byte[] compressed;
  private final String sha256;

  PageFile(String name, String type, byte[] bytes) {
    this.name = name;
    this.type = type;
    this.bytes = bytes.clone();
    this.compressed = gzip(bytes);
    this.sha256 = hash(bytes);
  }

  /** Returns its path below the page's own, such as {@code index.html}. */
  public String name() {
    return name;
  }

  /** Returns its media type. */
  public String type() {
    return type;
  }

  /** Returns its content. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Returns its content as gzip. */
  public byte[] compressed() {
    return compressed.clone();
  }

  /** Returns the SHA-256 of its content, in hex. */
  public String sha256() {
    return sha256;
  }

  private static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new Tight(out)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Files are compressed once, at the start. */
  private static final class Tight extends GZIPOutputStream {
    Tight(ByteArrayOutputStream out) throws IOException {
      super(out);
      def.setLevel(Deflater.BEST_COMPRESSION);
    }
  }

  private static String hash(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}

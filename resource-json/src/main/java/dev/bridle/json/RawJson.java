package dev.bridle.json;

import com.fasterxml.jackson.core.SerializableString;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Lets a generator write free-form JSON as raw bytes, without decoding it to characters. */
final class RawJson implements SerializableString {

  private final ByteString json;

  RawJson(ByteString json) {
    this.json = json;
  }

  @Override
  public String getValue() {
    return json.toStringUtf8();
  }

  @Override
  public int charLength() {
    return getValue().length();
  }

  @Override
  public char[] asQuotedChars() {
    return getValue().toCharArray();
  }

  @Override
  public byte[] asUnquotedUTF8() {
    return json.toByteArray();
  }

  @Override
  public byte[] asQuotedUTF8() {
    return asUnquotedUTF8();
  }

  @Override
  public int appendQuotedUTF8(byte[] buffer, int offset) {
    return appendUnquotedUTF8(buffer, offset);
  }

  @Override
  public int appendQuoted(char[] buffer, int offset) {
    return appendUnquoted(buffer, offset);
  }

  @Override
  public int appendUnquotedUTF8(byte[] buffer, int offset) {
    if (json.size() > buffer.length - offset) {
      return -1;
    }
    json.copyTo(buffer, offset);
    return json.size();
  }

  @Override
  public int appendUnquoted(char[] buffer, int offset) {
    String text = getValue();
    if (text.length() > buffer.length - offset) {
      return -1;
    }
    text.getChars(0, text.length(), buffer, offset);
    return text.length();
  }

  @Override
  public int writeQuotedUTF8(OutputStream out) throws IOException {
    return writeUnquotedUTF8(out);
  }

  @Override
  public int writeUnquotedUTF8(OutputStream out) throws IOException {
    json.writeTo(out);
    return json.size();
  }

  @Override
  public int putQuotedUTF8(ByteBuffer buffer) {
    return putUnquotedUTF8(buffer);
  }

  @Override
  public int putUnquotedUTF8(ByteBuffer buffer) {
    byte[] bytes = getValue().getBytes(StandardCharsets.UTF_8);
    if (bytes.length > buffer.remaining()) {
      return -1;
    }
    buffer.put(bytes);
    return bytes.length;
  }
}

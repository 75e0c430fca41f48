package dev.bridle.core.operations.portability;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/**
 * Counts the fields of messages of a file before they are parsed: an empty message takes two bytes
 * there, and many times that in memory. Not thread-safe.
 */
final class FieldCount {
  /** Many times what anything has that a server stores. */
  static final int MOST = 500_000;

  private static final int MOST_LEVELS = 100;

  private int left = MOST;

  /**
   * Counts the fields of a message.
   *
   * @throws dev.bridle.core.kernel.error.ProtocolException {@code invalid_request} if there are too
   *     many, with those that were counted before, or the bytes are no message
   */
  void add(Descriptor type, ByteString message) {
    try {
      walk(type, message.newCodedInput(), 0);
    } catch (IOException e) {
      throw Entries.invalidFile("an entry of it can't be read");
    }
  }

  private void walk(Descriptor type, CodedInputStream in, int level) throws IOException {
    int tag = in.readTag();
    while (tag != 0) {
      left--;
      if (left < 0 || level > MOST_LEVELS) {
        throw Entries.invalidFile("an entry of it has more fields than anything that is stored");
      }
      if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_START_GROUP) {
        throw Entries.invalidFile("an entry of it has a group, which nothing that is stored has");
      }
      FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
      boolean isMessage =
          field != null
              && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
              && WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
      if (isMessage) {
        int outer = in.pushLimit(in.readRawVarint32());
        walk(field.getMessageType(), in, level + 1);
        in.popLimit(outer);
      } else if (!in.skipField(tag)) {
        return;
      }
      tag = in.readTag();
    }
  }
}

package dev.bridle.json;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import dev.bridle.api.v1.Options;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Messages whose every value follows from its field's number, so that a new field changes no value
 * of another.
 */
final class SampleMessages {
  private static final String DESCRIPTORS = "/dev/bridle/proto/descriptors.binpb";
  private static final int DEEPEST = 4;

  private SampleMessages() {}

  /**
   * Returns an empty message of each type of the contract, by full name, without stored records.
   */
  static Map<String, Message> contract() throws IOException {
    Map<String, Message> all = new TreeMap<>();
    try (InputStream in = SampleMessages.class.getResourceAsStream(DESCRIPTORS)) {
      for (FileDescriptorProto file : FileDescriptorSet.parseFrom(in).getFileList()) {
        if (file.getName().startsWith("bridle/") && !file.getName().contains("/record/")) {
          String home = file.getOptions().getJavaPackage();
          for (DescriptorProto message : file.getMessageTypeList()) {
            Message prototype = generated(home + "." + message.getName());
            all.put(prototype.getDescriptorForType().getFullName(), prototype);
          }
        }
      }
    }
    return all;
  }

  private static Message generated(String className) {
    try {
      return (Message) Class.forName(className).getMethod("getDefaultInstance").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("The generated class " + className + " can't be used.", e);
    }
  }

  /**
   * Returns whether a type is a resource, rather than a request, a list or a part of a resource.
   */
  static boolean isResource(Descriptor type) {
    String constant = type.getOptions().getExtension(Options.message).getConstant();
    return constant.startsWith("object=") && !constant.equals("object=list");
  }

  /**
   * Returns a message with all its fields set. Of a union, a list has an element for each branch.
   *
   * @param variation selects the branch of unions that are no list elements
   */
  static Message filled(Message prototype, int variation) {
    return filled(prototype.newBuilderForType(), variation, 0);
  }

  /** Returns a message with all values that can be present and yet equal their default. */
  static Message zeros(Message prototype) {
    Message.Builder builder = prototype.newBuilderForType();
    for (FieldDescriptor field : prototype.getDescriptorForType().getFields()) {
      if (field.isRepeated() && !field.isMapField()) {
        builder.addRepeatedField(field, zero(builder, field));
      } else if (field.hasPresence() && field.getRealContainingOneof() == null) {
        builder.setField(field, zero(builder, field));
      }
    }
    return builder.build();
  }

  private static Object zero(Message.Builder parent, FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case MESSAGE -> parent.newBuilderForField(field).build();
      case STRING -> "";
      case BYTE_STRING -> ByteString.EMPTY;
      case ENUM -> field.getEnumType().findValueByNumber(0);
      case BOOLEAN -> false;
      case INT -> 0;
      case LONG -> 0L;
      case FLOAT -> 0f;
      case DOUBLE -> 0d;
    };
  }

  private static Message filled(Message.Builder builder, int variation, int depth) {
    Descriptor type = builder.getDescriptorForType();
    if (type.getFullName().equals(Timestamp.getDescriptor().getFullName())) {
      return Timestamp.newBuilder().setSeconds(1_777_143_600L + depth).setNanos(7_654_321).build();
    }
    for (FieldDescriptor field : type.getFields()) {
      boolean chosen =
          field.getRealContainingOneof() == null
              || field.getRealContainingOneof().getFields().indexOf(field)
                  == variation % field.getRealContainingOneof().getFieldCount();
      boolean tooDeep = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && depth == DEEPEST;
      if (chosen && !tooDeep) {
        fill(builder, field, variation, depth);
      }
    }
    return builder.build();
  }

  private static void fill(
      Message.Builder builder, FieldDescriptor field, int variation, int depth) {
    if (field.isRepeated()) {
      for (int element = 0; element < elements(field); element++) {
        builder.addRepeatedField(field, value(builder, field, element, depth));
      }
    } else {
      builder.setField(field, value(builder, field, variation, depth));
    }
  }

  private static int elements(FieldDescriptor field) {
    if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE || field.isMapField()) {
      return 2;
    }
    return field.getMessageType().getRealOneofs().stream()
        .mapToInt(oneof -> oneof.getFieldCount())
        .max()
        .orElse(1);
  }

  private static Object value(
      Message.Builder parent, FieldDescriptor field, int variation, int depth) {
    int number = field.getNumber() + variation;
    return switch (field.getJavaType()) {
      case INT -> -number;
      case LONG -> 9_007_199_254_740_993L + number;
      case FLOAT -> number + 0.25f;
      case DOUBLE -> number % 2 == 0 ? (double) number : number + 1.5e-7;
      case BOOLEAN -> true;
      case STRING -> field.getName() + " \"" + number + "\"\n\u0001é\u2028😀";
      case BYTE_STRING -> ByteString.copyFromUtf8("{ \"" + number + "\": [1.50,\"\\u00e9é\"]}");
      case ENUM -> named(field, number);
      case MESSAGE -> filled(parent.newBuilderForField(field), variation, depth + 1);
    };
  }

  private static EnumValueDescriptor named(FieldDescriptor field, int number) {
    List<EnumValueDescriptor> values = new ArrayList<>(field.getEnumType().getValues());
    values.removeIf(value -> value.getNumber() == 0);
    return values.get(number % values.size());
  }
}

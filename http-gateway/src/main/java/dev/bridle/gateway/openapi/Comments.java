package dev.bridle.gateway.openapi;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The comments of the .proto files, by the full name of the commented element. */
final class Comments {

  private static final int MESSAGES = FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER;
  private static final int ENUMS = FileDescriptorProto.ENUM_TYPE_FIELD_NUMBER;
  private static final int SERVICES = FileDescriptorProto.SERVICE_FIELD_NUMBER;
  private static final int METHODS = ServiceDescriptorProto.METHOD_FIELD_NUMBER;
  private static final int FIELDS = DescriptorProto.FIELD_FIELD_NUMBER;
  private static final int NESTED = DescriptorProto.NESTED_TYPE_FIELD_NUMBER;

  private final Map<String, String> byName = new HashMap<>();

  Comments(Collection<FileDescriptorProto> files) {
    for (FileDescriptorProto file : files) {
      read(file);
    }
  }

  /** Returns the comment of an element as one paragraph; empty if there is none. */
  String of(String fullName) {
    return byName.getOrDefault(fullName, "");
  }

  /** Returns the first sentence of a comment. */
  static String summary(String comment) {
    int stop = comment.indexOf(". ");
    int semicolon = comment.indexOf("; ");
    int end = stop < 0 || (semicolon > 0 && semicolon < stop) ? semicolon : stop;
    return end < 0 ? comment : comment.substring(0, end) + ".";
  }

  private void read(FileDescriptorProto file) {
    Map<List<Integer>, String> byPath = new HashMap<>();
    for (Location location : file.getSourceCodeInfo().getLocationList()) {
      String text = location.getLeadingComments().replaceAll("\\s+", " ").strip();
      if (!text.isEmpty()) {
        byPath.put(location.getPathList(), text);
      }
    }
    for (int i = 0; i < file.getMessageTypeCount(); i++) {
      message(file.getPackage(), file.getMessageType(i), List.of(MESSAGES, i), byPath);
    }
    for (int i = 0; i < file.getEnumTypeCount(); i++) {
      EnumDescriptorProto type = file.getEnumType(i);
      put(file.getPackage() + "." + type.getName(), List.of(ENUMS, i), byPath);
    }
    for (int i = 0; i < file.getServiceCount(); i++) {
      ServiceDescriptorProto service = file.getService(i);
      String name = file.getPackage() + "." + service.getName();
      put(name, List.of(SERVICES, i), byPath);
      for (int j = 0; j < service.getMethodCount(); j++) {
        put(name + "." + service.getMethod(j).getName(), List.of(SERVICES, i, METHODS, j), byPath);
      }
    }
  }

  private void message(
      String scope,
      DescriptorProto message,
      List<Integer> path,
      Map<List<Integer>, String> byPath) {
    String name = scope + "." + message.getName();
    put(name, path, byPath);
    for (int i = 0; i < message.getFieldCount(); i++) {
      put(name + "." + message.getField(i).getName(), under(path, FIELDS, i), byPath);
    }
    for (int i = 0; i < message.getNestedTypeCount(); i++) {
      message(name, message.getNestedType(i), under(path, NESTED, i), byPath);
    }
  }

  private void put(String name, List<Integer> path, Map<List<Integer>, String> byPath) {
    String text = byPath.get(path);
    if (text != null) {
      byName.put(name, text);
    }
  }

  private static List<Integer> under(List<Integer> path, int kind, int index) {
    List<Integer> longer = new ArrayList<>(path);
    longer.add(kind);
    longer.add(index);
    return longer;
  }
}

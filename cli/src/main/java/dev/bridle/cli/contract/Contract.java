package dev.bridle.cli.contract;

import build.buf.validate.FieldRules;
import build.buf.validate.ValidateProto;
import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.bridle.api.v1.FieldRule;
import dev.bridle.api.v1.Options;
import dev.bridle.json.EnumSpelling;
import java.util.List;

/** Reads what the contract says of REST from the descriptors of generated classes. */
public final class Contract {
  private Contract() {}

  /**
   * An operation of REST.
   *
   * @param verb the HTTP method
   * @param path the path template, such as {@code /v1/sessions/{session_id}}
   */
  public record Operation(String verb, String path, Descriptor request, Descriptor response) {

    /** Returns whether the path names a field of the request. */
    public boolean hasInPath(FieldDescriptor field) {
      return path.contains("{" + field.getName() + "}");
    }

    /** Returns the last word of the path that is no parameter. */
    public String collection() {
      return path.replaceAll("/\\{\\w+\\}$", "").replaceAll(".*/", "").replaceAll("[_-]", " ");
    }

    /** Returns whether the operation reads a collection. */
    public boolean isList() {
      return verb.equals("GET") && !path.endsWith("}");
    }

    /** Returns whether the operation changes members of a resource. */
    public boolean isUpdate() {
      return verb.equals("PATCH");
    }
  }

  /**
   * Returns the operations of a service, in the order of declaration.
   *
   * @param service the full name of a service whose file has its name
   */
  public static List<Operation> operations(String service) {
    try {
      FileDescriptor file =
          (FileDescriptor)
              Class.forName("dev." + service + "OuterClass")
                  .getMethod("getDescriptor")
                  .invoke(null);
      return file.getServices().get(0).getMethods().stream().map(Contract::operation).toList();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("The generated class of " + service + " can't be used.", e);
    }
  }

  private static Operation operation(MethodDescriptor method) {
    HttpRule http = method.getOptions().getExtension(AnnotationsProto.http);
    String path =
        switch (http.getPatternCase()) {
          case GET -> http.getGet();
          case PUT -> http.getPut();
          case POST -> http.getPost();
          case DELETE -> http.getDelete();
          default -> http.getPatch();
        };
    return new Operation(
        http.getPatternCase().name(), path, method.getInputType(), method.getOutputType());
  }

  /** Returns the fields of a message that are members of its JSON object. */
  public static List<FieldDescriptor> members(Descriptor message) {
    return message.getFields().stream()
        .filter(field -> !rule(field).getHidden() && rule(field).getHeader().isEmpty())
        .toList();
  }

  /** Returns the options of a field. */
  public static FieldRule rule(FieldDescriptor field) {
    return field.getOptions().getExtension(Options.field);
  }

  /** Returns whether JSON must have a member, and not as null. */
  public static boolean isRequired(FieldDescriptor field) {
    FieldRules limits = field.getOptions().getExtension(ValidateProto.field);
    return limits.getRequired()
        || limits.getMap().getMinPairs() > 0
        || (rule(field).getRequired() && !rule(field).getNullable());
  }

  /** Returns the values that a member may have, in JSON's spelling; empty if it may have any. */
  public static List<String> values(FieldDescriptor field) {
    if (field.getJavaType() != FieldDescriptor.JavaType.ENUM) {
      return rule(field).getOnlyList();
    }
    EnumDescriptor type = field.getEnumType();
    return new EnumSpelling(type).spellings();
  }
}

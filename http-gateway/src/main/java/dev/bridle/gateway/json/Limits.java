package dev.bridle.gateway.json;

import build.buf.validate.FieldRules;
import build.buf.validate.ValidateProto;
import com.google.protobuf.Descriptors.FieldDescriptor;

/** The validation rules that a .proto declares beside a field. */
public final class Limits {

  private Limits() {}

  /** The rules of a field; the default instance where it has none. */
  public static FieldRules of(FieldDescriptor field) {
    return field.getOptions().getExtension(ValidateProto.field);
  }
}

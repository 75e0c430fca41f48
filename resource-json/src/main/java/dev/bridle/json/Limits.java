package dev.bridle.json;

import build.buf.validate.FieldRules;
import build.buf.validate.ValidateProto;
import com.google.protobuf.Descriptors.FieldDescriptor;

/** Reads the validation rules of fields from their .proto options. */
public final class Limits {

  private Limits() {}

  /** Returns the rules of a field, or the default instance if it has none. */
  public static FieldRules of(FieldDescriptor field) {
    return field.getOptions().getExtension(ValidateProto.field);
  }
}

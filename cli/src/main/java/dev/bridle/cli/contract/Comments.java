package dev.bridle.cli.contract;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The comments of the .proto files. Generated classes have none, so they are read from the
 * descriptor set that the build creates; loading it takes a while, and only help texts need it.
 */
public final class Comments {
  private static final String RESOURCE = "/dev/bridle/proto/descriptors.binpb";

  private final FileDescriptorSet files;

  private Comments(FileDescriptorSet files) {
    this.files = files;
  }

  /** Reads the descriptor set from the class path. */
  public static Comments load() {
    try (InputStream in = Comments.class.getResourceAsStream(RESOURCE)) {
      return new Comments(
          FileDescriptorSet.parseFrom(
              Optional.ofNullable(in)
                  .orElseThrow(
                      () -> new IllegalStateException(RESOURCE + " is not on the class path."))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the comment of a field as one paragraph; empty if there is none. */
  public String of(FieldDescriptor field) {
    List<Integer> path = path(field);
    return files.getFileList().stream()
        .filter(file -> file.getName().equals(field.getFile().getName()))
        .flatMap(file -> file.getSourceCodeInfo().getLocationList().stream())
        .filter(location -> location.getPathList().equals(path))
        .map(Location::getLeadingComments)
        .collect(Collectors.joining())
        .replaceAll("\\s+", " ")
        .strip();
  }

  /** Returns the path of a field's declaration in its file, as locations have it. */
  private static List<Integer> path(FieldDescriptor field) {
    List<Integer> path =
        new ArrayList<>(List.of(DescriptorProto.FIELD_FIELD_NUMBER, field.getIndex()));
    for (Descriptor message = field.getContainingType();
        message != null;
        message = message.getContainingType()) {
      path.add(0, message.getIndex());
      path.add(
          0,
          message.getContainingType() == null
              ? FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER
              : DescriptorProto.NESTED_TYPE_FIELD_NUMBER);
    }
    return path;
  }
}

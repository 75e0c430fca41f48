package dev.bridle.proto;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import com.google.protobuf.ExtensionRegistry;
import dev.bridle.api.v1.Options;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Holds the .proto files to what their readers are promised. */
final class ContractCommentsTest {

  @Test
  void everyServiceRpcMessageFieldAndEnumValueHasAComment() throws IOException {
    List<String> bare = new ArrayList<>();
    for (FileDescriptorProto file : ours()) {
      Set<List<Integer>> commented = new HashSet<>();
      for (Location location : file.getSourceCodeInfo().getLocationList()) {
        if (!location.getLeadingComments().isBlank()) {
          commented.add(location.getPathList());
        }
      }
      for (int i = 0; i < file.getMessageTypeCount(); i++) {
        message(file.getPackage(), file.getMessageType(i), List.of(4, i), commented, bare);
      }
      for (int i = 0; i < file.getEnumTypeCount(); i++) {
        enumeration(file.getPackage(), file.getEnumType(i), List.of(5, i), commented, bare);
      }
      for (int i = 0; i < file.getServiceCount(); i++) {
        service(file.getPackage(), file.getService(i), List.of(6, i), commented, bare);
      }
    }
    assertThat(bare).isEmpty();
  }

  @Test
  void everyRpcButTheCallersOwnIsEitherOpenOrNamesTheScopeThatItNeeds() throws IOException {
    List<String> neither = new ArrayList<>();
    for (FileDescriptorProto file : ours()) {
      for (ServiceDescriptorProto service : file.getServiceList()) {
        service.getMethodList().stream()
            .filter(
                method -> {
                  var rule = method.getOptions().getExtension(Options.method);
                  boolean named = !rule.getScope().isEmpty() || rule.getAnyScopeCount() > 0;
                  return rule.getOpen() == named;
                })
            .forEach(method -> neither.add(service.getName() + "." + method.getName()));
      }
    }
    assertThat(neither).containsExactly("AuthService.GetCaller");
  }

  private static List<FileDescriptorProto> ours() throws IOException {
    ExtensionRegistry registry = ExtensionRegistry.newInstance();
    Options.registerAllExtensions(registry);
    try (InputStream in =
        ContractCommentsTest.class.getResourceAsStream("/dev/bridle/proto/descriptors.binpb")) {
      List<FileDescriptorProto> files =
          FileDescriptorSet.parseFrom(in, registry).getFileList().stream()
              .filter(file -> file.getName().startsWith("bridle/"))
              .collect(Collectors.toList());
      assertThat(files).hasSizeGreaterThan(20);
      return files;
    }
  }

  private static void message(
      String scope,
      DescriptorProto message,
      List<Integer> path,
      Set<List<Integer>> commented,
      List<String> bare) {
    if (message.getOptions().getMapEntry()) {
      return;
    }
    String name = scope + "." + message.getName();
    check(name, path, commented, bare);
    for (int i = 0; i < message.getFieldCount(); i++) {
      check(name + "." + message.getField(i).getName(), join(path, 2, i), commented, bare);
    }
    for (int i = 0; i < message.getNestedTypeCount(); i++) {
      message(name, message.getNestedType(i), join(path, 3, i), commented, bare);
    }
    for (int i = 0; i < message.getEnumTypeCount(); i++) {
      enumeration(name, message.getEnumType(i), join(path, 4, i), commented, bare);
    }
  }

  private static void enumeration(
      String scope,
      EnumDescriptorProto type,
      List<Integer> path,
      Set<List<Integer>> commented,
      List<String> bare) {
    check(scope + "." + type.getName(), path, commented, bare);
    for (int i = 0; i < type.getValueCount(); i++) {
      check(type.getValue(i).getName(), join(path, 2, i), commented, bare);
    }
  }

  private static void service(
      String scope,
      ServiceDescriptorProto service,
      List<Integer> path,
      Set<List<Integer>> commented,
      List<String> bare) {
    check(scope + "." + service.getName(), path, commented, bare);
    for (int i = 0; i < service.getMethodCount(); i++) {
      check(
          service.getName() + "." + service.getMethod(i).getName(),
          join(path, 2, i),
          commented,
          bare);
    }
  }

  private static void check(
      String name, List<Integer> path, Set<List<Integer>> commented, List<String> bare) {
    if (!commented.contains(path)) {
      bare.add(name);
    }
  }

  private static List<Integer> join(List<Integer> path, int field, int index) {
    List<Integer> joined = new ArrayList<>(path);
    joined.add(field);
    joined.add(index);
    return joined;
  }
}

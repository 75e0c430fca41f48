package dev.bridle.gateway.route;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import io.grpc.ServiceDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Loads the contract: the descriptor set that the build creates from the .proto files, with their
 * comments, and the generated service descriptors. New services are found automatically.
 */
public final class ServiceCatalog {

  private static final String RESOURCE = "/dev/bridle/proto/descriptors.binpb";
  private static final String OURS = "bridle/";

  private final FileDescriptorSet files;

  private ServiceCatalog(FileDescriptorSet files) {
    this.files = files;
  }

  /** Reads the descriptor set from the class path. */
  public static ServiceCatalog load() {
    try (InputStream in = ServiceCatalog.class.getResourceAsStream(RESOURCE)) {
      InputStream found =
          Optional.ofNullable(in)
              .orElseThrow(
                  () -> new IllegalStateException(RESOURCE + " is not on the class path."));
      return new ServiceCatalog(FileDescriptorSet.parseFrom(found));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the files of the contract, without imports. */
  public List<FileDescriptorProto> files() {
    return files.getFileList().stream().filter(file -> file.getName().startsWith(OURS)).toList();
  }

  /** Returns all services of the contract. */
  public List<ServiceDescriptor> services() {
    List<ServiceDescriptor> services = new ArrayList<>();
    for (FileDescriptorProto file : files()) {
      for (ServiceDescriptorProto service : file.getServiceList()) {
        services.add(
            generated(file.getOptions().getJavaPackage() + "." + service.getName() + "Grpc"));
      }
    }
    return services;
  }

  /**
   * Returns some services of the contract.
   *
   * @param names their full names; empty for all services
   * @throws IllegalArgumentException if there is no service of one of the names
   */
  public List<ServiceDescriptor> services(Set<String> names) {
    List<ServiceDescriptor> all = services();
    if (names.isEmpty()) {
      return all;
    }
    List<ServiceDescriptor> chosen =
        all.stream().filter(service -> names.contains(service.getName())).toList();
    if (chosen.size() < names.size()) {
      throw new IllegalArgumentException("services are " + names + "; one of them does not exist");
    }
    return chosen;
  }

  private static ServiceDescriptor generated(String className) {
    try {
      return (ServiceDescriptor)
          Class.forName(className).getMethod("getServiceDescriptor").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("The generated class " + className + " can't be used.", e);
    }
  }
}

package dev.bridle.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bridle.cli.console.BuildVersion;
import dev.bridle.cli.console.JsonLines;
import dev.bridle.cli.console.PrivateFile;
import dev.bridle.cli.tls.Trust;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The addresses of a running server, stored in a file of its data directory for admin commands and
 * for {@code bridle run}. After a crash the file remains; a process that has the id since then was
 * started at another time.
 *
 * @param pid the server's process
 * @param startedAt when that process was started, in Unix milliseconds; 0 where the system does not
 *     say
 * @param version the version of Bridle
 * @param endsUnused whether the server ends by itself when nothing uses it
 * @param grpcHost the address of its gRPC services
 * @param grpcPort their port
 * @param httpUrl the URL of its gateway
 * @param certificate the certificate of both; absent where they speak plaintext
 * @param harpUrl the URL of its HARP relay; absent where it serves none
 */
public record ServerFile(
    long pid,
    long startedAt,
    String version,
    boolean endsUnused,
    String grpcHost,
    int grpcPort,
    String httpUrl,
    Optional<Certificate> certificate,
    Optional<String> harpUrl) {
  private static final String FILE = "server.json";

  /**
   * The certificate that a server uses.
   *
   * @param file its PEM file
   * @param sha256 its SHA-256 in hexadecimal
   */
  public record Certificate(String file, String sha256) {}

  /** Returns the description of a server in this process. */
  public static ServerFile here(
      String host, int grpcPort, URI httpUrl, Optional<Certificate> certificate) {
    ProcessHandle process = ProcessHandle.current();
    return new ServerFile(
        process.pid(),
        started(process),
        BuildVersion.current(),
        false,
        host,
        grpcPort,
        httpUrl.toString(),
        certificate,
        Optional.empty());
  }

  /** Notes that the directory's server ends by itself when nothing uses it. */
  public static void markEndingUnused(Path dataDir) throws IOException {
    updateOwn(
        dataDir,
        is ->
            new ServerFile(
                is.pid,
                is.startedAt,
                is.version,
                true,
                is.grpcHost,
                is.grpcPort,
                is.httpUrl,
                is.certificate,
                is.harpUrl));
  }

  /** Notes the certificate that this process's server uses from now on. */
  public static void replaceCertificate(Path dataDir, Certificate certificate) throws IOException {
    updateOwn(
        dataDir,
        is ->
            new ServerFile(
                is.pid,
                is.startedAt,
                is.version,
                is.endsUnused,
                is.grpcHost,
                is.grpcPort,
                is.httpUrl,
                Optional.of(certificate),
                is.harpUrl));
  }

  /** Returns the description of a server that also serves a HARP relay. */
  public ServerFile withHarp(Optional<URI> harp) {
    return new ServerFile(
        pid,
        startedAt,
        version,
        endsUnused,
        grpcHost,
        grpcPort,
        httpUrl,
        certificate,
        harp.map(URI::toString));
  }

  private static synchronized void updateOwn(Path dataDir, UnaryOperator<ServerFile> change)
      throws IOException {
    Optional<ServerFile> own = content(dataDir).filter(ServerFile::isOwn);
    if (own.isPresent()) {
      change.apply(own.get()).write(dataDir);
    }
  }

  /** Returns the content of the directory's file if its process runs. */
  public static Optional<ServerFile> read(Path dataDir) throws IOException {
    return content(dataDir).filter(ServerFile::runs);
  }

  private static Optional<ServerFile> content(Path dataDir) throws IOException {
    try {
      return JsonLines.parse(Files.readString(dataDir.resolve(FILE))).map(ServerFile::of);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Writes the file. */
  public void write(Path dataDir) throws IOException {
    ObjectNode line =
        JsonLines.object()
            .put("pid", pid)
            .put("started_at", startedAt)
            .put("version", version)
            .put("ends_unused", endsUnused)
            .put("grpc_host", grpcHost)
            .put("grpc_port", grpcPort)
            .put("http_url", httpUrl);
    certificate.ifPresent(
        is -> line.putObject("certificate").put("file", is.file).put("sha256", is.sha256));
    harpUrl.ifPresent(url -> line.put("harp_url", url));
    PrivateFile.write(dataDir.resolve(FILE), line + "\n");
  }

  /** Removes the file of this process's server; another's stays. */
  public static void removeOwn(Path dataDir) throws IOException {
    if (content(dataDir).filter(ServerFile::isOwn).isPresent()) {
      Files.deleteIfExists(dataDir.resolve(FILE));
    }
  }

  private static ServerFile of(JsonNode json) {
    return new ServerFile(
        json.path("pid").asLong(),
        json.path("started_at").asLong(),
        json.path("version").asText(),
        json.path("ends_unused").asBoolean(),
        json.path("grpc_host").asText(),
        json.path("grpc_port").asInt(),
        json.path("http_url").asText(),
        Optional.of(json.path("certificate"))
            .filter(JsonNode::isObject)
            .map(is -> new Certificate(is.path("file").asText(), is.path("sha256").asText())),
        Optional.ofNullable(json.path("harp_url").textValue()));
  }

  private boolean isOwn() {
    return pid == ProcessHandle.current().pid();
  }

  /**
   * Opens a channel to the gRPC services, which trusts the certificate that the directory's file
   * names at each handshake.
   */
  public ManagedChannel channel(Path dataDir) {
    ChannelCredentials credentials =
        certificate.isPresent()
            ? TlsChannelCredentials.newBuilder().trustManager(trustManager(dataDir)).build()
            : InsecureChannelCredentials.create();
    return NettyChannelBuilder.forAddress(grpcHost, grpcPort, credentials).build();
  }

  /** Returns how the gateway is trusted, as {@link #channel} does; empty for plaintext. */
  public Optional<SSLContext> trust(Path dataDir) {
    return certificate.map(is -> Trust.context(trustManager(dataDir)));
  }

  private static X509ExtendedTrustManager trustManager(Path dataDir) {
    return Trust.ofOneCertificate(
        () -> read(dataDir).flatMap(ServerFile::certificate).map(Certificate::sha256));
  }

  private boolean runs() {
    return process().isPresent();
  }

  /** Returns the server's process, if it lives: not another one that has its id since. */
  public Optional<ProcessHandle> process() {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(process -> startedAt == 0 || startedAt == started(process));
  }

  private static long started(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }
}

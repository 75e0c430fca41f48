package dev.bridle.benchmarks.flood;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** All kinds of unfinished requests, with and without credentials. */
final class Attacks {
  private static final int STREAMS = 480;
  private static final int DELIVERY_BYTES = 256 << 10;
  private static final int FORM_BYTES = 16 << 10;

  /** A method that needs no credential, one that takes a stream, and one that is a stream. */
  private static final String OPEN = "bridle.discovery.v1.DiscoveryService/GetServerIndex";

  private static final String UPLOAD = "bridle.artifact.v1.ArtifactService/UploadArtifactContent";
  private static final String LEASE = "bridle.worker.v1.WorkerService/LeaseTasks";

  private Attacks() {}

  /**
   * Returns an attacker of each kind.
   *
   * @param connections how many connections each of the main kinds has; the others, a fifth
   * @param key a good key of a tenant
   */
  static List<Attacker> all(InetSocketAddress server, int connections, String key) {
    String none = "";
    String bad = "Authorization: Bearer bad";
    String good = "Authorization: Bearer " + key;
    int fewer = Math.max(1, connections / 5);
    Opening delivery = Opening.open("/v1/ingress/unknown", "application/json", DELIVERY_BYTES);
    Opening form = Opening.open("/oauth/token", "application/x-www-form-urlencoded", FORM_BYTES);
    return List.of(
        new SilentConnections("no key", server, connections, Opening.unfinished(none)),
        new SilentConnections("bad key", server, connections, Opening.unfinished(bad)),
        new SilentConnections("good key", server, connections, Opening.unfinished(good)),
        new SilentConnections("tiny chunks", server, fewer, Opening.tinyChunks(good)),
        new SilentConnections("endless chunks", server, fewer, Opening.endlessChunks(bad)),
        new SilentConnections("ingress", server, fewer, delivery),
        new SilentConnections("token", server, fewer, form),
        new SilentConnections("head alone", server, fewer, Opening.headAlone(good)),
        new SilentConnections("half a head", server, fewer, Opening.halfHead()),
        new SilentConnections("fragments", server, fewer, Opening.fragments(good)),
        new Http2Streams("HTTP/2, no key", server, STREAMS, StreamOpening.rest(Optional.empty())),
        new Http2Streams(
            "HTTP/2, good key", server, STREAMS, StreamOpening.rest(Optional.of("Bearer " + key))));
  }

  /** Returns an attacker of each kind on the gRPC port. */
  static List<Attacker> ofGrpc(InetSocketAddress server, int connections, String key) {
    Optional<String> none = Optional.empty();
    Optional<String> good = Optional.of("Bearer " + key);
    int fewer = Math.max(1, connections / 5);
    return List.of(
        new SilentConnections("gRPC connections", server, connections, Opening.grpc(OPEN)),
        new SilentConnections("gRPC connections, no key", server, fewer, Opening.grpc(UPLOAD)),
        new SilentConnections("gRPC, silent", server, fewer, Opening.silence()),
        new SilentConnections("gRPC, preface alone", server, fewer, Opening.preface()),
        new Http2Streams("gRPC, open", server, STREAMS, StreamOpening.grpc(OPEN, none)),
        new Http2Streams("gRPC, no key", server, STREAMS, StreamOpening.grpc(UPLOAD, none)),
        new Http2Streams("gRPC, stream", server, STREAMS, StreamOpening.grpc(LEASE, none)),
        new Http2Streams("gRPC, good key", server, STREAMS, StreamOpening.grpc(UPLOAD, good)));
  }
}

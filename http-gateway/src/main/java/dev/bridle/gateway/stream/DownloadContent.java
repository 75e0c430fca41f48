package dev.bridle.gateway.stream;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import dev.bridle.artifact.v1.ArtifactContent;
import dev.bridle.gateway.kit.error.ProtocolError;
import dev.bridle.gateway.kit.stream.CoreStream;
import dev.bridle.gateway.kit.stream.StreamContent;
import java.util.Optional;

/**
 * Sends content as bytes. Always an attachment of a generic type: stored content must never run in
 * a browser with this server's origin.
 */
final class DownloadContent implements StreamContent {
  /** The member of all messages of such streams that has the next bytes. */
  private static final String DATA = "data";

  @Override
  public ResponseHeaders headers(Optional<Message> first) {
    ResponseHeadersBuilder headers =
        ResponseHeaders.builder(HttpStatus.OK)
            .contentType(MediaType.OCTET_STREAM)
            .set(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff")
            .set(HttpHeaderNames.CONTENT_DISPOSITION, "attachment")
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    first
        .filter(ArtifactContent.class::isInstance)
        .map(ArtifactContent.class::cast)
        .filter(ArtifactContent::hasInfo)
        .ifPresent(content -> headers.contentLength(content.getInfo().getSize()));
    return headers.build();
  }

  @Override
  public Optional<HttpData> data(Message message) {
    FieldDescriptor field = message.getDescriptorForType().findFieldByName(DATA);
    ByteString data = (ByteString) message.getField(field);
    return data.isEmpty() ? Optional.empty() : Optional.of(HttpData.wrap(data.toByteArray()));
  }

  @Override
  public boolean isLast(Message message) {
    return false;
  }

  @Override
  public Optional<HttpData> failure(ProtocolError error) {
    return Optional.empty();
  }

  @Override
  public Optional<HttpData> heartbeat() {
    return Optional.empty();
  }

  @Override
  public CoreStream.Window window() {
    return CoreStream.Window.CHUNKS;
  }
}

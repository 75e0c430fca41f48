package dev.bridle.harpgateway;

import dev.bridle.fixtures.client.StartedGateway;
import dev.bridle.gateway.kit.listener.ListenerOptions;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** A gateway before a relay that is made up, and a client of it. */
final class HarpFixture extends StartedGateway {
  final FakeRelay relay = new FakeRelay();
  final HarpGateway gateway;

  HarpFixture() {
    this(options -> options);
  }

  HarpFixture(UnaryOperator<HarpGatewayOptions> change) {
    gateway =
        HarpGateway.start(
            relay.channel(),
            change.apply(
                HarpGatewayOptions.defaults()
                    .withListener(
                        ListenerOptions.defaults()
                            .withPort(0)
                            .withShutdownTimeout(Duration.ofMillis(200)))));
  }

  FakeChannels channels() {
    return relay.channels();
  }

  /** Returns a request with credentials. */
  HttpRequest.Builder request(String path) {
    return bare(path).header("Authorization", "Bearer key-1");
  }

  @Override
  protected URI baseUrl() {
    return gateway.baseUrl();
  }

  @Override
  protected void stop() {
    gateway.close();
    relay.close();
  }
}

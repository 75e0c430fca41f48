package dev.bridle.core.integrations.connector;

import static dev.bridle.core.Refusal.assertRefused;
import static dev.bridle.core.integrations.connector.SamplePolls.items;
import static dev.bridle.core.integrations.connector.SamplePolls.list;
import static dev.bridle.core.integrations.connector.SamplePolls.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.FieldMask;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.connector.v1.Connector;
import dev.bridle.connector.v1.ConnectorAuth;
import dev.bridle.connector.v1.ConnectorPolling;
import dev.bridle.connector.v1.ConnectorWebhook;
import dev.bridle.connector.v1.DeleteConnectorRequest;
import dev.bridle.connector.v1.PauseConnectorRequest;
import dev.bridle.connector.v1.PollConnectorRequest;
import dev.bridle.connector.v1.PollingCursor;
import dev.bridle.connector.v1.PollingFormat;
import dev.bridle.connector.v1.RenewConnectorIngressRequest;
import dev.bridle.connector.v1.ResumeConnectorRequest;
import dev.bridle.connector.v1.SecretName;
import dev.bridle.connector.v1.UpdateConnectorRequest;
import dev.bridle.connector.v1.WebhookSignature;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What clients set and ask of a connector that polls. */
class PollSettingsTest extends PolledConnectors {
  @Test
  void aSecretIsSentInItsHeaderAndShownNowhere() {
    String vault = SampleConnectors.vault(core.of("default"));
    SecretName.Builder secret = SecretName.newBuilder().setVaultId(vault).setName("hook");
    Connector connector =
        connectors()
            .createConnector(
                SamplePolls.described(list(url()).putHeaders("X-Team", "fish"))
                    .setAuth(ConnectorAuth.newBuilder().setPrefix("Bearer ").setSecret(secret))
                    .build());
    polled(connector, 1);

    assertThat(server.received().get(0).header("authorization"))
        .isEqualTo("Bearer " + SampleConnectors.SECRET);
    assertThat(server.received().get(0).header("x-team")).isEqualTo("fish");
    assertThat(get(connector).toString() + events(connector))
        .doesNotContain(SampleConnectors.SECRET);
  }

  @Test
  void aPausedConnectorDoesNotPollUntilItIsResumed() {
    Connector connector = made(list(url()));
    polled(connector, 1);
    Connector paused =
        connectors()
            .pauseConnector(
                PauseConnectorRequest.newBuilder().setConnectorId(connector.getId()).build());
    assertThat(paused.getPolls().hasNextPollAt()).isFalse();
    assertRefused(ErrorCode.ERROR_CODE_CONFLICT, "", () -> pollNow(connector));
    clock.pass(Duration.ofHours(1));
    Connector other = made(list(url()));
    await().until(() -> get(other).getPolls().hasLastPollAt());
    assertThat(server.received()).as("the other's alone").hasSize(2);

    var unused =
        connectors()
            .resumeConnector(
                ResumeConnectorRequest.newBuilder().setConnectorId(connector.getId()).build());

    polled(connector, 3);
  }

  @Test
  void aDeletedConnectorPollsNoMore() {
    Connector connector = made(list(url()));
    polled(connector, 1);
    var unused =
        connectors()
            .deleteConnector(
                DeleteConnectorRequest.newBuilder().setConnectorId(connector.getId()).build());
    clock.pass(Duration.ofHours(1));
    Connector other = made(list(url()));
    await().until(() -> get(other).getPolls().hasLastPollAt());

    assertThat(server.received()).as("the other's alone").hasSize(2);
  }

  @Test
  void aPollThatIsAskedForIsMadeNow() {
    Connector connector =
        made(list(url()).clearIntervalSeconds().setCron("0 7 * * *").setTimeZone("Europe/Berlin"));
    assertThat(next(connector)).isEqualTo(Instant.parse("2026-06-02T05:00:00Z"));

    var unused = pollNow(connector);

    polled(connector, 1);
    assertThat(next(connector)).isEqualTo(Instant.parse("2026-06-02T05:00:00Z"));
  }

  @Test
  void whereSomethingElseIsAskedPollsBeginAnew() {
    server.answer(with(items(1), "ETag: \"a\""));
    Connector connector = made(list(url()));
    polled(connector, 1);

    var unused =
        connectors()
            .updateConnector(
                UpdateConnectorRequest.newBuilder()
                    .setConnectorId(connector.getId())
                    .setPolling(list(url() + "/other"))
                    .setUpdateMask(FieldMask.newBuilder().addPaths("polling"))
                    .build());
    server.answer(with(items(1, 2)));

    polled(connector, 2);
    assertThat(server.received().get(1).header("if-none-match")).isEmpty();
    clock.pass(MINUTE);
    polled(connector, 3);
    assertThat(tasks()).as("what was there at the new place is no news").isEmpty();
  }

  @Test
  void aConnectorHasAPathForDeliveriesOnlyWhileItHasAWebhook() {
    Connector polls = made(list(url()));
    polled(polls, 1);
    RenewConnectorIngressRequest renewal =
        RenewConnectorIngressRequest.newBuilder().setConnectorId(polls.getId()).build();
    assertRefused(
        ErrorCode.ERROR_CODE_CONFLICT, "", () -> connectors().renewConnectorIngress(renewal));
    var webhook =
        ConnectorWebhook.newBuilder().setSignature(WebhookSignature.newBuilder().setPreset("none"));
    UpdateConnectorRequest.Builder change =
        UpdateConnectorRequest.newBuilder()
            .setConnectorId(polls.getId())
            .setUpdateMask(FieldMask.newBuilder().addPaths("webhook"));

    Connector both = connectors().updateConnector(change.setWebhook(webhook).build());
    var taken =
        SampleConnectors.deliver(
            core.core().channel(),
            SampleConnectors.delivery(
                SampleConnectors.ingress(both), "{\"id\":\"hooked\"}", Map.of()));
    assertThat(taken.getDuplicate()).isFalse();
    await().untilAsserted(() -> assertThat(texts()).containsExactly("Read hooked"));

    Connector without = connectors().updateConnector(change.clearWebhook().build());
    assertThat(without.hasWebhook()).isFalse();
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        "webhook",
        () ->
            connectors()
                .updateConnector(
                    change.setUpdateMask(FieldMask.newBuilder().addPaths("polling")).build()));
  }

  private static Stream<Arguments> refused() {
    return Stream.of(
        refused("polling.url", polling -> polling.setUrl("https://10.0.0.1/")),
        refused("polling.url", polling -> polling.setUrl("https://user:secret@a.example/")),
        refused("polling.cron", polling -> polling.clearIntervalSeconds()),
        refused("polling.interval_seconds", polling -> polling.setCron("* * * * *")),
        refused("polling.interval_seconds", polling -> polling.setIntervalSeconds(29)),
        refused("polling.interval_seconds", polling -> polling.setIntervalSeconds(2592001)),
        refused("polling.cron", polling -> polling.clearIntervalSeconds().setCron("daily")),
        refused(
            "polling.time_zone",
            polling -> polling.clearIntervalSeconds().setCron("* * * * *").setTimeZone("Mars")),
        refused("polling.time_zone", polling -> polling.setTimeZone("UTC")),
        refused("polling.headers", polling -> polling.putHeaders("Cookie", "a=b")),
        refused("polling.headers", polling -> polling.putHeaders("Host", "a")),
        refused("polling.headers", polling -> polling.putHeaders("X", "a\r\nY: b")),
        refused("polling.items", polling -> polling.setItems("items")),
        refused("polling.item_id", polling -> polling.setItemId("id")),
        refused(
            "polling.cursor.pointer",
            polling ->
                polling.setCursor(PollingCursor.newBuilder().setPointer("next").setParameter("a"))),
        refused("polling.items", polling -> polling.setFormat(PollingFormat.POLLING_FORMAT_FEED)));
  }

  private static Arguments refused(String param, UnaryOperator<ConnectorPolling.Builder> change) {
    return Arguments.of(param, change);
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatCannotBePolledIsRefused(String param, UnaryOperator<ConnectorPolling.Builder> change) {
    assertRefused(
        ErrorCode.ERROR_CODE_INVALID_REQUEST,
        param,
        () ->
            connectors().createConnector(SamplePolls.described(change.apply(list(url()))).build()));
  }

  private Connector pollNow(Connector connector) {
    return connectors()
        .pollConnector(PollConnectorRequest.newBuilder().setConnectorId(connector.getId()).build());
  }
}

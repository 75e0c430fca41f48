package dev.bridle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bridle.cli.console.CommandFailed;
import dev.bridle.gateway.kit.listener.ListenerOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class DescriptorLimitTest {
  private static final LocalServerOptions OPTIONS =
      LocalServerOptions.of(Path.of("data")).withHarpPort(0);

  private final List<String> notices = new ArrayList<>();

  private LocalServerOptions applied(long descriptors, LocalServerOptions options) {
    return new DescriptorLimit(Optional.of(descriptors)).apply(options, notices::add);
  }

  private static int ofRest(LocalServerOptions options) {
    return options.gateway().listener().connections().maxConnections();
  }

  private static int ofGrpc(LocalServerOptions options) {
    return options.core().listener().connections().maxConnections();
  }

  private static int ofHarp(LocalServerOptions options) {
    return options
        .harp()
        .orElseThrow()
        .beside(options.gateway().listener())
        .connections()
        .maxConnections();
  }

  @Test
  void boundsThatLeaveTheReserveStay() {
    LocalServerOptions options = applied(23_024, OPTIONS);

    assertThat(options).isSameAs(OPTIONS);
    assertThat(notices).isEmpty();
  }

  @Test
  void allListenersGetLessInProportionWhereTheReserveIsTouched() {
    LocalServerOptions options = applied(12_024, OPTIONS);

    assertThat(List.of(ofRest(options), ofHarp(options), ofGrpc(options)))
        .containsExactly(5000, 5000, 1000);
    assertThat(notices)
        .singleElement()
        .asString()
        .contains("12024 open files", "11000 connections instead of 22000", "ulimit -n");
  }

  @Test
  void aRelayWithAListenerOfItsOwnGetsLessToo() {
    LocalServerOptions relay =
        OPTIONS.withHarp(
            Optional.of(
                new HarpServing(
                    0,
                    HarpServing.at(0).pingInterval(),
                    1 << 20,
                    Optional.of(ListenerOptions.defaults()),
                    Optional.empty(),
                    false)));

    assertThat(ofHarp(applied(12_024, relay))).isEqualTo(5000);
  }

  @Test
  void whatAnAddressMayHaveIsNeverMoreThanAll() {
    LocalServerOptions options = applied(DescriptorLimit.MINIMUM, OPTIONS);

    assertThat(options.gateway().listener().connections().maxPerAddress())
        .isEqualTo(ofRest(options))
        .isEqualTo(465);
  }

  @Test
  void aServerDoesNotStartWithTooFewDescriptors() {
    assertThatThrownBy(() -> applied(2047, OPTIONS))
        .isInstanceOf(CommandFailed.class)
        .hasMessageContaining("2047 open files")
        .hasMessageContaining("ulimit -n");
  }

  @Test
  void aSystemWithoutALimitChangesNothing() {
    assertThat(new DescriptorLimit(Optional.empty()).apply(OPTIONS, notices::add))
        .isSameAs(OPTIONS);
    assertThat(notices).isEmpty();
  }
}

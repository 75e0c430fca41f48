package dev.bridle.gateway.kit.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnsentBytesTest {
  private final UnsentBytes unsent = new UnsentBytes(100, 60);
  private final List<String> closed = new ArrayList<>();

  private UnsentBytes.Share share(String tenant, String name) {
    return unsent.of(tenant, () -> closed.add(name));
  }

  @Test
  void theSlowestOfATenantMakesRoomForItsOthers() {
    UnsentBytes.Share slowest = share("a", "slowest");
    UnsentBytes.Share slow = share("a", "slow");
    assertThat(share("b", "other").hold(10)).isTrue();
    assertThat(slowest.hold(30)).isTrue();
    assertThat(slow.hold(20)).isTrue();

    assertThat(share("a", "new").hold(40)).isTrue();

    assertThat(closed).containsExactly("slowest");
    assertThat(unsent.used()).isEqualTo(70);
    assertThat(slowest.hold(1)).as("once it is closed").isFalse();
  }

  @Test
  void whoHasReadIsNotTheSlowest() {
    UnsentBytes.Share reader = share("a", "reader");
    UnsentBytes.Share slow = share("a", "slow");
    assertThat(reader.hold(30)).isTrue();
    assertThat(slow.hold(30)).isTrue();
    reader.release(10);
    assertThat(reader.hold(10)).isTrue();

    assertThat(share("a", "new").hold(10)).isTrue();

    assertThat(closed).containsExactly("slow");
  }

  @Test
  void whatIsReadMakesRoomAgain() {
    UnsentBytes.Share reader = share("a", "reader");
    assertThat(reader.hold(30)).isTrue();
    assertThat(reader.hold(30)).isTrue();

    reader.release(30);

    assertThat(unsent.used()).isEqualTo(30);
    assertThat(reader.hold(30)).isTrue();
    reader.release(60);
    assertThat(unsent.used()).isZero();
    assertThat(share("a", "new").hold(60)).isTrue();
    assertThat(closed).isEmpty();
  }

  @Test
  void whereAllIsUsedTheSlowestOfAllMakesRoom() {
    assertThat(share("a", "first").hold(60)).isTrue();
    assertThat(share("b", "second").hold(40)).isTrue();

    assertThat(share("c", "third").hold(10)).isTrue();

    assertThat(closed).containsExactly("first");
    assertThat(unsent.used()).isEqualTo(50);
  }

  @Test
  void whatNeverHasRoomClosesNobody() {
    assertThat(share("a", "first").hold(60)).isTrue();

    assertThat(share("a", "second").hold(61)).isFalse();

    assertThat(closed).isEmpty();
    assertThat(unsent.used()).isEqualTo(60);
  }

  @Test
  void whoIsAloneIsRefusedAndNotClosed() {
    UnsentBytes.Share alone = share("a", "alone");
    assertThat(alone.hold(40)).isTrue();

    assertThat(alone.hold(40)).isFalse();

    assertThat(closed).isEmpty();
    alone.close();
    assertThat(unsent.used()).isZero();
  }
}

package dev.bridle.gateway.kit.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReadSizeAllocatorTest {
  private static final long MICROSECOND = 1000;

  private final AtomicLong now = new AtomicLong();

  @Test
  void whatTakesLongToHandleIsReadInEverSmallerPieces() {
    ExtendedHandle connection = new ReadSizeAllocator(now::get).newHandle();
    for (int turn = 0; turn < 20; turn++) {
      read(connection, connection.guess(), connection.guess() * MICROSECOND);
    }

    assertThat(connection.guess()).isEqualTo(ReadSizeAllocator.MIN_BYTES);
  }

  @Test
  void whatIsHandledAtOnceIsReadInGreatPieces() {
    ExtendedHandle connection = new ReadSizeAllocator(now::get).newHandle();
    for (int turn = 0; turn < 20; turn++) {
      read(connection, connection.guess(), MICROSECOND);
    }

    assertThat(connection.guess()).isEqualTo(ReadSizeAllocator.MAX_BYTES);
  }

  @Test
  void aConnectionThatHasLittleToSayKeepsItsSize() {
    ExtendedHandle connection = new ReadSizeAllocator(now::get).newHandle();
    read(connection, 100, MICROSECOND);

    assertThat(connection.guess()).isEqualTo(ReadSizeAllocator.FIRST_BYTES);
  }

  @Test
  void aTurnIsOneRead() {
    ExtendedHandle connection = new ReadSizeAllocator(now::get).newHandle();
    read(connection, connection.guess(), MICROSECOND);

    assertThat(connection.continueReading()).isFalse();
    assertThat(connection.continueReading(() -> true)).isFalse();
  }

  private void read(ExtendedHandle connection, int bytes, long nanos) {
    connection.attemptedBytesRead(connection.guess());
    connection.lastBytesRead(bytes);
    connection.incMessagesRead(1);
    now.addAndGet(nanos);
    connection.readComplete();
  }
}

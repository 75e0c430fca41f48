package dev.bridle.cli.up;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.bridle.cli.demo.JavaCommand;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In processes of their own, with the heap of a server: it never gets smaller than it begins. */
@Tag("slow")
class IdleMemoryTest {
  private static final int MIB = 1 << 20;

  @Test
  void aHeapThatABurstMadeLargeIsGivenBack() throws Exception {
    List<String> heap = printedBy(BurstThenIdle.class);

    assertThat(Integer.parseInt(heap.get(0))).isGreaterThan(200);
    assertThat(Integer.parseInt(heap.get(1))).isLessThan(30);
  }

  @Test
  void theHeapGrowsAsTheServerWasToldAfterwards() throws Exception {
    assertThat(printedBy(ItsFlags.class)).containsExactly("65", "70", "65", "70");
  }

  /** Prints the heap's size in MiB, after a burst and after it was given back. */
  static final class BurstThenIdle {
    public static void main(String[] args) {
      burst();
      printHeap();
      IdleMemory.giveBack(java());
      printHeap();
    }

    private static void burst() {
      List<byte[]> kept = IntStream.range(0, 200).mapToObj(i -> new byte[MIB]).toList();
      assertThat(kept).hasSize(200);
    }

    private static void printHeap() {
      System.out.println(
          ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted() / MIB);
    }
  }

  /** Prints the settings that the heap grows by, before and after it was given back. */
  static final class ItsFlags {
    public static void main(String[] args) {
      printFlags();
      IdleMemory.giveBack(java());
      printFlags();
    }

    private static void printFlags() {
      System.out.println(java().getVMOption("MinHeapFreeRatio").getValue());
      System.out.println(java().getVMOption("MaxHeapFreeRatio").getValue());
    }
  }

  private static HotSpotDiagnosticMXBean java() {
    return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
  }

  private static List<String> printedBy(Class<?> main) throws IOException, InterruptedException {
    List<String> flags =
        List.of("-Xms16m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:MinHeapFreeRatio=65");
    List<String> words =
        new ArrayList<>(JavaCommand.of(flags, System.getProperty("java.class.path")).words());
    words.add(main.getName());
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    return printed.lines().toList();
  }
}

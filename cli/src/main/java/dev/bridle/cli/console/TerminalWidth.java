package dev.bridle.cli.console;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.jline.utils.Signals;

/** The width of the terminal of this process, also after it is resized. */
public final class TerminalWidth {
  private static final int USUAL = 80;

  private TerminalWidth() {}

  /**
   * Returns the width as it is whenever it is asked for.
   *
   * @param changed is run after each change
   */
  public static IntSupplier watch(Runnable changed) {
    AtomicInteger columns = new AtomicInteger(now());
    var unused =
        Signals.register(
            "WINCH",
            () -> {
              Thread thread =
                  new Thread(
                      () -> {
                        columns.set(now());
                        changed.run();
                      },
                      "bridle-run-width");
              thread.setDaemon(true);
              thread.start();
            });
    return columns::get;
  }

  /** Returns the width now; 80 where there is no terminal. */
  public static int now() {
    try {
      Process process =
          new ProcessBuilder("stty", "size").redirectInput(new File("/dev/tty")).start();
      String[] size =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
              .strip()
              .split(" ", -1);
      int columns = size.length == 2 ? Integer.parseInt(size[1]) : 0;
      return columns > 0 ? columns : USUAL;
    } catch (IOException | NumberFormatException e) {
      return USUAL;
    }
  }
}

package dev.bridle.cli.run;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.ControlChar;
import org.jline.terminal.Size;
import org.jline.terminal.impl.PosixSysTerminal;
import org.jline.terminal.impl.exec.ExecPty;
import org.jline.terminal.impl.exec.ExecTerminalProvider;
import org.jline.terminal.spi.SystemStream;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;

/**
 * The terminal of this process. Ctrl-C and Ctrl-Z stay signals while a prompt is edited. As this is
 * closed, also by a signal that ends the process, the terminal becomes what it was, for good: what
 * goes on meanwhile changes it no more, and may still print.
 */
final class RunTty extends PosixSysTerminal {
  private static final Size USUAL = Size.of(80, 24);

  private final Keys keys = new Keys(new FileInputStream("/dev/tty"));
  private boolean given;

  /**
   * Opens it.
   *
   * @param type its type, as TERM says
   */
  RunTty(String type) throws IOException {
    super(
        "bridle",
        type,
        ExecPty.current(new ExecTerminalProvider(), SystemStream.Output),
        StandardCharsets.UTF_8,
        false, // Else it would take the signals that others here listen to.
        SignalHandler.SIG_DFL);
    setAttributes(getAttributes());
  }

  Keys keys() {
    return keys;
  }

  @Override
  public NonBlockingReader reader() {
    return keys;
  }

  /** Not every terminal that takes UTF-8 has bars of another character set, too. */
  @Override
  public String getStringCapability(Capability capability) {
    return capability == Capability.enter_alt_charset_mode
        ? null
        : super.getStringCapability(capability);
  }

  @Override
  public PrintWriter writer() {
    return writer;
  }

  @Override
  public OutputStream output() {
    return output;
  }

  @Override
  public synchronized Attributes enterRawMode() {
    Attributes before = getAttributes();
    Attributes raw = new Attributes(before);
    raw.setLocalFlags(
        EnumSet.of(
            Attributes.LocalFlag.ICANON, Attributes.LocalFlag.ECHO, Attributes.LocalFlag.IEXTEN),
        false);
    raw.setInputFlags(
        EnumSet.of(
            Attributes.InputFlag.IXON, Attributes.InputFlag.ICRNL, Attributes.InputFlag.INLCR),
        false);
    raw.setControlChar(ControlChar.VMIN, 1);
    raw.setControlChar(ControlChar.VTIME, 0);
    setAttributes(raw);
    return before;
  }

  @Override
  public synchronized Attributes getAttributes() {
    if (given) {
      return new Attributes(originalAttributes);
    }
    Attributes attributes = super.getAttributes();
    copy(originalAttributes, ControlChar.VEOF, attributes, ControlChar.VEOF);
    copy(originalAttributes, ControlChar.VEOL, attributes, ControlChar.VEOL);
    return attributes;
  }

  /**
   * Has the key that ends the input end a line in its place, as a part of it: a read that began
   * while a prompt was edited would not see the end.
   */
  @Override
  public synchronized void setAttributes(Attributes attributes) {
    if (!given) {
      Attributes changed = new Attributes(attributes);
      copy(attributes, ControlChar.VEOF, changed, ControlChar.VEOL);
      changed.setControlChar(ControlChar.VEOF, 0);
      super.setAttributes(changed);
    }
  }

  private static void copy(Attributes from, ControlChar what, Attributes to, ControlChar into) {
    to.setControlChar(into, from.getControlChar(what));
  }

  /** Returns the key that ends the input on an empty line. */
  int endKey() {
    return originalAttributes.getControlChar(ControlChar.VEOF);
  }

  /** Returns a usual size where the terminal has none. */
  @Override
  public synchronized Size getSize() {
    Size size = given ? USUAL : super.getSize();
    return size.getColumns() > 0 && size.getRows() > 0 ? size : USUAL;
  }

  @Override
  protected synchronized void doClose() throws IOException {
    given = true;
    writer.write(LineReaderImpl.BRACKETED_PASTE_OFF);
    puts(Capability.keypad_local);
    super.doClose();
  }
}

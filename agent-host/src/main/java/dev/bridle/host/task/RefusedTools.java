package dev.bridle.host.task;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bridle.host.bridge.HostTools;
import dev.bridle.host.bridge.ToolDescriptor;
import dev.bridle.host.bridge.ToolFailure;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lists the tools that a server's host offers, and refuses each call: for a test of an agent, in
 * which nobody allows anything. Thread-safe.
 */
public final class RefusedTools implements HostTools {
  private final AtomicInteger listed = new AtomicInteger();
  private final ConcurrentLinkedQueue<String> called = new ConcurrentLinkedQueue<>();

  /** Returns the tools without counting that as a question for them. */
  public static List<ToolDescriptor> descriptors() {
    return TaskTools.DESCRIPTORS;
  }

  @Override
  public List<ToolDescriptor> list() {
    var unused = listed.incrementAndGet();
    return descriptors();
  }

  @Override
  public JsonNode call(String name, JsonNode arguments) throws ToolFailure {
    if (descriptors().stream().noneMatch(tool -> tool.name().equals(name))) {
      throw ToolFailure.unknown(name);
    }
    called.add(name);
    throw ToolFailure.of("Not allowed: this is a test of the runtime, in which no tool runs");
  }

  /** Returns how often the tools were listed. */
  public int listed() {
    return listed.get();
  }

  /** Returns the names of the tools that were called, in order. */
  public List<String> called() {
    return List.copyOf(called);
  }

  /** Returns whether a tool was called that changes something, for which people are asked. */
  public boolean wereAskedToAct() {
    return called.stream().anyMatch(TaskTools.ACTING::contains);
  }
}

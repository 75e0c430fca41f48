package dev.bridle.host.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** The tools that a host offers to a runtime. Policy and approval are the implementation's. */
public interface HostTools {
  /** Returns the tools, as they are now. */
  List<ToolDescriptor> list();

  /**
   * Calls a tool, and waits for what it gives back.
   *
   * @param arguments an object; empty where the runtime gave none
   * @throws ToolFailure if there is no such tool, it is not allowed, or it failed
   * @throws InterruptedException if the runtime cancels the call, or ends; then what is under way
   *     for it ends, too. The runtime gets its answer only after this is thrown.
   */
  JsonNode call(String name, JsonNode arguments) throws ToolFailure, InterruptedException;

  /** Offers nothing. */
  static HostTools none() {
    return new HostTools() {
      @Override
      public List<ToolDescriptor> list() {
        return List.of();
      }

      @Override
      public JsonNode call(String name, JsonNode arguments) throws ToolFailure {
        throw ToolFailure.unknown(name);
      }
    };
  }
}

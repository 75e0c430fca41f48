package dev.bridle.host.acp;

import dev.bridle.host.rpc.RawJson;
import java.util.List;

/**
 * How an agent introduced itself.
 *
 * @param name the agent's name, empty if it gave none
 * @param version its version, empty if it gave none
 * @param capabilities what it says it can do; it may not serve all of that
 * @param authMethods the ways to log in
 * @param whole the answer to {@code initialize} as it was spelled
 */
public record Initialized(
    String name,
    String version,
    Capabilities capabilities,
    List<AuthMethod> authMethods,
    RawJson whole) {
  /** Copies. */
  public Initialized {
    authMethods = List.copyOf(authMethods);
  }

  static Initialized of(RawJson whole) {
    Members answer = Members.of(whole);
    Members info = answer.object("agentInfo");
    return new Initialized(
        info.text("name"),
        info.text("version"),
        Capabilities.of(answer.raw("agentCapabilities")),
        answer.objects("authMethods").stream().map(AuthMethod::of).toList(),
        whole.alone());
  }

  /**
   * What an agent says it can do.
   *
   * @param load {@code session/load}
   * @param resume {@code session/resume}
   * @param images pictures in prompts
   * @param audio sound in prompts
   * @param embeddedContext contents of resources in prompts
   * @param whole all capabilities as they were spelled
   */
  public record Capabilities(
      boolean load,
      boolean resume,
      boolean images,
      boolean audio,
      boolean embeddedContext,
      RawJson whole) {
    /** Returns whether the agent speaks the bridge protocol of Harn below ACP. */
    public boolean speaksBridge() {
      return Members.of(whole).object("_meta").offers("harn");
    }

    static Capabilities of(RawJson whole) {
      Members all = Members.of(whole);
      Members prompts = all.object("promptCapabilities");
      return new Capabilities(
          all.truth("loadSession"),
          all.object("sessionCapabilities").offers("resume"),
          prompts.truth("image"),
          prompts.truth("audio"),
          prompts.truth("embeddedContext"),
          whole.alone());
    }
  }

  /**
   * A way to log in.
   *
   * @param id what {@code authenticate} names
   * @param name for people
   * @param description for people, empty if there is none
   * @param whole the method with all its members
   */
  public record AuthMethod(String id, String name, String description, RawJson whole) {
    static AuthMethod of(RawJson whole) {
      Members method = Members.of(whole);
      return new AuthMethod(
          method.text("id"), method.text("name"), method.text("description"), whole);
    }
  }
}

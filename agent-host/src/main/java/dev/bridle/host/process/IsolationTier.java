package dev.bridle.host.process;

/** How well an agent's processes are held, and what is hidden from them, in plain words. */
public enum IsolationTier {
  /** Process and mount namespaces, with a folder hidden. */
  HIDDEN_FOLDER(
      "Everything that the agent starts ends with it and with this host, even if the host is"
          + " killed. The agent sees its own processes alone, and not the hidden folder.",
      "This is no sandbox: the agent reads and writes all other files of its user, and uses the"
          + " network. Services that start programs for the user outside of it (systemd, cron, ssh"
          + " to this machine, containers) can reach the hidden folder for it."),

  /** Process and mount namespaces. */
  NAMESPACES(
      "Everything that the agent starts ends with it and with this host, even if the host is"
          + " killed. The agent sees its own processes alone.",
      "This is no sandbox, and nothing is hidden: the agent reads and writes all files of its"
          + " user, those with Bridle's keys too, so it could approve its own actions."),

  /** A supervising shell and a profile of macOS that denies a folder. */
  DENIED_FOLDER(
      "The agent's process group ends with it and with this host, even if the host is killed. A"
          + " sandbox profile denies the hidden folder to the agent and to all that it starts.",
      "This is no sandbox: the agent reads and writes all other files of its user, uses the"
          + " network, and sees all processes. What leaves its process group and its parents lives"
          + " on. The profile was never tried: take it that the agent could approve its own"
          + " actions, such as by renaming a folder above the hidden one, or by services that start"
          + " programs for the user outside of it (launchd, cron, ssh to this machine)."),

  /** A session of its own, and a marker in the environment by which processes are found. */
  MARKED(
      "What the agent starts is found by a marker in its environment and killed when the agent or"
          + " this host ends; if the host and its guard are killed, when the next host starts.",
      "This is no sandbox, and nothing is hidden: the agent could approve its own actions."
          + " Processes that clear their environment and leave their parents are not found. The"
          + " agent sees and can signal all processes of its user, this host too."),

  /** A supervising shell. */
  SUPERVISED(
      "The agent's process group ends with it and with this host, even if the host is killed.",
      "This is no sandbox, and nothing is hidden: the agent could approve its own actions. What"
          + " leaves its process group and its parents lives on. The agent sees and can signal all"
          + " processes of its user, this host too."),

  /** The system offers none of the above. */
  DESCENDANTS(
      "When the agent is stopped, or ends by itself, those of its descendants are killed that this"
          + " host has seen, which looks every second.",
      "This is no sandbox, and nothing is hidden: the agent could approve its own actions."
          + " Processes that leave their parents live on unseen, and so does everything if this"
          + " host is killed.");

  private final String promise;
  private final String limits;

  IsolationTier(String promise, String limits) {
    this.promise = promise;
    this.limits = limits;
  }

  /** What holds. */
  public String promise() {
    return promise;
  }

  /** What does not. */
  public String limits() {
    return limits;
  }

  /** Whether a folder is to be kept from the agent. */
  boolean hasFolder() {
    return this == HIDDEN_FOLDER || this == DENIED_FOLDER;
  }

  /** Whether files can be kept from the agent, without which it could approve its own actions. */
  public boolean hidesFiles() {
    return this == HIDDEN_FOLDER;
  }
}

package dev.bridle.core.integrations.prompt;

import dev.bridle.core.integrations.repo.HarpRepoStore;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.harp.prompt.Prompt;
import dev.bridle.relay.v1.HarpRepo;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.ReadTransaction;
import java.util.List;
import java.util.Optional;

/**
 * Finds the session of a prompt: the one that it names, in a workspace that its repository is
 * mapped to, or else the default session of the mapping. Whatever does not lead to exactly one
 * mapping leads nowhere. Workspaces that the caller has no access to don't exist for it.
 */
final class PromptRouting {
  /** Enough to know that there are several. */
  private static final int A_FEW = 2;

  private final HarpRepoStore repos;
  private final SessionStore sessions;

  PromptRouting(CoreContext context) {
    this.repos = new HarpRepoStore(context.layout());
    this.sessions = new SessionStore(context.layout(), context.log());
  }

  /**
   * Where a prompt goes, or why it goes nowhere.
   *
   * @param target where it goes; empty: nowhere
   * @param reason why, in one word; empty where it goes somewhere
   */
  record Route(Optional<PromptTarget> target, String reason) {
    private static Route none(String reason) {
      return new Route(Optional.empty(), reason);
    }
  }

  /** Returns where a prompt goes. */
  Route route(ReadTransaction tr, Caller caller, Prompt prompt) {
    Optional<List<HarpRepo>> named = prompt.repoRef().map(ref -> repos.ofRepo(tr, caller, ref));
    if (named.map(List::isEmpty).orElse(prompt.sessionId().isEmpty())) {
      return Route.none("unmapped");
    }
    if (prompt.sessionId().isEmpty()) {
      return toDefault(tr, caller, named.get());
    }
    Optional<Session> session = sessions.find(tr, caller, prompt.sessionId().get());
    if (session.isEmpty()) {
      return Route.none("unknown_session");
    }
    String workspace = session.get().getWorkspaceId();
    List<HarpRepo> leading =
        named
            .map(all -> all.stream().filter(one -> one.getWorkspaceId().equals(workspace)).toList())
            .orElseGet(() -> repos.ofWorkspace(tr, caller, workspace, A_FEW));
    return only(leading, session.get());
  }

  private Route toDefault(ReadTransaction tr, Caller caller, List<HarpRepo> named) {
    if (named.size() > 1) {
      return Route.none("ambiguous");
    }
    HarpRepo repo = named.get(0);
    if (!repo.hasSessionId()) {
      return Route.none("no_session");
    }
    return sessions
        .find(tr, caller, repo.getSessionId())
        .map(session -> only(named, session))
        .orElseGet(() -> Route.none("unknown_session"));
  }

  private static Route only(List<HarpRepo> leading, Session session) {
    if (leading.isEmpty()) {
      return Route.none("unmapped");
    }
    return leading.size() > 1
        ? Route.none("ambiguous")
        : new Route(Optional.of(new PromptTarget(leading.get(0), session)), "");
  }

  /** Returns whether the session of a target takes tasks. */
  boolean isOpen(ReadTransaction tr, String tenant, PromptTarget target) {
    return sessions.open(tr, tenant, target.session().getId());
  }
}

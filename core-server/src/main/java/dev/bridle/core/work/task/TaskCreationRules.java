package dev.bridle.core.work.task;

import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.error.ProtocolException;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.work.persona.Personas;
import dev.bridle.core.work.session.SessionStore;
import dev.bridle.persona.v1.Persona;
import dev.bridle.record.v1.TaskRecord;
import dev.bridle.record.v1.TaskRecordOrBuilder;
import dev.bridle.session.v1.Session;
import dev.bridle.storage.ReadTransaction;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks resources that create tasks, such as schedules and connectors, and their creators. */
public final class TaskCreationRules {
  private static final List<String> NEEDED = List.of("sessions:write", "tasks:write");

  /** Each counts as having submitted each task, which has their names. */
  private static final int MOST_SHAPERS = 64;

  /**
   * Tasks of a connector have those who set its secret, too, and children those of their parent.
   */
  private static final int MOST_SUBMITTERS = 256;

  private final SessionStore sessions;
  private final TenantRecords<Persona> personas;
  private final PersonaBounds bounds;

  public TaskCreationRules(CoreContext context) {
    this.sessions = new SessionStore(context.layout(), context.log());
    this.personas = new TenantRecords<>(context.layout(), Personas.PERSONA);
    this.bounds = new PersonaBounds(personas);
  }

  /**
   * Checks that a caller has the scopes to do what such a resource does.
   *
   * @param object the kind of resource, for the error message
   */
  public static void needMaker(Caller caller, String object) {
    for (String scope : NEEDED) {
      if (!caller.holds(scope)) {
        throw ProtocolException.of(
                ErrorCode.ERROR_CODE_PERMISSION_DENIED,
                "A "
                    + object
                    + " creates sessions and tasks; the credential lacks a scope for that.")
            .with("required_scope", scope);
      }
    }
  }

  /** Returns whether the tasks of what a caller makes may exceed the persona of their session. */
  public static boolean exceedPersonas(Caller maker) {
    return PersonaBounds.lifted(maker);
  }

  /**
   * Returns who has shaped what such a resource submits, with one more. None is forgotten, since a
   * later change by somebody else may keep what an earlier one has put there.
   *
   * @param before who had so far
   * @param maker who has made or changed it last; empty if that is not known
   * @param actor who shapes it now
   */
  public static List<String> shapers(List<String> before, String maker, String actor) {
    Set<String> all = new LinkedHashSet<>(before);
    if (!maker.isEmpty()) {
      all.add(maker);
    }
    all.add(actor);
    return bounded(
        all, MOST_SHAPERS, "have shaped what it submits; create a new one in its place.");
  }

  /**
   * Returns who counts as having submitted a task that has a parent: those who submit it, and those
   * who have submitted the parent, since what they asked for led to it.
   */
  static List<String> submitters(List<String> own, TaskRecord parent) {
    Set<String> all = new LinkedHashSet<>(own);
    all.addAll(submitters(parent));
    return bounded(
        all, MOST_SUBMITTERS, "count as having submitted it; submit it without a parent.");
  }

  /** Returns the actors who count as having submitted a task, as far as they are known. */
  public static Set<String> submitters(TaskRecordOrBuilder task) {
    return Stream.concat(Stream.of(task.getSubmittedBy()), task.getAlsoSubmittedByList().stream())
        .filter(actor -> !actor.isEmpty())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static List<String> bounded(Set<String> actors, int most, String consequence) {
    if (actors.size() > most) {
      throw ProtocolException.of(
          ErrorCode.ERROR_CODE_CONFLICT, "More than " + most + " actors would " + consequence);
    }
    return List.copyOf(actors);
  }

  /**
   * Returns the caller that such a resource creates its tasks as: what is checked at its making is
   * checked at each task as well, since personas change meanwhile.
   *
   * @param exceedPersonas what {@link #exceedPersonas} said of its maker
   */
  public static Caller runner(
      String tenant, String resource, String workspace, boolean exceedPersonas) {
    Set<String> scopes = new HashSet<>(NEEDED);
    if (exceedPersonas) {
      scopes.add(PersonaBounds.ADMINISTER);
    }
    return new Caller(tenant, resource, scopes, Set.of(workspace), false);
  }

  /**
   * Checks that the persona and the session of a resource exist and are accessible, and that the
   * caller may use the persona in the session. Its tasks are created later, without a caller.
   */
  public void checkTargets(
      ReadTransaction tr,
      Caller caller,
      String workspace,
      Optional<String> persona,
      Optional<String> session) {
    Optional<Persona> actor =
        persona.map(id -> personas.referenced(tr, caller, id, "target_persona_id"));
    Optional<Session> target = session.map(id -> checkSession(tr, caller, workspace, id));
    actor.ifPresent(
        one ->
            target.ifPresent(
                into -> bounds.needWithin(tr, caller, into, one, "target_persona_id")));
  }

  private Session checkSession(ReadTransaction tr, Caller caller, String workspace, String id) {
    Session session =
        sessions
            .find(tr, caller, id)
            .orElseThrow(
                () -> ProtocolException.notFound("session", id).blaming("target_session_id"));
    if (!session.getWorkspaceId().equals(workspace)) {
      throw ProtocolException.invalid(
          "target_session_id", "names a session of another workspace than its own");
    }
    return session;
  }
}

package dev.bridle.core.server;

import com.google.protobuf.Message;
import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Write;
import dev.bridle.core.kernel.context.CoreContext;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.resource.ResourceDef;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.kernel.resource.TenantSharedRules;
import dev.bridle.core.work.persona.Personas;
import dev.bridle.note.v1.Note;
import dev.bridle.note.v1.NoteServiceGrpc;
import dev.bridle.persona.v1.Persona;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A resource that only tests register: its record, its service, and the rule of its persona. */
final class Notes extends TenantSharedRules<Note> {
  static final RecordDef<Note> NOTE =
      RecordDef.of(900, "note", Note.parser())
          .id(Note::getId)
          .listed()
          .refersTo("persona", Note::getPersonaId)
          .withStream()
          .exported(export -> export.inPhase("NOTES").takenAlong())
          .build();

  private final TenantRecords<Persona> personas;

  private Notes(CoreContext context) {
    this.personas = new TenantRecords<>(context.layout(), Personas.PERSONA);
  }

  /** Returns the resources of a core that has notes as well. */
  static List<ResourceDef<?, ?>> besides(CoreContext context) {
    List<ResourceDef<?, ?>> all = new ArrayList<>(CoreResources.standard(context));
    all.add(resource(context));
    return all;
  }

  static ResourceDef<Note, Note> resource(CoreContext context) {
    return ResourceDef.of(
        NOTE,
        NoteServiceGrpc.getServiceDescriptor(),
        Note.getDefaultInstance(),
        new Notes(context));
  }

  @Override
  public Note create(Write write, Caller caller, Message request, Note note) {
    return checked(write, caller, note);
  }

  @Override
  public Note update(Write write, Caller caller, Note before, Note after) {
    return checked(write, caller, after);
  }

  private Note checked(Write write, Caller caller, Note note) {
    Optional.of(note.getPersonaId())
        .filter(id -> !id.isEmpty())
        .ifPresent(id -> personas.referenced(write.tr(), caller, id, "persona_id"));
    return note;
  }
}

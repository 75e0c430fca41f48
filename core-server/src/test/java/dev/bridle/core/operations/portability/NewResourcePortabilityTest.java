package dev.bridle.core.operations.portability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.core.kernel.resource.SharedResources;
import dev.bridle.core.server.TestCore;
import dev.bridle.note.v1.CreateNoteRequest;
import dev.bridle.note.v1.GetNoteRequest;
import dev.bridle.note.v1.Note;
import dev.bridle.note.v1.NoteServiceGrpc;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A resource that only tests register moves with its tenant, as its definition says. */
class NewResourcePortabilityTest {
  @TempDir Path source;
  @TempDir Path target;

  @Test
  void itIsExportedAndImportedWithItsTenant() {
    Note note;
    byte[] file;
    try (TestCore from = TestCore.withNotes(source)) {
      String persona =
          PersonaServiceGrpc.newBlockingStub(from.owner())
              .createPersona(SharedResources.aPersona().build())
              .getId();
      note =
          NoteServiceGrpc.newBlockingStub(from.owner())
              .createNote(
                  CreateNoteRequest.newBuilder().setText("one").setPersonaId(persona).build());
      file = Transfer.tenant(from);
    }
    try (TestCore to = TestCore.withNotes(target)) {
      Transfer.load(to, file);

      assertThat(
              NoteServiceGrpc.newBlockingStub(to.owner())
                  .getNote(GetNoteRequest.newBuilder().setNoteId(note.getId()).build()))
          .isEqualTo(note);
    }
  }
}

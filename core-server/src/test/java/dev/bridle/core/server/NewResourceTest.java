package dev.bridle.core.server;

import static dev.bridle.core.Refusal.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.FieldMask;
import dev.bridle.api.v1.ErrorCode;
import dev.bridle.core.kernel.resource.SharedResources;
import dev.bridle.core.operations.check.StorageChecker;
import dev.bridle.core.operations.check.finding.CheckProgress;
import dev.bridle.core.operations.check.finding.Finding;
import dev.bridle.event.v1.Event;
import dev.bridle.event.v1.EventServiceGrpc;
import dev.bridle.event.v1.ListEventsRequest;
import dev.bridle.note.v1.CreateNoteRequest;
import dev.bridle.note.v1.GetNoteRequest;
import dev.bridle.note.v1.ListNotesRequest;
import dev.bridle.note.v1.ListNotesResponse;
import dev.bridle.note.v1.Note;
import dev.bridle.note.v1.NoteServiceGrpc;
import dev.bridle.note.v1.NoteServiceGrpc.NoteServiceBlockingStub;
import dev.bridle.note.v1.UpdateNoteRequest;
import dev.bridle.persona.v1.Persona;
import dev.bridle.persona.v1.PersonaServiceGrpc;
import dev.bridle.storage.layer.KeyLayout;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a new resource costs: {@code note_service.proto} and {@link Notes}. Everything that is
 * tested here comes from those two.
 */
class NewResourceTest {
  @TempDir Path directory;
  private TestCore core;
  private NoteServiceBlockingStub notes;

  @BeforeEach
  void start() {
    core = TestCore.withNotes(directory);
    notes = NoteServiceGrpc.newBlockingStub(core.owner());
  }

  @AfterEach
  void stop() {
    core.close();
  }

  @Test
  void itIsCreatedReadListedAndUpdated() {
    Note first = create("one", "");
    Note second = create("two", "");
    Note changed =
        notes.updateNote(
            UpdateNoteRequest.newBuilder()
                .setNoteId(first.getId())
                .setText("won")
                .setUpdateMask(FieldMask.newBuilder().addPaths("text"))
                .build());

    assertThat(first.getId()).startsWith("note_");
    assertThat(changed.getText()).isEqualTo("won");
    assertThat(notes.getNote(named(first.getId()))).isEqualTo(changed);
    ListNotesResponse page = notes.listNotes(ListNotesRequest.newBuilder().setLimit(1).build());
    assertThat(page.getDataList()).containsExactly(second);
    assertThat(page.getPage().getHasMore()).isTrue();
  }

  @Test
  void everyChangeIsAnEventOfIts() {
    Note note = create("one", "");
    notes.updateNote(
        UpdateNoteRequest.newBuilder()
            .setNoteId(note.getId())
            .setText("won")
            .setUpdateMask(FieldMask.newBuilder().addPaths("text"))
            .build());

    List<Event> events =
        EventServiceGrpc.newBlockingStub(core.owner())
            .listEvents(ListEventsRequest.getDefaultInstance())
            .getDataList();
    assertThat(events)
        .filteredOn(event -> event.getResource().getId().equals(note.getId()))
        .extracting(Event::getEvent)
        .containsExactly("vendor.bridle.note_created", "vendor.bridle.note_updated");
  }

  @Test
  void aRepeatedCommandCreatesOne() {
    NoteServiceBlockingStub keyed = NoteServiceGrpc.newBlockingStub(core.withKey("k"));
    CreateNoteRequest request = CreateNoteRequest.newBuilder().setText("one").build();

    Note first = keyed.createNote(request);

    assertThat(keyed.createNote(request)).isEqualTo(first);
    assertThat(notes.listNotes(ListNotesRequest.getDefaultInstance()).getDataCount()).isEqualTo(1);
  }

  @Test
  void scopesOfItsMethodsAndItsOwnRulesAreHeld() {
    NoteServiceBlockingStub reader =
        NoteServiceGrpc.newBlockingStub(core.as("reader", List.of("notes:read"), List.of()));

    assertThat(reader.listNotes(ListNotesRequest.getDefaultInstance()).getDataList()).isEmpty();
    assertRefused(
        ErrorCode.ERROR_CODE_PERMISSION_DENIED,
        "",
        () -> reader.createNote(CreateNoteRequest.newBuilder().setText("x").build()));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "persona_id", () -> create("x", "persona_none"));
    assertRefused(
        ErrorCode.ERROR_CODE_RESOURCE_NOT_FOUND, "", () -> notes.getNote(named("note_none")));
  }

  @Test
  void theStorageCheckKnowsItAndWhatItRefersTo() {
    Persona persona =
        PersonaServiceGrpc.newBlockingStub(core.owner())
            .createPersona(SharedResources.aPersona().build());
    Note note = create("one", persona.getId());
    assertThat(findings()).isEmpty();

    Note astray = note.toBuilder().setPersonaId("persona_gone").build();
    replace(note, astray);
    assertThat(findings())
        .singleElement()
        .extracting(Finding::sentence)
        .asString()
        .contains("The note names the persona persona_gone, which does not exist.");
    replace(astray, note);
  }

  private void replace(Note before, Note after) {
    core.store()
        .transact(
            tr -> {
              Notes.NOTE
                  .store(KeyLayout.root())
                  .update(tr, "default", after.getId(), before, after);
              return after;
            });
  }

  private List<Finding> findings() {
    return new StorageChecker(core.store(), KeyLayout.root(), core.core().catalog())
        .check(CheckProgress.SILENT)
        .findings();
  }

  private Note create(String text, String persona) {
    CreateNoteRequest.Builder request = CreateNoteRequest.newBuilder().setText(text);
    if (!persona.isEmpty()) {
      request.setPersonaId(persona);
    }
    return notes.createNote(request.build());
  }

  private static GetNoteRequest named(String id) {
    return GetNoteRequest.newBuilder().setNoteId(id).build();
  }
}

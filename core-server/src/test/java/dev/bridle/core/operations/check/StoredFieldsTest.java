package dev.bridle.core.operations.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.server.CoreRecords;
import dev.bridle.record.v1.CommandRecord;
import dev.bridle.record.v1.CredentialRecord;
import dev.bridle.record.v1.EventRecord;
import dev.bridle.record.v1.ExportEntry;
import dev.bridle.record.v1.ImportRecord;
import dev.bridle.record.v1.IngressRecord;
import dev.bridle.record.v1.MasterKeyRecord;
import dev.bridle.record.v1.SigningKeyRecord;
import dev.bridle.record.v1.StepRecord;
import dev.bridle.record.v1.TenantRecord;
import dev.bridle.storage.layer.RetiredNumbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What is stored stays readable: kinds of records, fields and enum values keep their numbers and
 * types. {@code -Dbridle.write-stored-fields=true} writes the listing anew, and its difference is
 * then looked at: a line may be added, or go with a {@code reserved} in its message, and none may
 * change.
 */
class StoredFieldsTest {
  private static final Path LISTING =
      Path.of("src/test/resources/dev/bridle/core/operations/check/stored-fields.txt");

  private final Map<String, List<String>> found = new TreeMap<>();

  @Test
  void everyStoredKindAndFieldIsTheOneThatIsListed() throws IOException {
    List<RecordDef<?>> kinds =
        CoreRecords.CATALOG.all().stream()
            .sorted(Comparator.comparingInt(RecordDef::number))
            .toList();
    found.put(
        "kinds",
        kinds.stream().map(kind -> "record " + kind.number() + " " + kind.name()).toList());
    Stream.concat(
            kinds.stream().map(StoredFieldsTest::descriptor),
            Stream.of(
                CommandRecord.getDescriptor(),
                CredentialRecord.getDescriptor(),
                IngressRecord.getDescriptor(),
                EventRecord.getDescriptor(),
                ExportEntry.getDescriptor(),
                ImportRecord.getDescriptor(),
                MasterKeyRecord.getDescriptor(),
                SigningKeyRecord.getDescriptor(),
                StepRecord.getDescriptor(),
                TenantRecord.getDescriptor()))
        .forEach(this::add);
    List<String> lines = found.values().stream().flatMap(List::stream).toList();
    if (Boolean.getBoolean("bridle.write-stored-fields")) {
      Files.write(LISTING, lines);
    }
    assertThat(lines)
        .as("stored-fields.txt; see this test's comment")
        .containsExactlyElementsOf(Files.readAllLines(LISTING));
  }

  @Test
  void noRetiredKindOfRecordIsGivenOutAgain() {
    assertThat(RetiredNumbers.RECORD_KINDS)
        .noneMatch(number -> CoreRecords.CATALOG.find(number).isPresent());
  }

  private static Descriptor descriptor(RecordDef<?> kind) {
    try {
      return ((Message) kind.type().parser().parseFrom(new byte[0])).getDescriptorForType();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  private void add(Descriptor message) {
    if (found.containsKey(message.getFullName())) {
      return;
    }
    List<String> lines = new ArrayList<>();
    found.put(message.getFullName(), lines);
    for (FieldDescriptor field : message.getFields()) {
      lines.add(
          String.join(
              " ",
              message.getFullName(),
              "" + field.getNumber(),
              field.getName(),
              field.isRepeated() ? "repeated" : "single",
              type(field)));
    }
    message.toProto().getReservedRangeList().stream()
        .map(range -> message.getFullName() + " " + range.getStart() + " reserved")
        .forEach(lines::add);
  }

  private String type(FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case MESSAGE -> {
        add(field.getMessageType());
        yield field.getMessageType().getFullName();
      }
      case ENUM -> {
        add(field.getEnumType());
        yield field.getEnumType().getFullName();
      }
      default -> field.getType().name().toLowerCase(Locale.ROOT);
    };
  }

  private void add(EnumDescriptor type) {
    found.put(
        type.getFullName(),
        type.getValues().stream()
            .map(value -> type.getFullName() + " " + value.getNumber() + " " + value.getName())
            .collect(Collectors.toList()));
  }
}

package dev.bridle.storage.fdb;

import static org.assertj.core.api.Assertions.assertThat;

import com.apple.foundationdb.FDBException;
import dev.bridle.storage.StoreException;
import dev.bridle.storage.StoreException.Code;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FdbErrorsTest {

  @ParameterizedTest
  @EnumSource(
      value = Code.class,
      names = {"STORE_FAILED", "DISK_LOW", "STORE_CLOSED"},
      mode = EnumSource.Mode.EXCLUDE)
  void eachCodeOfTheContractIsWhatItsNumberMeansOnACluster(Code code) {
    assertThat(FdbErrors.code(code.number())).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource({
    "1020, true, false",
    "1021, true, true",
    "1039, true, true",
    "1007, true, false",
    "1009, true, false",
    "1037, true, false",
    "1038, true, false",
    "1042, true, false",
    "1051, true, false",
    "1078, true, false",
    "1213, true, false",
    "1223, true, false",
    "1235, true, false",
    "1242, true, false",
    "1031, false, true",
    "1025, false, true",
    "1101, false, true",
    "1036, false, false",
    "2101, false, false"
  })
  void whatIsTriedAgainAndWhatIsOpenFollowsFromTheNumber(
      int number, boolean retriable, boolean outcomeUnknown) {
    StoreException failure = FdbErrors.toStore(new FDBException("Told", number));
    assertThat(failure.retriable()).isEqualTo(retriable);
    assertThat(failure.outcomeUnknown()).isEqualTo(outcomeUnknown);
    assertThat(failure).hasMessage("FoundationDB answered: Told (error " + number + ").");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1100, 1510, 4100})
  void whatNobodyKnowsIsNotTriedAgainAndItsOutcomeIsOpen(int number) {
    StoreException failure = FdbErrors.toStore(new FDBException("Told", number));
    assertThat(failure.code()).isEqualTo(Code.STORE_FAILED);
    assertThat(failure.retriable()).isFalse();
    assertThat(failure.outcomeUnknown()).isTrue();
  }

  @Test
  void onErrorIsToldTheOriginalNumber() {
    FDBException throttled = new FDBException("Told", 1213);
    StoreException failure = FdbErrors.toStore(new CompletionException(throttled));
    assertThat(FdbErrors.toFdb(failure)).isSameAs(throttled);
    assertThat(FdbErrors.toFdb(new StoreException(Code.CONFLICT, "Made up.")).getCode())
        .isEqualTo(1020);
  }
}

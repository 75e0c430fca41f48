package dev.bridle.core.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bridle.sampling.Sample;
import dev.bridle.storage.kit.fault.AtStep;
import dev.bridle.storage.kit.fault.Fault;
import dev.bridle.storage.kit.fault.FaultPlan;
import dev.bridle.storage.kit.fault.Operation;
import dev.bridle.storage.kit.fault.OperationKind;
import dev.bridle.storage.kit.fault.Recording;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each scenario is recorded once, and then run once for each of its operations on the store with
 * each fault there. Whatever happens at whichever step, clients and workers that try again get
 * their answers, and what is stored at the end is what they were told.
 *
 * <p>All of a run is on one thread, so all of its operations are counted, those of the core's
 * background among them, and the same run makes the same ones.
 */
@ExtendWith(QuietLog.class)
final class EveryStepTest {
  /** What the world does in all stories: starting a core, leasing a task, sweeping what is due. */
  private static final Set<String> IN_ALL_STORIES = Set.of("start", "lease", "sweep");

  @TempDir static Path directory;
  private static final Sample SAMPLE = Sample.of("steps with a fault");
  private static Stages stages;

  @BeforeAll
  static void open() {
    stages = new Stages(directory);
  }

  @AfterAll
  static void close() {
    stages.close();
    SAMPLE.print();
  }

  @TestFactory
  Stream<DynamicTest> aTaskSurvivesEachFaultOfEachOfItsCommits() {
    return tests(
        Scenarios.TASK,
        record(Scenarios.TASK).stream().filter(Operation::writes).flatMap(EveryStepTest::all));
  }

  @TestFactory
  Stream<DynamicContainer> aTaskOfAWaitingWorkerSurvivesFaultsAndCrashesOfItsCommits() {
    return stories(
        Stream.of(Scenarios.WAITING_WORKER),
        (scenario, step) ->
            step.writes()
                ? Stream.concat(all(step), Stream.of(new AtStep(step, Fault.CRASH))).distinct()
                : Stream.empty());
  }

  @TestFactory
  Stream<DynamicContainer> carriedReportsSurviveTheTellingFaultsOfEachOfTheirCommits() {
    return stories(
        Stream.of(Scenarios.BATCHES),
        (scenario, step) -> step.writes() ? telling(step) : Stream.empty());
  }

  @TestFactory
  Stream<DynamicContainer> anApprovalSurvivesTheTellingFaultsOfEachOfItsCommits() {
    return stories(
        Stream.of(Scenarios.PERMISSION, Scenarios.PERMISSION_EXPIRY, Scenarios.PERMISSION_CHANGE),
        (scenario, step) -> step.writes() ? telling(step) : Stream.empty());
  }

  @TestFactory
  Stream<DynamicContainer> noDeviceIsEnrolledWithoutANoticeWhateverHappensToTheCommits() {
    return stories(
        Stream.of(Scenarios.DEVICE_NOTICE),
        (scenario, step) ->
            step.writes() && !isRepeated(scenario, step)
                ? Stream.concat(telling(step), Stream.of(new AtStep(step, Fault.CRASH))).distinct()
                : Stream.empty());
  }

  /** Those above are among them: they are what the plain build plays. */
  @Tag("slow")
  @TestFactory
  Stream<DynamicContainer> everyStorySurvivesEveryFaultAtEachOfItsOperations() {
    return stories(
        Arrays.stream(Scenarios.values()),
        (scenario, step) ->
            all(step)
                .filter(EveryStepTest::differs)
                .filter(plan -> !isRepeated(scenario, step) || !isOfRead(plan))
                .filter(plan -> SAMPLE.takes(scenario + " " + plan)));
  }

  /**
   * Returns whether a run can differ from all others. Within a transaction nothing but its commit
   * changes anything, so a crash at one of its operations is a crash at its beginning; the core
   * takes both kinds of cancellation alike, so reads have them in turns; and the time of a run does
   * not pass while something is slow.
   */
  private static boolean differs(AtStep plan) {
    Operation step = plan.step();
    boolean even = step.number() % 2 == 0;
    return switch (plan.fault()) {
      case SLOW -> false;
      case CRASH -> step.kind() == OperationKind.BEGIN || step.writes();
      case CANCELLED_AND_LOST -> step.writes() || even;
      case OPERATION_CANCELLED_AND_LOST -> step.writes() || !even;
      default -> true;
    };
  }

  /** Returns whether a step comes in all stories alike: {@code TASK} plays it for all of them. */
  private static boolean isRepeated(Scenarios scenario, Operation step) {
    return scenario != Scenarios.TASK && IN_ALL_STORIES.contains(step.during());
  }

  private static boolean isOfRead(AtStep plan) {
    return plan.step().kind().reads() && plan.fault() != Fault.CRASH;
  }

  @Tag("slow")
  @TestFactory
  Stream<DynamicContainer> aCommitThatLandsLateIsHarmlessWheneverItLands() {
    return stories(
        Arrays.stream(Scenarios.values()),
        (scenario, step) ->
            step.writes()
                ? landingLate(step).filter(plan -> SAMPLE.takes(scenario + " " + plan))
                : Stream.empty());
  }

  private static Stream<DynamicContainer> stories(
      Stream<Scenarios> scenarios, BiFunction<Scenarios, Operation, Stream<AtStep>> plans) {
    return scenarios.map(
        scenario ->
            DynamicContainer.dynamicContainer(
                scenario.name(),
                tests(
                    scenario,
                    record(scenario).stream().flatMap(step -> plans.apply(scenario, step)))));
  }

  private static Stream<AtStep> landingLate(Operation step) {
    return IntStream.of(1, 2, 3, 5, 8, 13, 21, FaultPlan.AT_THE_END)
        .mapToObj(late -> new AtStep(step, Fault.TIMED_OUT_THEN_APPLIED, late));
  }

  private static Stream<AtStep> telling(Operation step) {
    return Stream.of(
        new AtStep(step, Fault.UNKNOWN_BUT_APPLIED),
        new AtStep(step, Fault.TIMED_OUT_THEN_APPLIED),
        new AtStep(step, Fault.CRASH_ONCE_APPLIED));
  }

  private static Stream<AtStep> all(Operation step) {
    return Arrays.stream(Fault.values())
        .filter(fault -> fault != Fault.NONE && fault.fits(step))
        .map(fault -> new AtStep(step, fault));
  }

  private static List<Operation> record(Scenario scenario) {
    Recording recording = new Recording();
    try {
      assertThat(stages.play(recording, scenario)).isZero();
    } catch (Exception e) {
      throw new AssertionError("the scenario fails without any fault", e);
    }
    return recording.operations();
  }

  /** Begins all runs of a scenario; its tests wait for them one after the other. */
  private static Stream<DynamicTest> tests(Scenario scenario, Stream<AtStep> plans) {
    return plans
        .map(plan -> new Run(plan.toString(), stages.begin(plan, scenario)))
        .toList()
        .stream()
        .map(Run::test);
  }

  private record Run(String name, Future<Long> faults) {
    DynamicTest test() {
      return DynamicTest.dynamicTest(
          name, () -> assertThat(Stages.ended(faults)).as("faults").isEqualTo(1));
    }
  }
}

package dev.bridle.cli.borders;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Arrows between modules point one way, and some things are said in one place only. */
@AnalyzeClasses(packages = "dev.bridle", importOptions = HandWritten.class)
final class ModuleBordersTest {
  private static final String CORE = "dev.bridle.core..";
  private static final String CONNECTION = "dev.bridle.connection..";
  private static final String JSON = "dev.bridle.json..";
  private static final String STORAGE = "dev.bridle.storage..";
  private static final String GATEWAY = "dev.bridle.gateway..";
  private static final String GATEWAY_KIT = "dev.bridle.gateway.kit..";
  private static final String FIXTURES = "dev.bridle.fixtures..";
  private static final String CLI = "dev.bridle.cli..";
  private static final String RECORDS = "dev.bridle.record.v1..";
  private static final String PROOF = "dev.bridle.proof..";
  private static final String HARP = "dev.bridle.harp..";
  private static final String HARP_EVIDENCE = "dev.bridle.harp.evidence..";
  private static final String HARP_GATEWAY = "dev.bridle.harpgateway..";
  private static final String HOST = "dev.bridle.host..";
  private static final String[] HOSTED = {"dev.bridle.host.task..", "dev.bridle.host.runtime.."};

  /** The contract's packages carry their version. */
  private static final String CONTRACT = "dev.bridle.*.v1..";

  /** The SDK shares the beginning of its name with a package of the contract. */
  private static final String[] SDK = {"dev.bridle.worker", "dev.bridle.worker.demo"};

  /** Here, so that all classes are read once. */
  @ArchTest static final ArchTests layers = ArchTests.in(CoreLayers.class);

  @ArchTest static final ArchTests dependencies = ArchTests.in(Dependencies.class);

  @ArchTest
  static final ArchRule aGatewayKnowsTheCoreByItsContractAlone =
      noClasses()
          .that()
          .resideInAnyPackage(GATEWAY, HARP_GATEWAY)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(CORE, STORAGE, SDK[0], SDK[1], HOST, FIXTURES, CLI, RECORDS);

  @ArchTest
  static final ArchRule theTwoGatewaysDoNotKnowEachOther =
      noClasses()
          .that()
          .resideInAPackage(HARP_GATEWAY)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(GATEWAY, JSON).and(resideOutsideOfPackages(GATEWAY_KIT)))
          .orShould()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.bridle.harp.seal..", "dev.bridle.harp.pairing..");

  @ArchTest
  static final ArchRule theGatewayKitKnowsNoGateway =
      noClasses()
          .that()
          .resideInAPackage(GATEWAY_KIT)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(GATEWAY, JSON, HARP, HARP_GATEWAY)
                  .and(resideOutsideOfPackages(GATEWAY_KIT)));

  @ArchTest
  static final ArchRule theWorkerSdkKnowsTheContractAlone =
      noClasses()
          .that()
          .resideInAnyPackage(SDK)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              CORE, STORAGE, JSON, GATEWAY, HARP_GATEWAY, HOST, FIXTURES, CLI, RECORDS);

  @ArchTest
  static final ArchRule theFixturesKnowNothingOfTheServer =
      noClasses()
          .that()
          .resideInAnyPackage(FIXTURES)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(CORE, STORAGE, JSON, GATEWAY, SDK[0], SDK[1], HOST, CLI, RECORDS);

  @ArchTest
  static final ArchRule storageKnowsNobodyAbove =
      noClasses()
          .that()
          .resideInAnyPackage(STORAGE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              CORE, JSON, GATEWAY, HARP_GATEWAY, SDK[0], SDK[1], HOST, FIXTURES, CLI);

  @ArchTest
  static final ArchRule resourceJsonKnowsTheContractAlone =
      noClasses()
          .that()
          .resideInAnyPackage(JSON)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(CORE, STORAGE, GATEWAY, SDK[0], SDK[1], HOST, FIXTURES, CLI, RECORDS);

  /** The core's listener and those of gateways share it. */
  @ArchTest
  static final ArchRule connectionLimitsKnowNettyAlone =
      classes()
          .that()
          .resideInAPackage(CONNECTION)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(CONNECTION, "java..", "io.netty..", "org.slf4j..");

  /** So that the program of an auditor can depend on it. */
  @ArchTest
  static final ArchRule proofKnowsJsonAndCryptographyAlone =
      classes()
          .that()
          .resideInAPackage(PROOF)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              PROOF,
              "java..",
              "com.fasterxml.jackson..",
              "org.bouncycastle.crypto..",
              "org.bouncycastle.math.ec.rfc8032..");

  /** So that an enforcer, an approver or a relay of somebody else can depend on it. */
  @ArchTest
  static final ArchRule harpKnowsProofJsonAndCryptographyAlone =
      classes()
          .that()
          .resideInAPackage(HARP)
          .and()
          .resideOutsideOfPackage(HARP_EVIDENCE)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              HARP,
              "dev.bridle.proof.hash..",
              "dev.bridle.proof.json..",
              "dev.bridle.proof.key..",
              "dev.bridle.proof.schema..",
              "java..",
              "com.fasterxml.jackson..",
              "org.bouncycastle.crypto..",
              "org.bouncycastle.math.ec.rfc8032..");

  /** What a receipt says of decisions is checked with the library of receipts, by nobody else. */
  @ArchTest
  static final ArchRule harpKnowsNothingOfEvidenceForReceipts =
      noClasses()
          .that()
          .resideInAPackage(HARP)
          .and()
          .resideOutsideOfPackage(HARP_EVIDENCE)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(HARP_EVIDENCE);

  /** Agents are spoken to without knowing what tasks are. */
  @ArchTest
  static final ArchRule whatSpeaksToAgentsKnowsJsonAlone =
      classes()
          .that()
          .resideInAPackage(HOST)
          .and()
          .resideOutsideOfPackages(HOSTED)
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(HOST, "java..", "com.fasterxml.jackson..")
                  .and(resideOutsideOfPackages(HOSTED)));

  @ArchTest
  static final ArchRule theAgentHostKnowsTheCoreByTheWorkerSdk =
      noClasses()
          .that()
          .resideInAPackage(HOST)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(CORE, STORAGE, JSON, GATEWAY, HARP_GATEWAY, FIXTURES, CLI, RECORDS);

  @ArchTest
  static final ArchRule theCoreKnowsStorageTheContractAndItsJsonAlone =
      noClasses()
          .that()
          .resideInAnyPackage(CORE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(GATEWAY, HARP_GATEWAY, SDK[0], SDK[1], HOST, FIXTURES, CLI);

  @ArchTest
  static final ArchRule storedRecordsAreTheCoresAndStoragesOwn =
      noClasses()
          .that()
          .resideOutsideOfPackages(CORE, STORAGE, RECORDS)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(RECORDS);

  @ArchTest
  static final ArchRule keysAreMadeInTheirLayers =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.bridle.storage..", "dev.bridle.storage.kit..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.apple.foundationdb.tuple..");

  @ArchTest
  static final ArchRule rocksDbIsBehindTheEmbeddedEngine =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.bridle.storage.embedded..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.rocksdb..");

  @ArchTest
  static final ArchRule theCoreMapsErrorsInOnePackage =
      noClasses()
          .that()
          .resideInAPackage(CORE)
          .and()
          .resideOutsideOfPackage("dev.bridle.core.kernel.error..")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("io.grpc.StatusRuntimeException");

  @ArchTest
  static final ArchRule gatewaysMapErrorsInOnePackage =
      noClasses()
          .that()
          .resideInAnyPackage(GATEWAY, HARP_GATEWAY)
          .and()
          .resideOutsideOfPackage("dev.bridle.gateway.kit.error..")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("io.grpc.StatusRuntimeException");

  @ArchTest
  static final ArchRule classesAreNamedForWhatTheyAre =
      classes()
          .that()
          .resideOutsideOfPackage(CONTRACT)
          .should()
          .haveNameNotMatching(".*(Util|Utils|Helper|Manager|Impl)$");

  @ArchTest
  static void noPackageIsInTwoModules(JavaClasses all) {
    Map<String, Set<String>> homes = new TreeMap<>();
    for (JavaClass each : all) {
      each.getSource()
          .ifPresent(
              source ->
                  homes
                      .computeIfAbsent(each.getPackageName(), name -> new TreeSet<>())
                      .add(module(source.getUri().toString(), each)));
    }
    assertThat(homes).hasSizeGreaterThan(20);
    homes.values().removeIf(modules -> modules.size() == 1);
    assertThat(homes).isEmpty();
  }

  /** What stands before the package in a class's place: a module's jar or its folder of classes. */
  private static String module(String uri, JavaClass each) {
    return uri.substring(0, uri.indexOf(each.getPackageName().replace('.', '/')));
  }
}

package dev.bridle.cli.borders;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/** The core's packages lie in groups, each of which knows those below it alone. */
final class CoreLayers {
  private static final String CORE = "dev.bridle.core.";

  /** From the ground up. */
  private static final List<String> GROUPS =
      List.of("kernel", "work", "integrations", "operations", "api", "server");

  @ArchTest
  static final ArchRule noTwoPackagesOfAModuleNeedEachOther =
      slices()
          .matching("dev.bridle.(core|storage|gateway|cli|fixtures|worker|proof|host).(**)")
          .should()
          .beFreeOfCycles();

  @ArchTest
  static void everyGroupKnowsTheGroupsBelowItAlone(JavaClasses all) {
    for (int i = 0; i < GROUPS.size(); i++) {
      String[] above =
          GROUPS.subList(i + 1, GROUPS.size()).stream()
              .map(CoreLayers::packagesOf)
              .toArray(String[]::new);
      if (above.length > 0) {
        noClasses()
            .that()
            .resideInAPackage(packagesOf(GROUPS.get(i)))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(above)
            .check(all);
      }
    }
  }

  @ArchTest
  static void everyPackageOfTheCoreIsInAGroup(JavaClasses all) {
    assertThat(all.stream().map(JavaClass::getPackageName).filter(name -> name.startsWith(CORE)))
        .isNotEmpty()
        .allMatch(
            name -> GROUPS.stream().anyMatch(group -> (name + ".").startsWith(CORE + group + ".")));
  }

  private static String packagesOf(String group) {
    return CORE + group + "..";
  }
}

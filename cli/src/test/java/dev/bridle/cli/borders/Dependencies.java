package dev.bridle.cli.borders;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.ArchTest;
import dev.bridle.core.kernel.context.CoreContext;
import java.time.Clock;
import java.util.List;

/** Keeps classes from being given more than they need. */
final class Dependencies {
  private static final int MAX_PARAMETERS = 7;

  private Dependencies() {}

  /** Generated code, and classes whose parameters are members that Java adds, are not counted. */
  @ArchTest
  static void noClassTakesMoreThanSevenParameters(JavaClasses all) {
    List<String> large =
        all.stream()
            .filter(each -> !each.getPackageName().matches("dev\\.bridle(\\.\\w+)*\\.v1"))
            .filter(each -> !each.isRecord() && !each.isEnum() && !each.isAnonymousClass())
            .flatMap(each -> each.getConstructors().stream())
            .filter(each -> each.getRawParameterTypes().size() > MAX_PARAMETERS)
            .map(Dependencies::described)
            .sorted()
            .toList();
    System.out.println("Constructors of more than 7 parameters: " + large.size());

    assertThat(large).isEmpty();
  }

  private static String described(JavaConstructor each) {
    JavaClass owner = each.getOwner();
    return owner.getFullName() + " (" + each.getRawParameterTypes().size() + ")";
  }

  /** Such a record hides how many collaborators a class has. */
  @ArchTest
  static void noNestedRecordOnlyCarriesDependencies(JavaClasses all) {
    List<String> found =
        all.stream()
            .filter(Dependencies::onlyCarriesDependencies)
            .map(JavaClass::getFullName)
            .sorted()
            .toList();
    System.out.println("Nested records that only carry dependencies: " + found.size());

    assertThat(found).isEmpty();
  }

  static boolean onlyCarriesDependencies(JavaClass each) {
    return each.isRecord()
        && each.isNestedClass()
        && components(each).size() > 1
        && components(each).stream().allMatch(Dependencies::isDependency);
  }

  private static List<JavaClass> components(JavaClass each) {
    return each.getFields().stream()
        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
        .map(JavaField::getRawType)
        .toList();
  }

  /** Returns whether a type is a service of the project, or a record of services: not data. */
  private static boolean isDependency(JavaClass type) {
    if (type.isEquivalentTo(CoreContext.class) || type.isEquivalentTo(Clock.class)) {
      return true;
    }
    boolean own = type.getPackageName().matches("dev\\.bridle(\\.\\w+)*(?<!\\.v1)");
    boolean data = type.isEnum() || type.isAssignableTo(Throwable.class);
    return own
        && !data
        && (!type.isRecord() || components(type).stream().allMatch(Dependencies::isDependency));
  }
}

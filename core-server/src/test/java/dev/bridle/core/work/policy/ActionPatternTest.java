package dev.bridle.core.work.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ActionPatternTest {
  @ParameterizedTest(name = "''{0}'' matches the path ''{1}'': {2}")
  @CsvSource({
    "deploy.yml, /srv/app/deploy.yml, true",
    "deploy.yml, deploy.yml, true",
    "deploy.yml, /srv/app/deploy.yml.bak, false",
    "*.tf, /srv/net/main.tf, true",
    "*.tf, /srv/net/main.tf/readme, false",
    "/srv/*.tf, /srv/main.tf, true",
    "/srv/*.tf, /srv/net/main.tf, false",
    "/srv/**/*.tf, /srv/net/eu/main.tf, true",
    "/srv/**/*.tf, /srv/main.tf, true",
    "/srv/**, /srv/a/b, true",
    "/srv/**, /home/srv/a, false",
    "migrations/**, /work/shop/migrations/7.sql, true",
    "ma?n.tf, /MAIN.TF, true",
    "/etc/passwd, /srv/../etc/./passwd, true",
    "/etc/passwd, /../../etc/passwd, true",
    "/etc/passwd, \\etc\\passwd, true",
    "secret.txt, secret.txt., true",
  })
  void pathsMatchAsTheMostLenientOfFileSystemsCompareThem(
      String pattern, String path, boolean matches) {
    assertThat(ActionPattern.matchesPath(pattern, ActionPattern.names(path))).isEqualTo(matches);
  }

  @ParameterizedTest(name = "''{0}'' matches the command ''{1}'': {2}")
  @CsvSource({
    "kubectl delete, kubectl delete pod x, true",
    "kubectl delete, cd /tmp && kubectl   DELETE pod x, true",
    "kubectl delete, kubectl get pods, false",
    "git push*--force, git push origin main --force, true",
    "git push*--force, git push origin main, false",
    "git push*--force, git --force push, false",
    "*, anything, true",
  })
  void aCommandMatchesInAnyPartOfTheText(String pattern, String command, boolean matches) {
    assertThat(ActionPattern.matchesCommand(pattern, ActionPattern.command(command)))
        .isEqualTo(matches);
  }

  @Test
  void aCommandMatchesOverSeveralLines() {
    String script = ActionPattern.command("cd /srv\n\tterraform\\\n   apply\n");

    assertThat(ActionPattern.matchesCommand("terraform* apply", script)).isTrue();
  }

  @Test
  void theLongestTextsMatchInAFewSteps() {
    String long1 = "a/".repeat(2000) + "b";
    String long2 = ActionPattern.command("a".repeat(250_000));

    assertThat(ActionPattern.matchesPath("**/a/**/a/**/a/**/a/**/c", ActionPattern.names(long1)))
        .isFalse();
    assertThat(ActionPattern.matchesCommand("a*a*a*a*a*a*a*b", long2)).isFalse();
  }
}

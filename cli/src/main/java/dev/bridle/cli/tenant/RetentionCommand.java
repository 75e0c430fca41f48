package dev.bridle.cli.tenant;

import com.google.protobuf.util.Durations;
import dev.bridle.admin.v1.Retention;
import dev.bridle.admin.v1.SetRetentionRequest;
import dev.bridle.admin.v1.Tenant;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Sets how long a tenant's events are kept. */
@Command(
    name = "retention",
    description = {
      "Set how long a tenant's events are kept. Older events are deleted permanently within"
          + " minutes.",
      "Events of live tasks are kept, with the events that follow them in their session."
    },
    footer = {
      "%nExamples:",
      "  bridle tenant retention default --max-age 30d --max-events 1000000",
      "  bridle tenant retention default --keep-all"
    })
final class RetentionCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private TenantAccess access;

  @Parameters(paramLabel = "TENANT", description = "The tenant's name.")
  private String tenant = "";

  @Option(
      names = "--max-age",
      paramLabel = "TIME",
      description = "The maximum age of events, at least 1s, such as 30d or 12h.")
  private Optional<Duration> maxAge = Optional.empty();

  @Option(
      names = "--max-events",
      paramLabel = "N",
      description = "The maximum number of events; the newest are kept.")
  private Optional<Long> maxEvents = Optional.empty();

  @Option(names = "--keep-all", description = "Keep all events, which is the default.")
  private boolean keepAll;

  @Override
  public void run() {
    boolean bounded = maxAge.isPresent() || maxEvents.isPresent();
    if (keepAll == bounded) {
      throw new ParameterException(
          spec.commandLine(), "Expected --max-age, --max-events or both, or only --keep-all.");
    }
    Retention.Builder retention = Retention.newBuilder();
    maxAge.ifPresent(age -> retention.setMaxAge(Durations.fromMillis(age.toMillis())));
    maxEvents.ifPresent(retention::setMaxEvents);
    SetRetentionRequest request =
        SetRetentionRequest.newBuilder().setTenantId(tenant).setRetention(retention).build();
    Tenant changed = access.with(tenants -> tenants.setRetention(request)).getTenant();
    spec.commandLine().getOut().println(TenantOutput.line(changed, access.json()));
  }
}

package dev.bridle.cli.oauth;

import dev.bridle.admin.v1.CreateOAuthClientRequest;
import dev.bridle.admin.v1.CreateOAuthClientResponse;
import dev.bridle.cli.console.SecretFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Creates an OAuth client and prints its secret, which is shown only once. */
@Command(
    name = "create",
    description =
        "Create an OAuth client. Prints its id and its secret, which is shown only once or written"
            + " to a file.",
    footer = {
      "%nExamples:",
      "  bridle oauth client create --actor ci --scope tasks:read --scope tasks:write",
      "  bridle oauth client create --tenant acme --secret-file acme.secret"
    })
final class CreateClientCommand implements Runnable {

  @Spec private CommandSpec spec;
  @Mixin private OAuthAccess access;

  @Option(
      names = "--tenant",
      paramLabel = "NAME",
      description = "The tenant, which must exist (default: ${DEFAULT-VALUE}).",
      defaultValue = "default")
  private String tenant = "default";

  @Option(
      names = "--actor",
      paramLabel = "NAME",
      description = "The actor of its tokens (default: the client's id).",
      defaultValue = "")
  private String actor = "";

  @Option(
      names = "--scope",
      paramLabel = "SCOPE",
      description = "A scope of its tokens, such as tasks:write; can be repeated (default: all).")
  private List<String> scopes = List.of();

  @Option(
      names = "--workspace",
      paramLabel = "ID",
      description = "A workspace that its tokens can access; can be repeated (default: all).")
  private List<String> workspaces = List.of();

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description =
          "Write the secret to this file, readable by its owner only, instead of printing it.")
  private Optional<Path> file = Optional.empty();

  @Override
  public void run() {
    SecretFile.requireAbsent(file);
    CreateOAuthClientRequest request =
        CreateOAuthClientRequest.newBuilder()
            .setTenantId(tenant)
            .setActor(actor)
            .addAllScopes(scopes)
            .addAllWorkspaceIds(workspaces)
            .build();
    CreateOAuthClientResponse made = access.with(admin -> admin.createOAuthClient(request));
    file.ifPresent(
        path -> SecretFile.write(path, made.getSecret(), "The client", "bridle oauth client list"));
    PrintWriter out = spec.commandLine().getOut();
    if (access.json()) {
      var json = OAuthOutput.json(made.getClient());
      out.println(file.isPresent() ? json : json.put("secret", made.getSecret()));
    } else {
      out.println(made.getClient().getId());
      if (file.isEmpty()) {
        out.println(made.getSecret());
      }
    }
  }
}

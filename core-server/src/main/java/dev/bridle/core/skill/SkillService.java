package dev.bridle.core.skill;

import dev.bridle.core.auth.Caller;
import dev.bridle.core.command.Commands;
import dev.bridle.core.command.Replies;
import dev.bridle.core.command.Write;
import dev.bridle.core.event.EventDraft;
import dev.bridle.core.event.EventKinds;
import dev.bridle.core.event.Events;
import dev.bridle.core.page.Pages;
import dev.bridle.core.record.RecordKind;
import dev.bridle.core.resource.Members;
import dev.bridle.core.resource.TenantRecords;
import dev.bridle.skill.v1.CreateSkillRequest;
import dev.bridle.skill.v1.GetSkillRequest;
import dev.bridle.skill.v1.ListSkillsRequest;
import dev.bridle.skill.v1.ListSkillsResponse;
import dev.bridle.skill.v1.Skill;
import dev.bridle.skill.v1.SkillServiceGrpc;
import dev.bridle.skill.v1.UpdateSkillRequest;
import dev.bridle.storage.KeyValueStore;
import io.grpc.stub.StreamObserver;

/** Skills (protocol section "Skill"). */
public final class SkillService extends SkillServiceGrpc.SkillServiceImplBase {
  private final KeyValueStore store;
  private final Commands commands;
  private final TenantRecords<Skill> skills;
  private final Events events;
  private final Pages pages;

  public SkillService(
      KeyValueStore store,
      Commands commands,
      TenantRecords<Skill> skills,
      Events events,
      Pages pages) {
    this.store = store;
    this.commands = commands;
    this.skills = skills;
    this.events = events;
    this.pages = pages;
  }

  @Override
  public void listSkills(ListSkillsRequest request, StreamObserver<ListSkillsResponse> response) {
    Pages.Page<Skill> page =
        store.read(
            tr ->
                pages.read(
                    tr,
                    skills.records(),
                    Pages.Ask.of(request, RecordKind.ALL, "", true),
                    skill -> true));
    Replies.send(
        response,
        ListSkillsResponse.newBuilder().addAllData(page.rows()).setPage(page.info()).build());
  }

  @Override
  public void createSkill(CreateSkillRequest request, StreamObserver<Skill> response) {
    Caller.current().needWholeTenant();
    Skill made =
        commands.run(
            request, "", write -> "", write -> create(write, request), Skill.getDefaultInstance());
    Replies.send(response, made);
  }

  private Skill create(Write write, CreateSkillRequest request) {
    Skill skill = Members.made(write, write.id("skill"), request, Skill.getDefaultInstance());
    skills.insert(write, skill);
    events.ofTenant(
        write,
        RecordKind.SKILL.name(),
        skill.getId(),
        EventDraft.of(EventKinds.SKILL_CREATED, Members.told(skill)));
    return skill;
  }

  @Override
  public void getSkill(GetSkillRequest request, StreamObserver<Skill> response) {
    Caller caller = Caller.current();
    Replies.send(response, store.read(tr -> skills.need(tr, caller, request.getSkillId())));
  }

  @Override
  public void updateSkill(UpdateSkillRequest request, StreamObserver<Skill> response) {
    Caller caller = Caller.current();
    caller.needWholeTenant();
    String id = request.getSkillId();
    Skill changed =
        commands.run(
            request,
            id,
            write -> {
              var unused = skills.need(write.tr(), caller, id);
              return "";
            },
            write -> update(write, skills.need(write.tr(), caller, id), request),
            Skill.getDefaultInstance());
    Replies.send(response, changed);
  }

  private Skill update(Write write, Skill before, UpdateSkillRequest request) {
    return Members.changed(write, before, request, request.getUpdateMask())
        .map(change -> changed(write, before, change))
        .orElse(before);
  }

  private Skill changed(Write write, Skill before, Members.Change<Skill> change) {
    skills.update(write, before, change.resource());
    events.ofTenant(
        write,
        RecordKind.SKILL.name(),
        before.getId(),
        EventDraft.of(EventKinds.SKILL_UPDATED, change.told()));
    return change.resource();
  }
}

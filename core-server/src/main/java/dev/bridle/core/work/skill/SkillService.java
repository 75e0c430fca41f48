package dev.bridle.core.work.skill;

import dev.bridle.core.kernel.auth.Caller;
import dev.bridle.core.kernel.command.Commands;
import dev.bridle.core.kernel.command.Replies;
import dev.bridle.core.kernel.event.EventKinds;
import dev.bridle.core.kernel.event.Events;
import dev.bridle.core.kernel.page.Pages;
import dev.bridle.core.kernel.record.RecordDef;
import dev.bridle.core.kernel.resource.Members;
import dev.bridle.core.kernel.resource.TenantRecords;
import dev.bridle.core.kernel.resource.TenantResources;
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
  private final TenantRecords<Skill> skills;
  private final TenantResources<Skill> resources;
  private final Pages pages;

  public SkillService(
      KeyValueStore store,
      Commands commands,
      TenantRecords<Skill> skills,
      Events events,
      Pages pages) {
    this.store = store;
    this.skills = skills;
    this.resources =
        new TenantResources<>(
            commands,
            skills,
            events,
            Skills.SKILL,
            Skill.getDefaultInstance(),
            new TenantResources.Told(EventKinds.SKILL_CREATED, EventKinds.SKILL_UPDATED));
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
                    Pages.Ask.of(request, RecordDef.ALL, "", true),
                    skill -> true));
    Replies.send(
        response,
        ListSkillsResponse.newBuilder().addAllData(page.rows()).setPage(page.info()).build());
  }

  @Override
  public void createSkill(CreateSkillRequest request, StreamObserver<Skill> response) {
    Replies.send(
        response,
        resources.make(
            request,
            write ->
                resources.insert(
                    write,
                    Members.made(write, write.id("skill"), request, Skill.getDefaultInstance()))));
  }

  @Override
  public void getSkill(GetSkillRequest request, StreamObserver<Skill> response) {
    Caller caller = Caller.current();
    Replies.send(response, store.read(tr -> skills.need(tr, caller, request.getSkillId())));
  }

  @Override
  public void updateSkill(UpdateSkillRequest request, StreamObserver<Skill> response) {
    Replies.send(
        response,
        resources.change(
            request,
            request.getSkillId(),
            (write, before) -> resources.update(write, before, request, request.getUpdateMask())));
  }
}
